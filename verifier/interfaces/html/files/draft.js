// The draft as a person reads it: its blocks, with each claim marked by its verdict.

import { covering, el, icon, overlapping, pieces, plain, slicer, unwrapped, within } from "./dom.js";

export class Draft {
  /**
   * @param data what is shown, as `View` has it; its claims may change, see `redraw`.
   * @param isOff whether a label is not to be marked.
   */
  constructor(data, heading, isOff) {
    Object.assign(this, { data, heading, isOff });
    this.node = el("article", { class: "vf-draft", "aria-label": "The draft" });
  }

  draw() {
    this.slice = slicer(this.data.draft.text);
    this.slice = slicer(this.unwrapped());
    this.nodes = [];
    const top = [];
    let group = null;
    for (const block of this.data.draft.blocks) {
      const kind = { item: "list", row: "table", "header row": "table" }[block.kind] ?? null;
      const inTable = block.kind === "markup" && group?.kind === "table";
      if (!inTable && kind !== group?.kind) group = kind && this.group(kind, top);
      const node = this.block(block, inTable);
      this.nodes.push(node);
      if (node && group) group.node.append(node);
      else if (node) top.push(node);
    }
    this.node.replaceChildren(...top, ...this.unseen());
    this.nodes.forEach((_, n) => this.fill(n));
  }

  /** The text with its paragraphs unwrapped. */
  unwrapped() {
    const { blocks, text } = this.data.draft;
    const parts = [];
    let at = 0;
    for (const { kind, start, end } of blocks) {
      const own = this.slice(start, end);
      parts.push(this.slice(at, start), kind === "code" || kind === "markup" ? own : unwrapped(own));
      at = end;
    }
    return [...parts, this.slice(at, text.length)].join("");
  }

  /** Draw again what a span touches, or everything. */
  redraw(span) {
    this.data.draft.blocks.forEach((block, n) => {
      if (!span || overlapping([block], span).length) this.fill(n);
    });
  }

  /** The first node of a claim, which has the focus. */
  of(number) {
    return this.node.querySelector(`[data-claim="${number}"][tabindex]`);
  }

  every(number) {
    return this.node.querySelectorAll(`[data-claim="${number}"]`);
  }

  group(kind, top) {
    const node = kind === "list" ? el("ul", { class: "vf-items" }) : el("tbody");
    top.push(kind === "list" ? node : el("div", { class: "vf-table" }, el("table", {}, node)));
    return { kind, node };
  }

  block(block, inTable) {
    const told = overlapping([...this.data.hidden, ...this.data.claims], block).length > 0;
    switch (block.kind) {
      case "heading":
        return el(`h${Math.min(block.level + this.heading, 6)}`, { dir: "auto" });
      case "item":
        return el("li", { class: `vf-lines vf-level${Math.min(block.level, 4)}`, dir: "auto" });
      case "row":
      case "header row":
        return el("tr");
      case "code":
        return el("pre", { tabindex: "0", role: "group", "aria-label": "Code, not checked" });
      case "markup":
        if (told) return inTable ? el("tr") : el("p", { class: "vf-markup" });
        return !inTable && /^\s*[-*_]/.test(this.slice(block.start, block.end)) ? el("hr") : null;
      default:
        return el(block.quoted ? "blockquote" : "p", { dir: "auto", class: "vf-lines" });
    }
  }

  fill(n) {
    const [block, node] = [this.data.draft.blocks[n], this.nodes[n]];
    if (!node || node.tagName === "HR") return;
    if (block.cells.length) {
      const tag = block.kind === "row" ? "td" : "th";
      const cells = block.cells.map(([start, end]) => el(tag, { dir: "auto" }, this.run({ start, end })));
      node.replaceChildren(...cells);
      this.number(node, block);
      return;
    }
    const marker = block.kind === "item" && block.text_at > block.start && (block.marker || "•");
    node.replaceChildren(
      ...(marker ? [el("span", { class: "vf-marker", "aria-hidden": "true" }, marker)] : []),
      ...this.run({ start: block.text_at, end: block.end }),
    );
    this.number(node, block);
  }

