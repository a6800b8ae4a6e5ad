// Files that are chosen or dropped go in; each is sent to a route, with its progress, and what came of it comes out.

import { button, el, plain } from "./dom.js";
import { Refusal, deliver } from "./server.js";

/** Take files that are dropped on an element, or chosen by a button. */
export function takeFiles({ drop, open, input }, taken) {
  open.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) taken(files);
  });
  for (const type of ["dragenter", "dragover"]) {
    drop.addEventListener(type, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  drop.addEventListener("dragleave", (event) => {
    if (!drop.contains(event.relatedTarget)) drop.classList.remove("over");
  });
  drop.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    event.preventDefault();
    taken(files);
  });
}

/** A file that misses its mark must not take the place of the page. */
export function keepPage() {
  for (const type of ["dragover", "drop"]) {
    addEventListener(type, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  }
}

/** A file on its way, as an item of a list. */
export class Sending {
  /** @param removed called where the item may be taken away. */
  constructor(list, file, removed) {
    Object.assign(this, { file, name: file.name, documents: [], problem: "" });
    this.bar = el("progress", { max: 1, value: 0, "aria-label": `${plain(file.name)} sent` });
    this.said = el("span", { class: "note" }, size(file.size));
    this.node = el("li", {}, el("span", { class: "file-name" }, plain(file.name)), this.said, this.bar);
    if (removed) {
      const away = () => {
        this.node.remove();
        removed(this);
      };
      this.node.append(button({ class: "away", "aria-label": `Remove ${plain(file.name)}`, title: "Remove" }, "×", away));
    }
    list.append(this.node);
  }

  /** Send it, and say in its item what came of it: `told` makes a sentence of the answer. Throws what is no refusal. */
  async to(path, { fields = {}, most, told }) {
    try {
      if (this.file.size > most) {
        throw new Refusal(413, "too_large", `the file has ${size(this.file.size)}, and at most ${size(most)} are taken`);
      }
      const answer = await deliver(path, this.file, fields, (share) => this.progress(share));
      this.documents = answer.documents;
      this.end(told(answer));
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.problem = error.told;
      this.node.classList.add("failed");
      this.end(error.told);
      throw error;
    }
  }

  progress(share) {
    this.bar.value = share;
    if (share < 1) return;
    this.bar.removeAttribute("value"); // it is sent, and being read
    this.said.textContent = "being read …";
  }

  end(sentence) {
    this.bar.remove();
    this.said.textContent = plain(sentence);
  }
}

/** `1.4 MB`. */
export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let at = 0;
  while (bytes >= 1000 && at < units.length - 1) [bytes, at] = [bytes / 1000, at + 1];
  return `${at && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
}
