// What was found goes in; a file to keep, or a text to paste, comes out. Nothing leaves the browser for it.

import { plain, slicer } from "./dom.js";
import { Refusal } from "./server.js";

const SHELL = "/page/report.txt";
const DATA = /(<script type="application\/json" id="data">)([^]*?)(<\/script>)/;
const STEERING = /[<&\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const DECISIONS = { approved: "Approved", rejected: "Rejected", nothing_to_check: "Nothing to check" };

/** The report as the server gave it. */
export function asJson(report) {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** One self-contained page that shows a view. */
export async function asHtml(view) {
  const answer = await fetch(SHELL).catch(() => null);
  if (!answer?.ok) throw new Refusal(0, "gone", "the server could not be reached for the empty report");
  const shell = await answer.text();
  const title = view.draft.name || "Checked text";
  return shell
    .replace(DATA, (_, before, empty, after) => before + spelt({ ...JSON.parse(empty), title, views: [view] }) + after)
    .replace(/<title>[^<]*/, () => `<title>${plain(title).replace(/&/g, "&amp;").replace(/</g, "&lt;")}`);
}

/** JSON that no HTML parser takes for the end of its element, and in which nothing steers a terminal. */
function spelt(data) {
  const code = (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(data).replace(STEERING, code);
}

/** What a person would write of it in a message. */
export function asText({ draft, decision, claims, checked_against: against, unread }) {
  const slice = slicer(draft.text);
  const lines = claims.map((claim) => {
    const text = plain(slice(claim.start, claim.end)).replace(/\s+/g, " ").trim();
    const sure = claim.sure ? `, ${claim.sure} sure` : "";
    return `${claim.number}. ${claim.label}${sure}: “${text}” – ${plain(claim.reason)}`;
  });
  const head = [DECISIONS[decision], against && `checked against ${plain(against)}`].filter(Boolean).join(", ");
  const left = unread.map((one) => `Could not be read: ${plain(one.source)} (${plain(one.why)})`);
  return [`${head}.`, "", ...lines, ...(left.length ? ["", ...left] : []), ""].join("\n");
}

/** Hand a text over as a file. */
export function saved(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Put a text on the clipboard; whether that could be done. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return selected(text); // not reached by TLS nor by the name of this machine
  }
}

function selected(text) {
  const held = document.createElement("textarea");
  held.value = text;
  document.body.append(held);
  held.select();
  const done = document.execCommand("copy");
  held.remove();
  return done;
}
