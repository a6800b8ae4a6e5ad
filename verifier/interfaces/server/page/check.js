// An answer and what to check it against go in by hand; the check that they make is handed on.

import { counted } from "./dom.js";
import { Sending, keepPage, size, takeFiles } from "./files.js";
import { Outcome } from "./outcome.js";
import { Refusal, ask } from "./server.js";

const at = (id) => document.getElementById(id);

/** The part in which an answer is checked. `refused` is told of every refusal, and says whether it dealt with it. */
export function checkPart(refused) {
  const composing = new Composing(refused);
  return { allow: (allowed) => composing.allow(allowed), show: () => composing.show() };
}

class Composing {
  constructor(refused) {
    Object.assign(this, { refused, sources: [], draft: "", limits: {} });
    this.outcome = new Outcome({ back: () => this.back(), again: () => this.check(), refused });
    const answer = at("answer");
    answer.addEventListener("input", () => this.written());
    answer.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("compose").requestSubmit();
    });
    at("compose").addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    for (const id of ["against-kb", "against-files"]) at(id).addEventListener("change", () => this.chosen());
    at("namespace").addEventListener("change", () => this.counted());
    takeFiles({ drop: at("answer-drop"), open: at("answer-open"), input: at("answer-file") }, ([file]) => this.open(file));
    takeFiles({ drop: at("source-drop"), open: at("source-open"), input: at("source-file") }, (files) => this.take(files));
    keepPage();
  }

  allow({ namespaces, namespace, reads, limits }) {
    this.limits = limits;
    const options = namespaces.map((name) => new Option(name, name, false, name === namespace));
    at("namespace").replaceChildren(...options);
    at("source-kinds").textContent = `${reads.join(" ")}, up to ${size(limits.max_upload)} each`;
    for (const id of ["answer-file", "source-file"]) at(id).accept = reads.join(",");
    this.written();
  }

  show() {
    return this.counted();
  }

  /** How much the namespace holds; where that is nothing, files are proposed. */
  async counted() {
    const namespace = at("namespace").value;
    try {
      const { total } = await ask(`/v1/documents?limit=1&namespace=${encodeURIComponent(namespace)}`);
      at("kb-note").textContent = total ? `${counted(total, "document")}` : "It holds no documents yet.";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!this.refused(error)) at("kb-note").textContent = error.told;
    }
  }

  chosen() {
    const files = at("against-files").checked;
    at("files-choice").hidden = !files;
    at("kb-choice").hidden = files;
  }

  written() {
    const length = Array.from(at("answer").value).length;
    const most = this.limits.max_text;
    const over = most && length > most ? `, and at most ${most.toLocaleString("en")} are taken` : "";
    at("answer-note").textContent = length ? `${length.toLocaleString("en")} characters${over}` : "";
    if (!length) this.draft = "";
  }

  /** An answer from a file. */
  async open(file) {
    at("check-problem").textContent = "";
    at("answer-note").textContent = "Being read …";
    const reading = new Sending(document.createElement("ul"), file);
    try {
      const { documents } = await reading.to("/v1/documents/read", { most: this.limits.max_upload, told: () => "" });
      at("answer").value = documents.map((one) => one.text).join("\n\n");
      this.draft = file.name;
      this.written();
    } catch (error) {
      this.told(error);
      this.written();
    }
  }

  /** Files to check against. */
  take(files) {
    at("against-files").checked = true;
    this.chosen();
    at("check-problem").textContent = "";
    for (const file of files) {
      const one = new Sending(at("sources"), file, (gone) => (this.sources = this.sources.filter((kept) => kept !== gone)));
      const told = ({ documents }) => (documents.length > 1 ? `${documents.length} rows` : size(file.size));
      one.read = one.to("/v1/documents/read", { most: this.limits.max_upload, told }).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
        this.refused(error);
      });
      this.sources.push(one);
    }
  }

  async check() {
    at("check-problem").textContent = "";
    const files = at("against-files").checked;
    if (!at("answer").value.trim()) return this.missing("There is no answer to check yet.", at("answer"));
    if (files && !this.sources.length) return this.missing("There are no files to check against yet.", at("source-open"));
    if (files) await this.allRead();
    const source = this.sources.flatMap((one) => one.documents);
    if (files && !source.length) return this.missing("None of the files could be read.", at("source-open"));
    const body = { response: at("answer").value, view: true, options: this.options };
    if (this.draft) body.name = this.draft.slice(0, 200);
    if (at("prompt").value.trim()) body.prompt = at("prompt").value;
    if (files) body.source = source;
    else body.namespace = at("namespace").value;
    const unread = files ? this.sources.filter((one) => one.problem) : [];
    at("compose").hidden = true;
    return this.outcome.watch(body, unread.map((one) => ({ source: one.name, why: one.problem })));
  }

  get options() {
    return { strict: at("strict").checked || null, suggest_fixes: at("fixes").checked || null };
  }

  async allRead() {
    at("go").disabled = true;
    await Promise.all(this.sources.map((one) => one.read));
    at("go").disabled = false;
  }

  missing(sentence, where) {
    at("check-problem").textContent = sentence;
    where.focus();
  }

  told(error) {
    if (!(error instanceof Refusal)) throw error;
    if (!this.refused(error)) at("check-problem").textContent = error.told;
  }

  back() {
    at("compose").hidden = false;
    at("answer").focus();
  }
}
