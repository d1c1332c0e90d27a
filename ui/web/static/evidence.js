"use strict";
/* The papers behind the answers: a panel beside them, or folded under each on a narrow page. */
{
  const { h, icon, run, words, keep, part } = askpapers;
  const THREE_LINES = 150;
  let value = { turns: [] }, panel = null;

  /* unselected, a card shows only what supports the answer; the rest of the abstract is there, but hidden */
  const abstract = (runs) => {
    const out = [];
    let gap = false;
    for (const piece of runs) {
      if (piece.k) {
        out.push(h("mark", { "data-keys": ` ${piece.k.join(" ")} ` }, run(piece)));
        gap = false;
      } else if (!piece.t.trim()) {
        out.push(piece.t);
      } else {
        if (!gap) { out.push(h("span.ap-gap", {}, out.length ? " … " : "… ")); gap = true; }
        out.push(h("span.ap-x", {}, run(piece)));
      }
    }
    return h("p.ap-abs", {}, out);
  };

  const who = (c) => {
    const names = c.authors.flatMap((a, i) => (i ? [", ", h("span.ap-nb", {}, a)] : [h("span.ap-nb", {}, a)]));
    const lines = [names.length ? h("span", {}, names, c.more ? ` and ${c.more} more` : "") : null, c.at || c.links.length ? h("span", {}, c.at ? h("span", {}, c.at) : null, c.links.map((l) =>
      h("a", { href: /^https?:\/\//i.test(l.href) ? l.href : null, target: "_blank", rel: "noopener noreferrer" }, l.text))) : null];
    return h("p.ap-who", {}, lines.filter(Boolean).flatMap((line, i) => (i ? [h("br"), line] : [line])));
  };

  const card = (turn, c) => {
    const plain = !c.abstract.some((piece) => piece.k), unmarked = c.abstract.filter((piece) => !piece.k).map((piece) => piece.t).join("").trim();
    const more = unmarked.length > (plain ? THREE_LINES : 0);
    return h("article.ap-card" + (c.cited ? "" : ".ap-plain") + (plain ? ".ap-clamp" : ""),
      { "data-turn": turn, "data-n": c.n, tabindex: "-1", "aria-label": `${c.cited ? "Source" : "Paper"} ${c.n}` },
      h("span.ap-n", { "aria-hidden": "true" }, String(c.n)),
      h("h3", {}, words(c.title)), c.derived ? h("p.ap-derived", {}, "Untitled in its source; named after its abstract") : null, who(c),
      c.abstract.length ? abstract(c.abstract) : h("p.ap-none", {}, "No abstract in the library"),
      more ? h("div.ap-acts", {}, h("button.ap-txt.ap-whole", { type: "button", "aria-expanded": "false" }, "Abstract")) : null);
  };

  const cards = (box, t) => keep(box, [
    ...t.cards.map((c) => [`${t.id}/${c.n}`, c, () => card(t.id, c)]),
    t.rest.length && [`${t.id}/rest`, t.rest, () => h("details.ap-rest", {},
      h("summary", {}, icon("triangle"), `${t.rest.length} more found, not cited`), t.rest.map((c) => card(t.id, c)))],
  ]);

  const drawPanel = () => {
    const t = askpapers.narrow() ? null : value.turns.find((x) => x.id === askpapers.state.turn);
    const older = t && t !== value.turns[value.turns.length - 1];
    keep(panel, [
      ["head", [t?.title, t?.note, older], () => h("div.ap-ev-head", {}, h("h2", {}, t?.title ?? "Evidence"), h("p", {}, older ? `for “${t.question}”` : t?.note ?? ""))],
      t ? ["cards", [t.id, t.cards, t.rest], (old) => { const box = old ?? h("div.ap-cards"); cards(box, t); return box; }]
        : ["empty", 0, () => h("p.ap-ev-empty", {}, "The papers behind an answer appear here, each with the sentence a claim rests on.")],
    ]);
  };

  const drawFolded = () => {
    for (const t of value.turns) {
      const box = document.querySelector(`.ap-ev-inline[data-turn="${t.id}"]`);
      if (!box) continue;
      const shown = askpapers.narrow() && t.cards.length > 0;
      box.hidden = !shown;
      box.querySelector("summary span").textContent = t.title;
      box.querySelector("summary small").textContent = t.note;
      shown ? cards(box.querySelector(".ap-cards"), t) : box.querySelector(".ap-cards").replaceChildren();
    }
  };

  askpapers.showEvidence = () => { if (panel) { drawPanel(); drawFolded(); askpapers.paint(); } };
  askpapers.evidence = (host) => part(host, (root, v) => { panel = root; value = v; askpapers.showEvidence(); });
}
