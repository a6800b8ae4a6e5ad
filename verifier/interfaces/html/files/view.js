// A checked draft in, something to read out: the draft with its claims marked, and the evidence beside it.
//
//   import { view } from "./view.js";
//   const shown = view(element, data);     // data: `View` of verifier/interfaces/html/types.py
//   shown.add(claim, ...);                 // more `ClaimView`s, in whatever order they come
//   shown.update({ decision, rule, ... }); // any other keys of `View`, when they are known
//   shown.open(3); shown.close(); shown.remove();
//
// Text of others becomes text and values of attributes, never markup. Nothing is asked from outside.

import { alert, button, counted, el, icon, plain, slicer, within } from "./dom.js";
import { Draft } from "./draft.js";
import { LABELS, account, lead, verdict } from "./evidence.js";

const DECISIONS = { approved: "Approved", rejected: "Rejected", nothing_to_check: "Nothing to check" };
const FIRST = ["contradicted", "fabricated", "error"]; // what is to be looked at first, beside conflicts
const NONE = { claims: [], skipped: [], hidden: [], unknown_sources: [], unread: [], notes: [] };
let made = 0;

/**
 * @param options.heading the level of the view's first heading.
 * @param options.tools whether it has buttons to print and to change between light and dark.
 */
export function view(root, data, { heading = 1, tools = false } = {}) {
  const shown = new Shown(root, data, heading, tools);
  return {
    add: (...claims) => shown.add(claims),
    update: (more) => shown.update(more),
    open: (number) => shown.open(number),
    close: () => shown.close(),
    remove: () => shown.remove(),
  };
}

