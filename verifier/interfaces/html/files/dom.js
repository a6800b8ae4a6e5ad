// What every part draws with: elements, icons, and stretches of a text that marks overlap.

const SHAPES = {
  supported: "M4.5 8.3l2.4 2.5 4.6-5.3",
  contradicted: "M4.5 6.2h7M4.5 9.8h7M10.3 3.8l-4.6 8.4",
  fabricated: "M8 4.2v4.6M8 11.6v.1",
  unverifiable: "M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.3M8 11.9v.1",
  abstained: "M4.8 8h6.4",
  error: "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6",
};
const BY_HAND = 60; // code units of a line that nobody has filled
const WRAPPED = 0.6; // of the longest line, how long one is that was wrapped
// Controls, and marks that turn the direction of what follows them.
const STEERING = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An element. Children are nodes and texts, never markup. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(2).filter((child) => child || child === 0));
  return node;
}

/** A button that does something. */
export function button(attributes, label, act) {
  const node = el("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", act);
  return node;
}

/** What a person must know before the rest. */
export function alert(told, items) {
  const list = el("ul", {}, items.map((item) => el("li", {}, item)));
  return el("div", { class: "vf-alert" }, el("p", {}, el("strong", {}, told)), list);
}

/** The shape of a verdict; its colour comes from the style sheet. */
export function icon(label) {
  const namespace = "http://www.w3.org/2000/svg";
  const [svg, path] = ["svg", "path"].map((name) => document.createElementNS(namespace, name));
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SHAPES[label] ?? SHAPES.error);
  svg.append(path);
  return el("span", { class: `vf-badge vf-is-${label}` }, svg);
}

/** The text with everything spelt out that is not seen and changes how it reads. */
export function plain(text) {
  const spelt = (mark) => `[U+${mark.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
  return text.replace(STEERING, spelt);
}

/**
 * A paragraph with spaces for the line feeds that only wrap it; its length stays. A line that is much shorter than the
 * longest was ended by hand, as are all where none is long, and rows of a table.
 */
export function unwrapped(text) {
  const lines = text.replaceAll("\r\n", " \n").replaceAll("\r", "\n").split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  const wraps = (line) => line.length > WRAPPED * longest && longest >= BY_HAND && !line.startsWith("|");
  return lines.map((line, n) => line + (n === lines.length - 1 ? "" : wraps(line) ? " " : "\n")).join("");
}

export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** `in a comment`: where a hidden sentence stands. */
export function within(piece) {
  return `in ${piece.why.replace(/^in /, "")}`;
}

/** What cuts a text at offsets in code points; JavaScript counts halves of surrogate pairs. */
export function slicer(text) {
  if (last.text !== text) {
    const points = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null;
    last = { text, slice: (a, b) => (points ? points.slice(a, b).join("") : text.slice(a, b)) };
  }
  return last.slice;
}

let last = {};

/** The stretches of `[start, end)` between all bounds of spans in it. */
export function pieces(start, end, spans) {
  const bounds = new Set([start, end]);
  for (const span of spans) {
    for (const at of [span.start, span.end]) if (at > start && at < end) bounds.add(at);
  }
  const sorted = [...bounds].sort((a, b) => a - b);
  return sorted.slice(1).map((to, n) => ({ start: sorted[n], end: to }));
}

export const covering = (spans, piece) =>
  spans.filter((span) => span.start <= piece.start && piece.end <= span.end);

export const overlapping = (spans, piece) =>
  spans.filter((span) => span.start < piece.end && piece.start < span.end);
