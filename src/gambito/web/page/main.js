// The shell, which selects the page, the language and the theme.
// A page is an element. It receives `catalogue`, reads the address when it is connected, and again in
// `follow()` when the address changes. A new language creates the page again. A new theme sends the
// event "themechange" to the window.

import { h, keep, toast } from "./dom.js";
import * as link from "./link.js";
import { learn, match, usualGame } from "./match.js";
import { ask, connection, Lost } from "./server.js";
import { preferred, speak, t } from "./words.js";

const PAGES = {
  play: () => import("./play.js"),
  analyse: () => import("./analyse.js"),
  watch: () => import("./watch.js"),
  algorithms: () => import("./about.js"),
};
const TAGS = { play: "g-play", analyse: "g-analyse", watch: "g-watch", algorithms: "g-about" };

let shown = "";
let asked = 0; // how often a page was asked for
let isStale = false; // the page on the screen is to be made again

/** The games, algorithms, levels and limits, in the page's language. */
let catalogue = null;

async function show(isNew = false) {
  if (!catalogue) return; // the address has changed before the server answered
  const turn = ++asked;
  isStale ||= isNew;
  const read = link.read();
  await learn(read.text("game") || match.game);
  if (turn !== asked) return;
  const { page: named } = read;
  const page = Object.hasOwn(PAGES, named) ? named : "play";
  for (const tab of document.querySelectorAll("nav a")) {
    if (tab.dataset.page === page) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const main = document.getElementById("main");
  if (page === shown && !isStale) {
    main.firstElementChild?.follow?.();
    return;
  }
  [shown, isStale] = [page, false];
  document.title = `Gambito · ${document.querySelector(`nav a[data-page=${page}]`).textContent}`;
  try {
    await PAGES[page]();
    if (shown !== page) return;
    const element = document.createElement(TAGS[page]);
    element.catalogue = catalogue;
    main.replaceChildren(element);
  } catch (problem) {
    console.error(problem);
    main.replaceChildren(h("p", { class: "empty" }, t("This page could not be loaded.")));
  }
}

const AGAIN = 1000; // milliseconds until a server that is too busy for the catalogue is asked again

/** Ask for the catalogue, again if the connection breaks or the server has no time: no page goes without. */
const hello = () =>
  ask("hello").catch(async (problem) => {
    if (!(problem instanceof Lost)) {
      if (!catalogue)
        document.getElementById("main").replaceChildren(h("p", { class: "empty" }, t("Getting ready…")));
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
    return hello();
  });

let changes = 0; // of the language

async function changeLanguage(name) {
  const change = ++changes;
  const [, told] = await Promise.all([speak(name), hello()]);
  if (change !== changes) return; // another language was chosen meanwhile
  document.getElementById("lang").value = name;
  catalogue = told;
  match.game ||= usualGame(catalogue.games);
  await show(true);
}

function switchTheme() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  try {
    localStorage.setItem("gambito.theme", next);
  } catch {
    /* storage is forbidden: the choice holds for this visit only */
  }
  dispatchEvent(new Event("themechange"));
}

async function start() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  document.getElementById("theme").addEventListener("click", switchTheme);
  document.getElementById("lang").addEventListener("change", ({ target }) => {
    keep.set("lang", target.value);
    changeLanguage(target.value).catch((problem) => toast(problem.message, true));
  });
  const lost = document.getElementById("lost");
  connection.addEventListener("lost", () => {
    lost.hidden = false;
  });
  connection.addEventListener("open", () => {
    lost.hidden = true;
  });
  addEventListener("hashchange", () => show());
  const { page } = link.read();
  PAGES[Object.hasOwn(PAGES, page) ? page : "play"](); // while the server sends the catalogue
  await changeLanguage(preferred());
}

start().catch((problem) => toast(problem.message, true));
