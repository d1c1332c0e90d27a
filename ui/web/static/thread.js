"use strict";
/* The conversation. */
{
  const { h, icon, words, tied, keep, command, part } = askpapers;

  const marker = (turn, key, { n, label }, near = false) =>
    h("button.ap-c" + (near ? ".ap-un" : ""), { type: "button", "data-turn": turn, "data-key": key, "data-n": n, "aria-label": label }, String(n));

  const markers = (turn, sentence) => sentence.markers.map((m) => marker(turn, sentence.key, m));

  const quoted = (runs) => ["“", ...words(runs), "”"];

  const sentence = (turn, s) => {
    const parts = tied(s.verbatim ? merged(quoted(s.runs)) : words(s.runs), markers(turn, s));
    return h("span.ap-s", { "data-turn": turn, "data-key": s.key, "data-rests": s.tip }, s.verbatim ? h("span.ap-v", {}, parts) : parts);
  };

  /* neighbouring texts become one node, so that the last word is tied together with its closing quotation mark */
  const merged = (nodes) => {
    const out = [];
    for (const node of nodes) {
      const text = typeof node === "string" ? document.createTextNode(node) : node, last = out[out.length - 1];
      if (last && last.nodeType === Node.TEXT_NODE && text.nodeType === Node.TEXT_NODE) last.data += text.data;
      else out.push(text);
    }
    return out;
  };

  const blockquote = (turn, s) =>
    h("blockquote.ap-s", { "data-turn": turn, "data-key": s.key, "data-rests": s.tip }, tied(merged(quoted(s.runs)), markers(turn, s)));

  const paragraphs = (turn, groups) => h("div.ap-answer", {}, groups.map((group) => {
    const spaced = group.sentences.flatMap((s, i) => (i && !group.list ? [" ", sentence(turn, s)] : [sentence(turn, s)]));
    return group.list ? h("ul", {}, spaced.map((s) => h("li", {}, s))) : h("p", {}, spaced);
  }));

  const plain = (turn, pieces) => pieces.map((piece) => (piece.n === undefined ? words([piece]) : marker(turn, "", { n: piece.n, label: `Paper ${piece.n}, not cited` }, true)));

  const stage = (steps) => h("ol.ap-stage", { "aria-label": "Progress" }, steps.map(([state, text]) =>
    h("li", { "aria-current": state === "now" ? "step" : null }, state === "done" ? icon("check") : state === "now" ? h("span.ap-dot") : null, text)));

  const draft = (turn, item) => {
    if (item.typing !== undefined) return h("li.ap-typing", {}, item.typing, h("span.ap-caret"));
    if (item.removed) return h("li.ap-gone", {}, h("span.ap-mk", {}, icon("minus")), "1 sentence removed: not supported");
    return h("li.ap-ok", {}, h("span.ap-mk", {}, icon("check")), sentence(turn, item));
  };

  const drafts = (turn, value, old) => {
    const box = old ?? h("div.ap-draft", {}, h("p.ap-label", {}, "Each sentence is checked before it counts"), h("ol"));
    const items = [...value.draft.map((item) => [item.key, item, () => draft(turn, item)])];
    if (value.typing) items.push(["typing", value.typing, () => draft(turn, value)]);
    keep(box.querySelector("ol"), items);
    return box;
  };

  const removed = (list) => h("details.ap-removed", {},
    h("summary", {}, icon("triangle"), h("span", {}, `${list.length} ${list.length === 1 ? "sentence" : "sentences"} removed: not supported`)),
    list.map((r) => h("div.ap-body", {}, h("p", {}, words(r.text)), h("p", {}, r.why))));

  const failure = (f) => h("section.ap-fail", { role: "alert" }, h("h3", {}, f.title), h("p", {}, f.text), f.command ? command(f.command) : null);

  const abstained = (turn, a) => h("section.ap-abst", { "aria-label": "No answer" }, h("h3", {}, icon("dash"), a.title), a.words.length ? h("p", {}, plain(turn, a.words)) : null);

  const folded = (turn) => h("details.ap-ev-inline", { "data-turn": turn, hidden: true },
    h("summary", {}, icon("triangle"), h("span", {}, "Evidence"), h("small")), h("div.ap-cards"));

  const turn = (t, old) => {
    const article = old ?? h("article.ap-turn", { "data-turn": t.id, "aria-labelledby": `ap-q${t.id}` });
    const some = (list) => list && list.length;
    keep(article, [
      ["question", t.question, () => h("h2.ap-q", { id: `ap-q${t.id}` }, words(t.question))],
      t.standalone && ["standalone", t.standalone, () => h("p.ap-as", {}, "Searched as: ", words(t.standalone))],
      some(t.stage) && ["stage", t.stage, () => stage(t.stage)],
      some(t.quotes) && ["quotes", t.quotes, () => h("div.ap-quotes", {}, h("p.ap-label", {}, "In the abstracts’ own words"), t.quotes.map((s) => blockquote(t.id, s)))],
      (some(t.draft) || t.typing) && ["draft", [t.draft, t.typing], (box) => drafts(t.id, t, box)],
      some(t.paragraphs) && ["answer", t.paragraphs, () => paragraphs(t.id, t.paragraphs)],
      some(t.words) && ["words", t.words, () => h("div.ap-answer", {}, h("p", {}, plain(t.id, t.words)))],
      t.abstained && ["abstained", t.abstained, () => abstained(t.id, t.abstained)],
      some(t.removed) && ["removed", t.removed, () => removed(t.removed)],
      t.failure && ["failure", t.failure, () => failure(t.failure)],
      ["evidence", t.id, () => folded(t.id)],
      some(t.closing) && ["closing", t.closing, () => h("div.ap-end", {}, h("p.ap-prov", {}, t.closing.map((c) => h("span", {}, c))))],
    ]);
    return article;
  };

  const welcome = (w) => h("div.ap-hello", {}, h("h2", {}, w.title), h("p", {}, w.text),
    w.examples && w.examples.length ? h("div.ap-eg", {}, w.examples.map((group) => h("div.ap-next", {}, h("p.ap-label", {}, group.label),
      h("ul", {}, group.questions.map((q) => h("li", {}, h("button", { type: "button", onclick: () => askpapers.suggest(q) }, icon("turn"), h("span", {}, q)))))))) : null,
    w.command ? h("div.ap-ways", {}, h("div", {}, h("p.ap-label", {}, w.label), command(w.command))) : null);

  askpapers.thread = (host) => part(host, (root, value) => {
    let column = root.querySelector(".ap-col");
    if (!column) root.append((column = h("div.ap-col")));
    const follow = askpapers.nearEnd(), asked = value.turns.length && value.turns[value.turns.length - 1].id !== askpapers.state.last;
    keep(column, value.welcome ? [["welcome", value.welcome, () => welcome(value.welcome)]]
      : value.turns.map((t) => [`turn${t.id}`, t, (old) => turn(t, old)]));
    askpapers.drawn(value);
    askpapers.follow(follow || asked);
  });
}
