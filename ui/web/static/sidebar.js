"use strict";
/* The side bar, the head of the conversation, and the line below the question box. */
{
  const { h, icon, keep, part } = askpapers;
  const newChat = { fresh: () => {} };

  const brand = () => h("div.ap-brand", {}, h("b", {}, "askpapers"),
    h("button.ap-icon.ap-only-drawer", { type: "button", id: "ap-close", "aria-label": "Close", onclick: () => askpapers.drawer(false) }, icon("cross")));

  const pages = () => h("nav", { "aria-label": "Pages" },
    h("button.ap-row", { type: "button", id: "ap-new", onclick: () => newChat.fresh() }, icon("plus"), h("span", {}, "New chat")));

  const choice = (label, values, chosen, none, change) => {
    const list = h("select.ap-ctl", { "aria-label": label, onchange: () => change(list.value || null) },
      h("option", { value: "" }, none), values.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)));
    return list;
  };

  const filters = (value, limit) => {
    const now = { first: value.filters.first, last: value.filters.last, venue: value.filters.venue };
    const set = (key) => (chosen) => limit({ ...now, [key]: chosen });
    const years = value.years.map((y) => [y, String(y)]);
    return h("section", { "aria-label": "Filters" },
      h("p.ap-label", {}, "Filters", value.filters.scope ? h("button.ap-txt", { type: "button", onclick: () => limit({}) }, "Clear") : null),
      years.length > 1 ? h("div.ap-field", {}, h("span", {}, "Year"), h("span.ap-pair", {}, choice("From year", years, now.first, "Any", set("first")), "–", choice("To year", years, now.last, "Any", set("last")))) : null,
      value.venues.length > 1 ? h("div.ap-field", {}, h("span", {}, "Venue"), choice("Venue", value.venues.map(([name, n]) => [name, `${name} (${n.toLocaleString("en")})`]), now.venue, `All ${value.venues.length}`, set("venue"))) : null);
  };

  const writer = ({ name, state: [state, text] }) => h("section", { "aria-label": "Answers written by" }, h("p.ap-label", {}, "Answers written by"),
    h("div.ap-model", {}, h("p.ap-writer", {}, name), h(`p.ap-health.ap-${state}`, {}, text)));

  const holds = (value) => h("section.ap-stats", {},
    h("b", {}, value.papers.toLocaleString("en")), value.papers === 1 ? " paper" : " papers", value.span ? `, ${value.span}` : "",
    value.venues.length ? [h("br"), `${value.venues.length} ${value.venues.length === 1 ? "venue" : "venues"}`] : null,
    h("div.ap-foot", {}, h("button.ap-txt", { type: "button", id: "ap-theme", onclick: () => askpapers.theme() }, askpapers.themeName()),
      h("button.ap-txt", { type: "button", onclick: () => document.getElementById("ap-help").showModal() }, "Keyboard")));

  askpapers.sidebar = (host) => {
    newChat.fresh = () => { askpapers.drawer(false); host.fresh(); askpapers.focusBox(); };
    part(host, (root, value) => {
      const several = value.years.length > 1 || value.venues.length > 1;
      keep(root, [
        ["brand", 0, brand], ["pages", 0, pages],
        several && ["filters", [value.years, value.venues, value.filters], () => filters(value, host.limit)],
        value.writer && ["writer", value.writer, () => writer(value.writer)],
        ["holds", [value.papers, value.span, value.venues.length], () => holds(value)],
      ]);
      askpapers.scope(value.filters.scope, host.limit);
    });
  };

  askpapers.newChat = () => newChat.fresh();

  askpapers.bar = ({ element }) => {
    const root = element.querySelector(".ap-root"), key = (keys, does) => [h("dt", {}, keys), h("dd", {}, does)];
    root.replaceChildren(
      h("header.ap-bar", {},
        h("button.ap-icon.ap-only-narrow", { type: "button", id: "ap-menu", "aria-label": "Open the side bar", "aria-expanded": "false", "aria-controls": "ap-side", onclick: () => askpapers.drawer(true) }, icon("menu")),
        h("h1", { id: "ap-title" }, "New chat"),
        h("button.ap-icon.ap-only-narrow", { type: "button", "aria-label": "New chat", onclick: askpapers.newChat }, icon("plus"))),
      h("div.ap-scrim", { onclick: () => askpapers.drawer(false) }),
      h("div.ap-tip", { id: "ap-tip", role: "tooltip" }),
      h("div.ap-sr", { id: "ap-live", role: "status" }),
      h("dialog", { id: "ap-help", "aria-labelledby": "ap-help-h" }, h("h2", { id: "ap-help-h" }, "Keyboard"), h("dl", {},
        key("/ or Ctrl K", "Go to the question box"), key("Enter", "Ask; on a marker, go to its source"), key("Shift Enter", "New line"),
        key("Up", "In the empty box: the last question again"), key("Left, Right", "Previous or next marker"), key("Up, Down", "Previous or next source"),
        key("Esc", "Stop the answer; back from a source to its marker; close")),
        h("form", { method: "dialog" }, h("button.ap-btn", {}, "Close"))));
    askpapers.start();
  };

  askpapers.line = ({ element }) => {
    const root = element.querySelector(".ap-root");
    askpapers.scope = (words, limit) => {
      keep(root, [
        words && ["scope", words, () => h("span.ap-tok", {}, words, h("button", { type: "button", "aria-label": "Remove the filters", onclick: () => limit({}) }, icon("cross")))],
        ["hint", 0, () => h("span.ap-hint", { id: "ap-hint" })],
      ]);
      askpapers.hint();
    };
    askpapers.scope("", () => {});
  };
  askpapers.scope = () => {};
}
