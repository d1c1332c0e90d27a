"use strict";
/* What happens on the page itself: selection, following the text, keys, tips, theme. */
{
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const state = { turn: null, last: null, key: null, n: null, busy: false, open: true, asked: "", whole: new Map() };
  const narrow = () => matchMedia("(max-width: 899px)").matches;
  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const box = () => $("#ap-ask textarea");
  const say = (text) => { const live = $("#ap-live"); if (live && live.textContent !== text) live.textContent = text; };
  const hint = () => { const at = $("#ap-hint"); if (at) at.textContent = state.busy ? "Esc stops" : state.open ? "Enter asks, Shift+Enter adds a line" : ""; };
  let back = null;

  /* ---- after each drawing of the thread ---- */
  function drawn(value) {
    const last = value.turns[value.turns.length - 1];
    Object.assign(state, { busy: value.busy, open: value.open, asked: last ? last.question.map((r) => r.t).join("") : "" });
    if (!last) Object.assign(state, { turn: null, last: null, key: null, n: null });
    else if (last.id !== state.last) Object.assign(state, { turn: last.id, last: last.id, key: null, n: null });
    $("#ap").classList.toggle("ap-busy", value.busy);
    $("#ap").classList.toggle("ap-shut", !value.open);
    const area = box();
    if (area) {
      area.placeholder = value.prompt ?? "";
      area.disabled = !value.open;
    }
    const go = $("#ap-go");
    if (go) go.disabled = !value.open;
    $("#ap-title").textContent = value.title;
    say(value.status);
    hint();
    if (last && last.over && state.turn === last.id) settle(last);
    askpapers.showEvidence?.();
  }

  /* once an answer is complete, what was selected while it was written stays so, or its first source is */
  function settle(turn) {
    if (state.key && $(`#ap-thread .ap-c[data-key="${state.key}"]`)) return;
    const markers = $$(`.ap-turn[data-turn="${turn.id}"] .ap-answer .ap-s .ap-c`);
    const same = markers.find((m) => m.dataset.n === state.n) ?? markers[0];
    if (same) Object.assign(state, { key: same.dataset.key, n: same.dataset.n });
  }

  /* ---- selection ---- */
  function paint() {
    for (const e of $$(".ap-c[aria-current]")) e.removeAttribute("aria-current");
    for (const e of $$("#ap .ap-on, #ap .ap-sel")) e.classList.remove("ap-on", "ap-sel");
    const { turn, key, n } = state;
    if (n !== null) {
      for (const c of $$(`.ap-card[data-turn="${turn}"][data-n="${n}"]`)) c.classList.add("ap-sel");
      if (key) {
        for (const c of $$(`.ap-c[data-key="${key}"][data-n="${n}"]`)) c.setAttribute("aria-current", "true");
        for (const s of $$(`.ap-s[data-key="${key}"]`)) s.classList.add("ap-on");
        for (const m of $$(`.ap-card[data-turn="${turn}"][data-n="${n}"] mark[data-keys*=" ${key} "]`)) m.classList.add("ap-on");
      }
    }
    for (const card of $$(".ap-card")) {
      const full = state.whole.get(`${card.dataset.turn}/${card.dataset.n}`) ?? card.classList.contains("ap-sel");
      const button = $(".ap-whole", card);
      card.classList.toggle("ap-full", full);
      if (button) { button.setAttribute("aria-expanded", String(full)); button.textContent = full ? "Less" : "Abstract"; }
    }
  }

  function select(turn, n, key, focus) {
    Object.assign(state, { turn: +turn, n: String(n), key: key || null });
    state.whole.delete(`${turn}/${n}`);
    askpapers.showEvidence();
    const home = narrow() ? $(`.ap-ev-inline[data-turn="${turn}"]`) : $("#ap-evidence");
    const card = home && $(`.ap-card[data-n="${n}"]`, home);
    if (!card) return;
    if (home.tagName === "DETAILS") home.open = true;
    const rest = card.closest(".ap-rest");
    if (rest) rest.open = true;
    const lit = $("mark.ap-on", card), frame = home.tagName === "DETAILS" ? null : home.getBoundingClientRect();
    card.scrollIntoView({ block: narrow() ? "start" : "nearest", behavior: calm() ? "auto" : "smooth" });
    /* a card taller than its column: what counts is the sentence */
    if (lit && frame && card.offsetHeight > frame.height - 60) lit.scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" });
    if (focus) card.focus({ preventScroll: true });
  }

  /* ---- following the text ---- */
  const scroller = () => $("#ap-thread");
  const nearEnd = () => { const s = scroller(); return !s || s.scrollHeight - s.scrollTop - s.clientHeight < 100; };
  function follow(yes) {
    const s = scroller();
    if (yes) s.scrollTop = state.last === null ? 0 : s.scrollHeight;
    below(!yes && state.busy && !nearEnd());
  }
  function below(show) {
    let button = $("#ap-below");
    if (!button) {
      button = askpapers.h("button.ap-btn", { id: "ap-below", type: "button", hidden: true, onclick: () => follow(true) }, askpapers.icon("down"), "New text below");
      $("#ap-composer-wrap").prepend(button);
    }
    button.hidden = !show;
  }

  /* ---- the box, the drawer, the theme ---- */
  const focusBox = () => box()?.focus();
  function suggest(question) {
    const area = box();
    area.value = question;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    area.focus();
  }
  function drawer(on) {
    const was = $("#ap").classList.contains("ap-drawer");
    if (was === on) return;
    $("#ap").classList.toggle("ap-drawer", on);
    $("#ap-menu").setAttribute("aria-expanded", String(on));
    for (const part of ["#ap-thread", "#ap-composer-wrap", "#ap-evidence", ".ap-bar"]) $(part).inert = on;
    (on ? $("#ap-close") : $("#ap-menu")).focus();
  }
  const dark = () => document.body.classList.contains("dark");
  const remembered = () => { try { return localStorage.getItem("askpapers-theme"); } catch { return null; } };
  const themeName = () => (dark() ? "Light theme" : "Dark theme");
  function theme() {
    const next = dark() ? "light" : "dark";
    try { localStorage.setItem("askpapers-theme", next); } catch { /* a page without storage keeps it until it is closed */ }
    document.body.classList.toggle("dark", next === "dark");
  }
  /* the host sets the theme from the system, at the start and when that changes */
  function themed() {
    const wish = remembered();
    if (wish && (wish === "dark") !== dark()) document.body.classList.toggle("dark", wish === "dark");
    const button = $("#ap-theme");
    if (button && button.textContent !== themeName()) button.textContent = themeName();
  }

  /* ---- tips: one line that says what a sentence rests on ---- */
  let timer = 0;
  function hideTip() { clearTimeout(timer); $("#ap-tip")?.classList.remove("ap-show"); }
  function showTip(element, text) {
    const tip = $("#ap-tip");
    tip.textContent = text;
    const r = element.getBoundingClientRect(), w = tip.offsetWidth, h = tip.offsetHeight;
    tip.style.left = `${Math.max(8, Math.min(innerWidth - w - 8, r.left + r.width / 2 - w / 2))}px`;
    tip.style.top = `${r.top - h - 8 < 8 ? r.bottom + 8 : r.top - h - 8}px`;
    tip.classList.add("ap-show");
  }
  function tipFor(element) {
    const marker = element.closest(".ap-c"), whole = element.closest(".ap-s");
    if (marker && marker.classList.contains("ap-un")) return showTip(marker, "Near the question, not cited");
    const rests = whole && whole.dataset.rests;
    if (rests) showTip(marker ?? $$(".ap-c", whole).pop() ?? whole, marker ? rests.replace(/\[.*$/, `[${marker.dataset.n}]`) : rests);
  }

  /* ---- listeners ---- */
  function click(e) {
    const marker = e.target.closest(".ap-c");
    if (marker) { back = marker; select(marker.dataset.turn, marker.dataset.n, marker.dataset.key, e.detail === 0); return; }
    const whole = e.target.closest(".ap-whole");
    if (whole) { const card = whole.closest(".ap-card"); state.whole.set(`${card.dataset.turn}/${card.dataset.n}`, !card.classList.contains("ap-full")); paint(); return; }
    const lit = e.target.closest("#ap mark");
    if (lit) { const card = lit.closest(".ap-card"); Object.assign(state, { turn: +card.dataset.turn, n: card.dataset.n, key: lit.dataset.keys.trim().split(" ")[0] }); paint(); }
  }
  function step(list, element, by) { const next = list[list.indexOf(element) + by]; return next ?? null; }
  function key(e) {
    if (e.isComposing || document.querySelector("dialog[open]")) return;
    const at = document.activeElement, typing = /INPUT|TEXTAREA|SELECT/.test(at.tagName);
    if ((e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) || (e.key === "k" && (e.ctrlKey || e.metaKey))) { e.preventDefault(); focusBox(); return; }
    if (e.key === "Escape") { escape(at); return; }
    if (/^Arrow(Left|Right)$/.test(e.key) && at.classList.contains("ap-c")) {
      const next = step($$("#ap-thread .ap-c"), at, e.key === "ArrowRight" ? 1 : -1);
      if (next) { next.focus(); e.preventDefault(); }
    }
    if (/^Arrow(Up|Down)$/.test(e.key) && at.classList.contains("ap-card")) {
      const next = step($$(".ap-card", at.parentNode), at, e.key === "ArrowDown" ? 1 : -1);
      if (next) { select(next.dataset.turn, next.dataset.n, ($("mark", next)?.dataset.keys ?? "").trim().split(" ")[0], true); e.preventDefault(); }
    }
    if (e.key === "ArrowUp" && at === box() && !at.value && state.asked) { suggest(state.asked); e.preventDefault(); }
  }
  function escape(at) {
    hideTip();
    if ($("#ap").classList.contains("ap-drawer")) return drawer(false);
    if (at.closest(".ap-card") && back?.isConnected) return back.focus();
    if (state.busy) return $("#ap-stop").click();
  }
  function scrolled(e) {
    const part = e.target;
    if (part.id === "ap-thread") { hideTip(); $("#ap-chat").classList.toggle("ap-scrolled", part.scrollTop > 4); if (nearEnd()) below(false); }
    if (part.id === "ap-evidence") $(".ap-root", part)?.classList.toggle("ap-scrolled", part.scrollTop > 4);
  }

  let started = false;
  function start() {
    if (started) return;
    started = true;
    $("#ap-side").setAttribute("role", "complementary");
    $("#ap-side").setAttribute("aria-label", "Settings");
    $("#ap-chat").setAttribute("role", "main");
    $("#ap-evidence").setAttribute("role", "complementary");
    $("#ap-evidence").setAttribute("aria-label", "Evidence");
    $("#ap-evidence").tabIndex = 0;
    $("#ap-thread").tabIndex = 0;
    document.documentElement.lang = "en";
    document.addEventListener("click", click);
    document.addEventListener("keydown", key);
    document.addEventListener("scroll", scrolled, true);
    document.addEventListener("mouseover", (e) => {
      const at = e.target.closest?.("#ap .ap-c, #ap .ap-s");
      hideTip();
      if (at) timer = setTimeout(() => tipFor(e.target), 250);
    });
    document.addEventListener("focusin", (e) => { if (e.target.matches(".ap-c:focus-visible")) tipFor(e.target); else hideTip(); });
    matchMedia("(max-width: 899px)").addEventListener("change", () => askpapers.showEvidence?.());
    matchMedia("(max-width: 1199px)").addEventListener("change", () => { if ($("#ap").classList.contains("ap-drawer")) drawer(false); });
    new MutationObserver(themed).observe(document.body, { attributes: true, attributeFilter: ["class"] });
    themed();
  }

  Object.assign(askpapers, { state, narrow, say, hint, drawn, paint, nearEnd, follow, focusBox, suggest, drawer, theme, themeName, start });
}
