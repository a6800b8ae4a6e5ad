// The knowledge base: what a claim would be checked against is searched, documents are listed and added.

import { button, counted, el, plain } from "./dom.js";
import { Sending, size, takeFiles } from "./files.js";
import { Refusal, ask } from "./server.js";

const at = (id) => document.getElementById(id);
const SHOWN = 50; // documents of the list at a time
const FOUND = 8;
const LONG = 400; // characters of a passage that is cut until more of it is wanted

/** The part that shows the knowledge base. `refused` as for the other part. */
export function knowledgePart(refused) {
  const browsing = new Browsing(refused);
  return { allow: (allowed) => browsing.allow(allowed), show: () => browsing.list() };
}

class Browsing {
  constructor(refused) {
    Object.assign(this, { refused, limits: {}, queue: Promise.resolve() });
    at("browse").addEventListener("change", () => this.list());
    at("more").addEventListener("click", () => this.extend());
    at("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.search();
    });
    takeFiles({ drop: at("upload-drop"), open: at("upload-open"), input: at("upload-file") }, (files) => this.add(files));
  }

  allow({ namespaces, namespace, rights, reads, limits }) {
    this.limits = limits;
    at("browse").replaceChildren(...namespaces.map((name) => new Option(name, name, false, name === namespace)));
    at("adding").hidden = !rights.includes("write");
    at("upload-kinds").textContent = `${reads.join(" ")}, up to ${size(limits.max_upload)} each`;
    at("upload-file").accept = reads.join(",");
  }

  get namespace() {
    return at("browse").value;
  }

  // Documents

  async list() {
    at("documents").replaceChildren();
    at("found").replaceChildren();
    at("search-problem").textContent = "";
    await this.extend();
  }

  async extend() {
    const { namespace } = this;
    const offset = at("documents").children.length;
    const where = `limit=${SHOWN}&offset=${offset}&namespace=${encodeURIComponent(namespace)}`;
    const listed = await this.trying(at("documents-note"), () => ask(`/v1/documents?${where}`));
    if (!listed || namespace !== this.namespace || offset !== at("documents").children.length) return;
    at("documents").append(...listed.documents.map(entry));
    at("documents-note").textContent = listed.total ? counted(listed.total, "document") : "There are no documents yet.";
    at("more").hidden = at("documents").children.length >= listed.total;
  }

  // Search

  async search() {
    const query = at("query").value;
    at("search-problem").textContent = "";
    if (!query.trim()) return at("query").focus();
    const { namespace } = this;
    const found = await this.trying(at("search-problem"), () => ask("/v1/search", { query, namespace, top_k: FOUND }));
    if (!found || namespace !== this.namespace) return undefined;
    const results = found.results.map(passage);
    const none = el("p", { class: "note" }, "Nothing was found.");
    at("found").replaceChildren(results.length ? el("ol", { class: "results" }, results) : none);
    return undefined;
  }

  // Adding

  /** One file after the other: they would be stored one after the other anyway. */
  add(files) {
    const { namespace } = this;
    for (const file of files) {
      const sending = new Sending(at("uploads"), file);
      this.queue = this.queue.then(() => this.store(sending, namespace));
    }
    this.queue = this.queue.then(() => namespace === this.namespace && this.list());
  }

  async store(sending, namespace) {
    const told = ({ total, documents }) =>
      total > 1 ? `stored, ${total} documents` : `stored, ${counted(documents[0]?.passages ?? 0, "passage")}`;
    try {
      await sending.to("/v1/documents/upload", { fields: { namespace }, most: this.limits.max_upload, told });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused(error);
    }
  }

  /** What was asked for, or nothing and why. */
  async trying(where, asked) {
    try {
      return await asked();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!this.refused(error)) where.textContent = error.told;
      return undefined;
    }
  }
}

function entry({ sources, title, passages, characters }) {
  const name = plain(sources[0] ?? title);
  const named = title && title !== sources[0] ? el("span", { class: "note" }, plain(title)) : null;
  const held = `${counted(passages, "passage")}, ${characters.toLocaleString("en")} characters`;
  return el("li", {}, el("span", { class: "file-name" }, name), named, el("span", { class: "note" }, held));
}

function passage({ source, page, headings, text }) {
  const place = page == null ? "" : ` page ${page}`;
  const path = headings.length ? el("span", { class: "note" }, plain(headings.join(" › "))) : null;
  const head = el("p", { class: "result-head" }, el("cite", {}, plain(source)), place, path && " ", path);
  const quoted = el("blockquote", { dir: "auto" }, plain(text.trim()));
  const node = el("li", {}, head, quoted);
  if (text.length > LONG) {
    quoted.classList.add("cut");
    const whole = button({ class: "link" }, "Show all of it", () => {
      quoted.classList.remove("cut");
      whole.remove();
    });
    node.append(whole);
  }
  return node;
}
