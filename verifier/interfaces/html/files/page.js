// The page of a report: one draft, or several of which one is shown at a time.

import { alert, button, counted, el, plain } from "./dom.js";
import { themeSwitch, view } from "./view.js";

const WORDS = { approved: "approved", rejected: "rejected", nothing_to_check: "nothing to check" };
const { title, unread, views } = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("report");

if (views.length === 1 && !unread.length) view(main, views[0], { tools: true });
else several();

function several() {
  const roots = views.map((one) => {
    const root = el("section", { "aria-label": plain(one.draft.name) });
    view(root, one, { heading: 2 });
    return root;
  });
  const choices = views.map((one, n) => {
    const outcome = el("span", { class: `vf-outcome-of vf-${one.decision}` }, WORDS[one.decision]);
    return button({ class: "vf-choice" }, [el("span", {}, plain(one.draft.name)), outcome], () => choose(n));
  });
  const choose = (chosen) => {
    roots.forEach((root, n) => (root.hidden = n !== chosen));
    choices.forEach((choice, n) => choice.setAttribute("aria-current", `${n === chosen}`));
  };
  const lost = unread.map((one) => [el("strong", {}, plain(one.source)), " ", plain(one.why)]);
  const top = el(
    "header",
    { class: "vf vf-several" },
    el("div", { class: "vf-top" }, el("h1", {}, plain(title)), el("div", { class: "vf-tools" }, themeSwitch())),
    lost.length > 0 && alert(`${counted(lost.length, "text")} could not be read.`, lost),
    el("nav", { "aria-label": "Texts" }, el("ul", { class: "vf-choices" }, choices.map((one) => el("li", {}, one)))),
  );
  main.replaceChildren(top, ...roots);
  const first = views.findIndex((one) => one.decision !== "approved");
  choose(Math.max(first, 0));
}
