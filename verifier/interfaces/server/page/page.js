// The page: what the one who asks may do is asked first, then its parts are shown.

import { checkPart } from "./check.js";
import { knowledgePart } from "./knowledge.js";
import { Refusal, ask, key } from "./server.js";
import { themeSwitch } from "./view.js";

const at = (id) => document.getElementById(id);
const TITLES = { check: "Check an answer", knowledge: "Knowledge base" };
const parts = { check: checkPart(refused), knowledge: knowledgePart(refused) };
let entered = false;

/** Shows what the key allows; asks for one where it is needed. */
async function enter() {
  let allowed;
  try {
    allowed = await ask("/v1/access");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!refused(error)) tell(error.told);
    return;
  }
  at("key").hidden = true;
  at("message").hidden = true;
  at("forget").hidden = !allowed.keys;
  if (!allowed.rights.includes("check")) {
    const rights = allowed.rights.join(", ") || "none";
    tell(`The key “${allowed.name}” may not check. Its rights: ${rights}.`);
    return;
  }
  for (const part of Object.values(parts)) part.allow(allowed);
  entered = true;
  at("parts").hidden = false;
  turn();
}

function turn() {
  if (!entered) return;
  const name = location.hash === "#knowledge" ? "knowledge" : "check";
  for (const part of Object.keys(parts)) at(part).hidden = part !== name;
  for (const link of at("parts").children) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[name]} – rag-claim-verifier`;
  parts[name].show();
}

/** Asks for a key where that is why something was refused; whether it was. */
function refused(error) {
  if (error.status !== 401) return false;
  leave(key.get() ? error.told : "");
  return true;
}

function leave(why = "") {
  key.forget();
  entered = false;
  for (const id of ["parts", "check", "knowledge", "message", "forget"]) at(id).hidden = true;
  at("key").hidden = false;
  at("key-problem").textContent = why;
  at("secret").focus();
}

function tell(sentence) {
  at("message").hidden = false;
  at("message").textContent = sentence;
}

at("tools").prepend(themeSwitch());
at("forget").addEventListener("click", () => {
  leave();
  location.reload(); // what was shown belonged to the key
});
at("key").addEventListener("submit", (event) => {
  event.preventDefault();
  key.set(at("secret").value.trim());
  at("secret").value = "";
  enter();
});
addEventListener("hashchange", turn);
enter();
