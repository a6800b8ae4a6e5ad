// A check goes in; its claims are shown as they are judged, and what was found can be taken along.

import { counted } from "./dom.js";
import { asHtml, asJson, asText, copied, saved } from "./saving.js";
import { Refusal, events } from "./server.js";
import { view } from "./view.js";

const TOGETHER = 150; // milliseconds, at least, in which the claims that come are drawn at once
const at = (id) => document.getElementById(id);
const DECISIONS = { approved: "Approved", rejected: "Rejected", nothing_to_check: "Nothing to check" };

/** What is shown of one check at a time. */
export class Outcome {
  /** @param act `back` to the text, `again` with the same, `refused` as for the other parts. */
  constructor(act) {
    Object.assign(this, { act, shown: null, data: null, report: null });
    at("back").addEventListener("click", () => this.leave());
    at("stop").addEventListener("click", () => this.stop());
    at("again").addEventListener("click", () => act.again());
    at("save-html").addEventListener("click", () => this.saveHtml());
    at("save-json").addEventListener("click", () => saved(asJson(this.report), this.named("json"), "application/json"));
    at("copy").addEventListener("click", () => this.copy());
  }

  /** Ask for the check and show it as it goes on. `unread` are files that could not be read. */
  async watch(body, unread) {
    this.stop();
    this.begin();
    const { signal } = (this.asking = new AbortController());
    try {
      for await (const event of events("/v1/verify/stream", body, { signal, ends: "report" })) {
        this.told(event, unread);
      }
      this.done();
    } catch (error) {
      this.broken(error);
    }
  }

  begin() {
    this.shown?.remove();
    Object.assign(this, { shown: null, data: null, report: null, come: [], took: 0, judged: 0, claims: 0 });
    at("outcome").hidden = false;
    at("outcome").classList.add("unfinished");
    at("state").hidden = false;
    at("outcome-problem").textContent = "";
    this.say("Reading the answer …");
    at("progress").removeAttribute("value");
    this.offer(["progress", "stop"]);
    at("back").focus();
  }

  told(event, unread) {
    if (event.event === "claims") {
      this.claims = event.claims.length;
      this.data = { ...event.view, unread, claims: [] };
      this.shown = view(at("view"), this.data, { heading: 2 });
    } else if (event.event === "claim") {
      this.judged += 1;
      this.come.push(event.view);
      this.due ??= setTimeout(() => this.draw(), Math.max(TOGETHER, 4 * this.took));
    } else {
      this.report = event.report;
      this.finish({ ...event.view, unread });
    }
  }

  /** Show the claims that came. */
  draw() {
    clearTimeout(this.due);
    const began = performance.now();
    if (this.come.length) this.shown.add(...this.come);
    this.data?.claims.push(...this.come.splice(0));
    at("progress").value = this.claims ? this.judged / this.claims : 1;
    at("state").textContent = `${this.judged} of ${counted(this.claims, "claim")} judged`;
    Object.assign(this, { due: undefined, took: performance.now() - began });
  }

  /** The whole, whose claims may be numbered otherwise: what is open then is closed. */
  finish(whole) {
    this.draw();
    const was = new Map(this.data.claims.map((claim) => [claim.start, claim.number]));
    if (whole.claims.some((claim) => (was.get(claim.start) ?? claim.number) !== claim.number)) this.shown.close();
    this.data = whole;
    this.shown.update(whole);
  }

  done() {
    at("outcome").classList.remove("unfinished");
    const { decision, claims } = this.data;
    this.say(`${DECISIONS[decision]}. ${counted(claims.length, "claim")} judged.`);
    at("state").hidden = true; // it is seen in the view
    this.offer(["exports"]);
  }

  broken(error) {
    this.draw();
    this.offer(["again"]);
    if (error.name === "AbortError") return this.say("Stopped. What is shown was judged; the rest was not.");
    if (!(error instanceof Refusal)) throw error;
    this.say(this.judged ? `${this.judged} of ${counted(this.claims, "claim")} judged, then the check ended.` : "Not checked.");
    if (!this.act.refused(error)) at("outcome-problem").textContent = error.told;
    return undefined;
  }

  stop() {
    this.asking?.abort();
  }

  leave() {
    this.stop();
    at("outcome").hidden = true;
    this.act.back();
  }

  /** Show it, and say it to who does not see the page: what is shown while claims come would be said too often. */
  say(sentence) {
    at("state").textContent = sentence;
    at("said").textContent = sentence;
  }

  offer(ids) {
    for (const id of ["progress", "stop", "again", "exports"]) at(id).hidden = !ids.includes(id);
  }

  // What can be taken along

  named(suffix) {
    const stem = (this.data.draft.name || "answer").replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}._ -]/gu, "_");
    return `${stem}-checked.${suffix}`;
  }

  async saveHtml() {
    try {
      saved(await asHtml(this.data), this.named("html"), "text/html");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      at("outcome-problem").textContent = error.told;
    }
  }

  async copy() {
    const done = await copied(asText(this.data));
    at("copy").textContent = done ? "Copied" : "Not allowed by the browser";
    setTimeout(() => (at("copy").textContent = "Copy"), 2000);
  }
}