  /** Hidden sentences that stand in no block: in a comment, in an attribute. */
  unseen() {
    const { hidden, draft } = this.data;
    const lost = hidden.filter((one) => !overlapping(draft.blocks, one).length);
    return lost.map((one) => el("p", { class: "vf-markup" }, this.run(one)));
  }

  /** The nodes of a stretch of one block. */
  run(span) {
    const { claims, skipped, hidden, unknown_sources: unknown, draft } = this.data;
    const near = Object.entries({ claims, skipped, hidden, unknown, styles: draft.styles });
    const own = Object.fromEntries(near.map(([name, spans]) => [name, overlapping(spans, span)]));
    const nodes = [];
    let open = null;
    for (const piece of pieces(span.start, span.end, Object.values(own).flat())) {
      const narrowest = (a, b) => a.end - a.start - (b.end - b.start);
      const [claim] = covering(own.claims, piece).sort(narrowest);
      const node = this.piece(piece, own);
      if (!node) continue;
      if (!claim) nodes.push(node);
      else if (open?.claim === claim) open.node.append(node);
      else nodes.push(this.claim(claim, node));
      open = claim ? { claim, node: nodes.at(-1) } : null;
    }
    return nodes;
  }

  claim(claim, ...children) {
    const off = this.isOff(claim.label);
    const conflict = claim.conflict ? " vf-conflict" : "";
    const kind = off ? "vf-off" : `vf-claim vf-is-${claim.label}${conflict}`;
    return el("span", { class: kind, "data-claim": off ? null : claim.number }, ...children);
  }

  /** A stretch with nothing in it that begins or ends; markup has no node. */
  piece(piece, own) {
    const [hidden, skipped, unknown] = [own.hidden, own.skipped, own.unknown].map(
      (spans) => covering(spans, piece)[0],
    );
    const styles = covering(own.styles, piece).map((style) => style.kind);
    if (styles.includes("mark") && !hidden) return null;
    const text = plain(this.slice(piece.start, piece.end));
    const classes = styles.map((style) => `vf-${style}`);
    const attributes = {};
    if (hidden) {
      attributes.title = `not seen by whoever reads the rendered draft: ${within(hidden)}`;
      attributes["data-why"] = `hidden: ${within(hidden)}`;
      classes.push("vf-hidden");
    } else if (unknown) {
      attributes.title = `cited, but not there: ${unknown.why}`;
      classes.push("vf-unknown");
    } else if (skipped && skipped.why !== "markup") {
      attributes.title = `not checked: ${skipped.why}`;
      attributes["data-why"] = skipped.why;
      classes.push("vf-skipped");
    }
    if (!classes.length) return document.createTextNode(text);
    return el(styles.includes("struck") ? "s" : "span", { class: classes.join(" "), ...attributes }, text);
  }

  /** Make the first node of each claim of a block its button, and set its number behind the last one. */
  number(node, block) {
    for (const claim of overlapping(this.data.claims, block)) {
      if (this.isOff(claim.label)) continue;
      const own = node.querySelectorAll(`.vf-claim[data-claim="${claim.number}"]`);
      const sign = el("sup", { class: `vf-number vf-is-${claim.label}`, "data-claim": claim.number });
      sign.append(icon(claim.label), `${claim.number}`);
      const joined = el("span", { class: "vf-joined" }, "\u2060", sign);
      if (claim.end <= block.end) own.length ? own[own.length - 1].after(joined) : node.append(joined);
      const said = [...own].map((one) => one.textContent).join(" ").replace(/\s+/g, " ");
      const first = own[0] ?? sign;
      if (claim.start < block.start) continue;
      first.setAttribute("role", "button");
      first.setAttribute("tabindex", "0");
      first.setAttribute("aria-expanded", "false");
      first.setAttribute("aria-label", `Claim ${claim.number}, ${claim.label}: ${said}`);
    }
  }
}
