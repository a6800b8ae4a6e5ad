// One claim beside its evidence: both quotations with what agrees and what differs, and why it has its verdict.

import { button, covering, el, icon, overlapping, pieces, plain, slicer, unwrapped } from "./dom.js";

const MEANING = {
  contradicted: "A source speaks of the same thing and says otherwise.",
  fabricated: "It asserts specifics of which the sources hold no trace.",
  error: "It could not be checked.",
  unverifiable: "The sources neither confirm nor deny it.",
  abstained: "It says that something is not known or not told.",
  supported: "A source bears it out.",
};
export const LABELS = Object.keys(MEANING); // the most severe first
const SAID = { same: "stands on both sides", differs: "differs", absent: "not found in the sources" };

/** `page 2, line 14`, `paragraph 3`. */
export function place(evidence) {
  const lines = ranged("line", evidence.lines);
  const paragraphs = evidence.paragraphs?.[1] === 0 ? "heading" : ranged("paragraph", evidence.paragraphs);
  const [page, row] = ["page", "row"].map((name) => (evidence[name] == null ? "" : `${name} ${evidence[name]}`));
  const found = [page, row, lines, paragraphs].filter(Boolean).join(", ");
  return found || `characters ${evidence.start}–${evidence.end}`;
}

/** `line 14`, `lines 14–15`; nothing where they are not known. */
function ranged(name, span) {
  const [first, last] = span ?? [];
  return first == null ? "" : first === last ? `${name} ${first}` : `${name}s ${first}–${last}`;
}

/** The verdict of a claim, and how sure it is. */
export function verdict(claim) {
  const sure = claim.sure && el("span", { class: "vf-sure", title: "calibrated probability" }, `${claim.sure} sure`);
  const label = el("span", { class: "vf-label", title: MEANING[claim.label] }, claim.label);
  return [icon(claim.label), label, claim.conflict && el("span", { class: "vf-tag" }, "sources disagree"), sure];
}

/** All that is to be said of a claim, in the order in which a person asks. */
export function account(claim, draft) {
  const [first, ...others] = claim.evidence;
  const both = claim.conflict ? claim.evidence : claim.evidence.slice(0, 1);
  const more = claim.conflict ? [] : others;
  return [
    quotation("Draft", null, marked(draft, claim, claim.marks), "vf-said"),
    claim.reading && note("Read as", plain(claim.reading)),
    both.length > 1
      ? el("div", { class: "vf-sides" }, both.map((one) => side(one)))
      : first && quotation(...headed(first, claim), passage(first)),
    claim.difference && difference(claim.difference),
    claim.fix && fix(claim.fix),
    note("Why", plain(claim.reason)),
    more.length > 0 && furtherEvidence(more),
  ];
}

function headed(evidence, claim) {
  const nearest = claim.label === "fabricated" || claim.label === "unverifiable";
  return [nearest ? "Nearest" : "Source", source(evidence)];
}

function quotation(name, from, content, kind = "") {
  const title = el("figcaption", {}, el("span", { class: "vf-name" }, name), from);
  return el("figure", { class: `vf-quotation ${kind}` }, title, el("blockquote", { dir: "auto" }, content));
}

function source(evidence) {
  const headings = evidence.headings.length && el("span", { class: "vf-path" }, plain(evidence.headings.join(" › ")));
  const at = el("span", { class: "vf-place", title: `characters ${evidence.start}–${evidence.end}` }, place(evidence));
  return el("span", { class: "vf-source" }, el("cite", {}, plain(evidence.source)), " ", at, headings || null);
}

function side(evidence) {
  const name = evidence.stance === "differs" ? "Differs" : "Agrees";
  return quotation(name, source(evidence), passage(evidence), `vf-${evidence.stance || "agrees"}`);
}

function passage(evidence) {
  const around = (text) => text.trim() && el("span", { class: "vf-around" }, plain(unwrapped(text)));
  const slice = slicer(unwrapped(evidence.text));
  const whole = { start: 0, end: Array.from(evidence.text).length };
  const content = [around(evidence.before), ...run(slice, whole, evidence.marks), around(evidence.after)];
  const context = evidence.context && el("span", { class: "vf-around" }, plain(evidence.context), "\n");
  return el("span", { class: "vf-lines" }, context, content);
}

/** A stretch of the draft without its markup. */
function marked(draft, claim, marks) {
  const styles = draft.styles.filter((style) => style.kind === "mark" || style.kind === "struck");
  const blocks = overlapping(draft.blocks, claim);
  const [first, last] = [blocks[0], blocks.at(-1)];
  const start = Math.max(claim.start, first?.cells[0]?.[0] ?? first?.text_at ?? 0);
  const end = Math.min(claim.end, last?.cells.at(-1)?.[1] ?? claim.end);
  return run(slicer(draft.text), { start: Math.min(start, end), end }, marks, styles);
}

function run(slice, span, marks, styles = []) {
  const near = overlapping([...marks, ...styles], span);
  return pieces(span.start, span.end, near).map((piece) => {
    const own = covering(styles, piece).map((style) => style.kind);
    if (own.includes("mark")) return null;
    const text = plain(slice(piece.start, piece.end));
    const shown = own.includes("struck") ? el("s", {}, text) : text;
    const [mark] = covering(marks, piece);
    const attributes = mark && { class: `vf-${mark.kind}`, title: SAID[mark.kind], "data-pair": mark.pair || null };
    return mark ? el("mark", attributes, shown) : shown;
  });
}

function difference({ claim, evidence, note: told }) {
  const values = [claim, evidence].map((text) => el("strong", {}, plain(text)));
  const line = [values[0], " differs from ", values[1], told && ` (${plain(told)})`];
  return el("p", { class: "vf-difference" }, line);
}

function fix({ label, text, verdict: then }) {
  const title = then === "supported" ? "Judged again and supported" : `Judged again and ${then}`;
  return note(title, [el("strong", {}, plain(label)), el("br"), `“${plain(text)}”`]);
}

function note(title, ...content) {
  return el("p", { class: "vf-note" }, el("span", { class: "vf-name" }, title), ...content);
}

function furtherEvidence(evidence) {
  const quotations = evidence.map((one) => quotation("", source(one), passage(one)));
  const summary = el("summary", {}, `${evidence.length} more ${evidence.length === 1 ? "passage" : "passages"}`);
  return el("details", { class: "vf-more" }, summary, quotations);
}

/** A line of a claim that leads to it. */
export function lead(claim, draft, act) {
  const text = plain(slicer(draft.text)(claim.start, claim.end)).replace(/^[\s>#*•-]+|\*\*|\|/g, " ").trim();
  const short = text.length > 110 ? `${text.slice(0, 108).trimEnd()} …` : text;
  return el("li", {}, button({ class: "vf-lead" }, [icon(claim.label), el("span", {}, short)], act));
}
