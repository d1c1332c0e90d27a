"use strict";
/* Building the page. Text from papers, models and readers becomes text nodes, never markup. */
globalThis.askpapers ??= {};
{
  const SVG = "http://www.w3.org/2000/svg", MATHML = "http://www.w3.org/1998/Math/MathML";
  const SHAPES = {
    plus: "M8 3v10M3 8h10", menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11", cross: "m4 4 8 8M12 4l-8 8",
    triangle: "m6 4 4 4-4 4", check: "m3.5 8.5 3 3 6-7", minus: "M4 8h8",
    turn: "M4 3.5v4a2 2 0 0 0 2 2h6.5M9.8 6.8l2.7 2.7-2.7 2.7", down: "M8 3v10M4 9l4 4 4-4",
    dash: "M8 2.4a5.6 5.6 0 1 1 0 11.2a5.6 5.6 0 1 1 0-11.2",
  };
  const FORMULA = new Set(("math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup " +
    "msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose").split(" "));

  /** An element: `h("p.ap-label", {hidden: true}, "text", node)`. Properties that start with on are listeners. */
  const h = (name, attributes = {}, ...children) => {
    const [tag, ...classes] = name.split(".");
    const element = document.createElement(tag);
    if (classes.length) element.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  };

  const icon = (name) => {
    const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
    svg.setAttribute("class", "ap-i");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", SHAPES[name]);
    if (name === "dash") path.setAttribute("stroke-dasharray", "2.2 2.2");
    svg.append(path);
    return svg;
  };

  /** A formula from `[element, attributes, children]`; the server has let nothing else through, nor does this. */
  const formula = (node) => {
    if (typeof node === "string") return document.createTextNode(node);
    const [tag, attributes, children] = node;
    const element = document.createElementNS(MATHML, FORMULA.has(tag) ? tag : "mrow");
    for (const [key, value] of Object.entries(attributes)) if (/^[a-z]+$/.test(key) && !/^(on|href|src|style)/.test(key)) element.setAttribute(key, value);
    element.append(...children.map(formula));
    return element;
  };

  /** Words and formulas: see segments.py. */
  const run = ({ t, m }) => (m === undefined ? document.createTextNode(t) : m === null ? h("code.ap-tex", {}, t) : formula(m));
  const words = (runs) => runs.map(run);

  /** `after` tied to the last word by its first, so that it never starts a line; more of them may go to further lines. */
  const tied = (nodes, [first, ...others]) => {
    const last = nodes[nodes.length - 1];
    if (!last || !first) return [...nodes, ...(first ? [first, ...others] : [])];
    if (last.nodeType !== Node.TEXT_NODE) return [...nodes.slice(0, -1), h("span.ap-nb", {}, last, first), ...others];
    const [, before, word] = last.data.match(/^([^]*?)(\S*\s*)$/);
    return [...nodes.slice(0, -1), before, h("span.ap-nb", {}, word.trimEnd(), first), ...others];
  };

  /** Make the children of `parent` those of `items`: `[key, value, build]`; what has not changed is left alone. */
  const keep = (parent, items) => {
    const had = new Map([...parent.children].filter((child) => child.apKey).map((child) => [child.apKey, child]));
    const wanted = items.filter(Boolean).map(([key, value, build]) => {
      const json = JSON.stringify(value), old = had.get(key);
      if (old && old.apJson === json) return old;
      return Object.assign(build(old && old.apJson !== undefined ? old : null), { apKey: key, apJson: json });
    });
    wanted.forEach((element, i) => { if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] ?? null); });
    while (parent.children.length > wanted.length) parent.lastElementChild.remove();
  };

  const command = (text) => {
    const code = h("code", { tabindex: "-1" }, text);
    const copy = h("button.ap-txt", { type: "button", onclick: () => {
      const done = () => { copy.textContent = "Copied"; askpapers.say("Copied."); setTimeout(() => (copy.textContent = "Copy"), 1500); };
      const select = () => { getSelection().selectAllChildren(code); askpapers.say("Selected; copy it with the keyboard."); };
      navigator.clipboard ? navigator.clipboard.writeText(text).then(done, select) : select();
    } }, "Copy");
    return h("div.ap-cmd", {}, code, copy);
  };

  /** The value that wire.py has written. */
  const read = (entries) => {
    const value = { turns: [] };
    for (const [key, json] of Object.entries(entries)) {
      if (key.startsWith("turn ")) value.turns.push(JSON.parse(json));
      else value[key] = JSON.parse(json);
    }
    value.turns.sort((a, b) => a.id - b.id);
    return value;
  };

  /** A part of the page: its root is found again at each drawing, as its host may replace it. */
  const part = ({ element, props, watch }, draw) => {
    const redraw = () => { if (props.value) draw(element.querySelector(".ap-root"), read(props.value)); };
    watch("value", redraw);
    redraw();
  };

  Object.assign(askpapers, { h, icon, run, words, tied, keep, command, part });
}