/** A button that goes from light to dark and back. */
export function themeSwitch() {
  const page = document.documentElement;
  const isDark = () => (page.dataset.theme ? page.dataset.theme === "dark" : system.matches);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const control = button({ class: "vf-tool" }, "", () => {
    page.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  const name = () => (control.textContent = isDark() ? "Light" : "Dark");
  system.addEventListener("change", name);
  name();
  return control;
}

class Shown {
  constructor(root, data, heading, tools) {
    Object.assign(this, { root, heading, number: null, off: new Set(), id: `vf-${(made += 1)}` });
    this.data = { ...NONE, ...data, claims: [...(data.claims ?? [])] };
    this.draft = new Draft(this.data, heading, (label) => this.off.has(label));
    this.build(tools);
    this.draft.draw();
    this.refresh();
    this.listening = new AbortController();
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.listening.signal });
  }

  build(tools) {
    this.tools = tools && el("div", { class: "vf-tools" }, button({ class: "vf-tool" }, "Print", () => print()), themeSwitch());
    this.head = el("header", { class: "vf-head" });
    this.filters = el("div", { class: "vf-filters", role: "group", "aria-label": "What is marked in the draft" });
    this.panel = this.buildPanel();
    this.list = el("section", { class: "vf-list", "aria-label": "All claims with their evidence" });
    this.about = el("footer", { class: "vf-about" });
    this.live = el("p", { class: "vf-unseen", "aria-live": "polite" });
    this.root.classList.add("vf");
    const body = el("div", { class: "vf-body" }, this.draft.node, this.panel);
    this.root.replaceChildren(this.head, this.filters, body, this.list, this.about, this.live);
    this.draft.node.addEventListener("click", (event) => this.clicked(event));
    for (const type of ["mouseover", "mouseout"]) this.panel.addEventListener(type, (event) => this.pair(event));
  }

  buildPanel() {
    const step = (name, sign, act) => button({ class: "vf-step", "aria-label": name, title: name }, sign, act);
    this.title = el(`h${this.heading + 1}`, { tabindex: "-1", class: "vf-title" });
    this.steps = el(
      "div",
      { class: "vf-steps" },
      step("Previous claim (k)", "↑", () => this.step(-1)),
      step("Next claim (j)", "↓", () => this.step(1)),
      step("Close (Escape)", "×", () => this.close()),
    );
    this.content = el("div", { class: "vf-content" });
    const top = el("div", { class: "vf-top" }, this.title, this.steps);
    return el("aside", { class: "vf-panel", "aria-label": "Evidence", id: this.id }, top, this.content);
  }

  add(claims) {
    const numbers = new Set(claims.map((claim) => claim.number));
    const others = this.data.claims.filter((one) => !numbers.has(one.number));
    this.data.claims = [...others, ...claims].sort((a, b) => a.start - b.start || a.end - b.end);
    const [starts, ends] = [claims.map((claim) => claim.start), claims.map((claim) => claim.end)];
    this.draft.redraw({ start: Math.min(...starts), end: Math.max(...ends) });
    this.refresh();
  }

  update(more) {
    Object.assign(this.data, more);
    this.draft.draw();
    this.refresh();
  }

  remove() {
    this.listening.abort();
    this.root.replaceChildren();
  }

  refresh() {
    this.head.replaceChildren(...this.summary());
    this.filters.replaceChildren(...this.switches());
    this.list.replaceChildren(...this.everything());
    this.about.replaceChildren(...this.manner());
    this.show();
  }

  get claims() {
    return this.data.claims.filter((claim) => !this.off.has(claim.label));
  }

  labelled(label) {
    return this.data.claims.filter((claim) => claim.label === label);
  }

  // Above the draft

  summary() {
    const { draft, decision, checked_against: against, unread, unknown_sources: unknown, hidden } = this.data;
    const name = plain(draft.name || "Checked text");
    const told = `${this.counts()}${against ? `, checked against ${plain(against)}` : ""}`;
    const item = (one, why) => [el("strong", {}, one), " ", why];
    const cited = unknown.map((one) => item(this.said(one), plain(one.why)));
    const unseen = hidden.map((one) => item(`“${this.said(one)}”`, within(one)));
    const files = unread.map((one) => item(plain(one.source), plain(one.why)));
    return [
      el("div", { class: "vf-top" }, el(`h${this.heading}`, {}, name), this.tools || null),
      el("p", { class: "vf-outcome" }, this.outcome(decision), el("span", {}, told)),
      files.length && alert("Not everything could be read: a true claim may lack its evidence.", files),
      cited.length && alert(`${counted(cited.length, "source")} cited, but not there.`, cited),
      unseen.length && alert(`${counted(unseen.length, "sentence")} hidden from whoever reads the draft.`, unseen),
      this.bar(),
    ].filter(Boolean);
  }

  said(span) {
    return plain(slicer(this.data.draft.text)(span.start, span.end)).replace(/\s+/g, " ");
  }

  outcome(decision) {
    if (!decision) return el("strong", { class: "vf-decision" }, "Checking …");
    return el("strong", { class: `vf-decision vf-${decision}` }, DECISIONS[decision] ?? decision);
  }

  counts() {
    const supported = this.labelled("supported").length;
    const { claims } = this.data;
    return claims.length ? `${supported} of ${counted(claims.length, "claim")} supported` : "No claims";
  }

  /** What share of the text is which: characters that are no blanks. */
  bar() {
    const [total, shares] = this.shares();
    if (!total) return null;
    const percent = (size) => Math.round((100 * size) / total);
    const parts = shares.filter(([, size]) => size > 0);
    const checked = LABELS.reduce((sum, label) => sum + (shares.find(([name]) => name === label)?.[1] ?? 0), 0);
    const rest = checked < total ? "; the rest is headings, questions and the like" : "";
    const told = `${Math.floor((100 * checked) / total)} % of the text was checked${rest}.`;
    const words = `By characters: ${parts.map(([name, size]) => `${name} ${percent(size)} %`).join(", ")}.`;
    const strip = el("div", { class: "vf-strip", role: "img", "aria-label": words, title: words });
    for (const [name, size] of parts) {
      const part = el("span", { class: `vf-part vf-is-${name.replace(" ", "-")}` });
      part.style.flexGrow = size;
      strip.append(part);
    }
    return el("div", { class: "vf-bar" }, strip, el("p", {}, told));
  }

  shares() {
    const { claims, skipped, draft } = this.data;
    const characters = Array.from(draft.text);
    const kinds = new Array(characters.length).fill(null);
    for (const one of skipped) kinds.fill(one.why === "markup" ? null : "not checked", one.start, one.end);
    for (const claim of claims) kinds.fill(claim.label, claim.start, claim.end);
    for (const style of draft.styles) if (style.kind === "mark") kinds.fill(null, style.start, style.end);
    const sizes = new Map([...LABELS, "not checked"].map((name) => [name, 0]));
    kinds.forEach((kind, n) => kind && characters[n].trim() && sizes.set(kind, sizes.get(kind) + 1));
    return [[...sizes.values()].reduce((sum, size) => sum + size, 0), [...sizes]];
  }

  switches() {
    const made = LABELS.filter((label) => this.labelled(label).length).map((label) => {
      const parts = [icon(label), label, el("span", { class: "vf-count" }, `${this.labelled(label).length}`)];
      const attributes = { class: `vf-filter vf-is-${label}`, "aria-pressed": `${!this.off.has(label)}`, "data-label": label };
      return button(attributes, "", () => this.toggle(label)).appendChild(el("span", {}, parts)).parentNode;
    });
    const skipped = this.data.skipped.filter((one) => one.why !== "markup").length;
    if (!skipped) return made;
    const why = button({ class: "vf-filter", "aria-pressed": "false", "data-label": "skipped" }, "", () => {
      why.setAttribute("aria-pressed", `${this.root.classList.toggle("vf-tell-skipped")}`);
    });
    why.setAttribute("aria-pressed", `${this.root.classList.contains("vf-tell-skipped")}`);
    why.append("not checked", el("span", { class: "vf-count" }, `${skipped}`));
    return [...made, why];
  }

  toggle(label) {
    if (!this.off.delete(label)) this.off.add(label);
    this.draft.redraw();
    this.list.replaceChildren(...this.everything());
    const pressed = this.filters.querySelector(`[data-label="${label}"]`);
    pressed.setAttribute("aria-pressed", `${!this.off.has(label)}`);
    const open = this.number && this.data.claims.find((claim) => claim.number === this.number);
    if (open && this.off.has(open.label)) this.number = null;
    this.show();
  }

  // Beside the draft

  show() {
    const claim = this.claims.find((one) => one.number === this.number);
    this.root.classList.toggle("vf-open", Boolean(claim));
    for (const node of this.draft.node.querySelectorAll(".vf-chosen")) {
      node.classList.remove("vf-chosen");
      if (node.hasAttribute("aria-expanded")) node.setAttribute("aria-expanded", "false");
    }
    this.steps.hidden = !claim;
    if (!claim) {
      this.title.replaceChildren("Look at these first");
      this.content.replaceChildren(...this.overview());
      return;
    }
    for (const node of this.draft.every(claim.number)) node.classList.add("vf-chosen");
    this.draft.of(claim.number)?.setAttribute("aria-expanded", "true");
    this.title.replaceChildren(el("span", { class: "vf-unseen" }, `Claim ${claim.number}: `), ...verdict(claim).filter(Boolean));
    this.content.replaceChildren(...account(claim, this.data.draft).filter(Boolean));
  }

  overview() {
    const first = this.claims.filter((claim) => FIRST.includes(claim.label) || claim.conflict);
    const open = (claim) => lead(claim, this.data.draft, () => this.open(claim.number, true));
    const keys = [["j", "k"], ["Enter"], ["Esc"]].map((names) => names.flatMap((name, n) => [n ? " " : "", el("kbd", {}, name)]));
    return [
      first.length
        ? el("ul", { class: "vf-leads" }, first.map(open))
        : el("p", { class: "vf-quiet" }, "Nothing speaks against the draft. Choose a claim to see what it rests on."),
      el("p", { class: "vf-keys" }, keys[0], " next and previous claim  ", keys[1], " its evidence  ", keys[2], " close"),
    ];
  }

  /** Show the evidence of a claim. With `follow` it gets the focus, else the claim keeps or gets it. */
  open(number, follow = false) {
    const claim = this.claims.find((one) => one.number === number);
    if (!claim) return;
    this.number = number;
    this.show();
    const node = this.draft.of(number);
    node?.scrollIntoView({ block: "nearest" });
    if (follow) this.title.focus({ preventScroll: true });
    const at = this.claims.indexOf(claim) + 1;
    const told = claim.difference ? `${claim.difference.claim} differs from ${claim.difference.evidence}` : claim.reason;
    this.live.textContent = `Claim ${at} of ${this.claims.length}, ${claim.label}${claim.sure && `, ${claim.sure} sure`}: ${told}`;
  }

  close() {
    const node = this.number && this.draft.of(this.number);
    this.number = null;
    this.show();
    this.live.textContent = "Closed";
    node?.focus({ preventScroll: true });
  }

  /** The next claim, or the one before; the focus goes with it unless it is in the panel. */
  step(by) {
    const { claims } = this;
    if (!claims.length) return;
    const at = claims.findIndex((claim) => claim.number === this.number);
    const next = at < 0 ? (by > 0 ? 0 : claims.length - 1) : Math.min(Math.max(at + by, 0), claims.length - 1);
    this.open(claims[next].number);
    if (!this.panel.contains(document.activeElement)) this.draft.of(this.number)?.focus({ preventScroll: true });
  }

  clicked(event) {
    const node = event.target.closest("[data-claim]");
    if (node && !String(getSelection())) this.open(Number(node.dataset.claim));
  }

  key(event) {
    const inField = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (inField || event.ctrlKey || event.metaKey || event.altKey || this.root.hidden) return;
    const claim = event.target.closest?.("[data-claim][tabindex]");
    const arrows = claim && this.draft.node.contains(claim) ? { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 } : {};
    const by = { j: 1, k: -1, ...arrows }[event.key];
    if (by) {
      if (claim && event.key.startsWith("Arrow")) this.number = Number(claim.dataset.claim);
      this.step(by);
    } else if (claim && this.draft.node.contains(claim) && (event.key === "Enter" || event.key === " ")) {
      this.open(Number(claim.dataset.claim), true);
    } else if (event.key === "Escape" && this.number !== null) this.close();
    else return;
    event.preventDefault();
  }

  /** Show what belongs together in the two quotations. */
  pair(event) {
    const number = event.target.dataset?.pair;
    if (!number) return;
    for (const mark of this.content.querySelectorAll(`[data-pair="${number}"]`)) {
      mark.classList.toggle("vf-paired", event.type === "mouseover");
    }
  }

  // Below the draft

  /** Every claim that is marked with its evidence, for print. */
  everything() {
    const entry = (claim) => el("li", { value: claim.number }, el("p", {}, verdict(claim)), account(claim, this.data.draft).filter(Boolean));
    return [el(`h${this.heading + 1}`, {}, "Claims and evidence"), el("ol", {}, this.claims.map(entry))];
  }

  manner() {
    const { rule, notes, program, groundedness } = this.data;
    const grounded = groundedness == null ? "" : `Groundedness ${groundedness.toFixed(2)}, the share of checked claims that are supported.`;
    const sure = "Sure: the calibrated probability that the verdict shown is the right one of the four.";
    const told = [rule && `${rule[0].toUpperCase()}${rule.slice(1)}.`, grounded, sure, ...notes.map(plain)].filter(Boolean);
    const list = el("ul", {}, told.map((line) => el("li", {}, line)));
    const summary = el("summary", {}, `How this was checked${notes.length ? `, with ${counted(notes.length, "note")}` : ""}`);
    return [el("details", {}, summary, list), program && el("p", {}, plain(program))].filter(Boolean);
  }
}
