// The page's language. English texts are the keys; words/<language>.json holds the others.

import { keep } from "./dom.js";

export const LANGUAGES = ["en", "es"];
let catalogue = {};
export let lang = "en";

/** A text in the page's language; {0}, {1} … stand for what follows it. Called with literal texts only. */
export const t = (text, ...given) =>
  (catalogue[text] ?? text).replace(/\{(\d)\}/g, (whole, place) => given[place] ?? whole);

/** A sentence of a record, from its template and parts, which may be sentences; search/trace/recorder.py has them all. */
export const say = ([template, ...parts]) =>
  t(template, ...parts.map((part) => (Array.isArray(part) ? say(part) : part)));

/** The language chosen before, or the browser's first that there is. */
export function preferred() {
  const wanted = [keep.get("lang"), ...navigator.languages.map((name) => name.slice(0, 2))];
  return wanted.find((name) => LANGUAGES.includes(name)) ?? "en";
}

/** Change the language of all that is made from now on, and of the texts in the document. */
export async function speak(name) {
  lang = name; // at once, for whoever asks the server meanwhile
  catalogue = name === "en" ? {} : await (await fetch(`words/${name}.json`)).json();
  document.documentElement.lang = name;
  translate(document);
}

/** Texts of HTML: data-t is the text itself, data-t-title and data-t-label the attributes. */
export function translate(root) {
  for (const e of root.querySelectorAll("[data-t]")) e.textContent = t(e.dataset.t);
  for (const e of root.querySelectorAll("[data-t-title]")) e.title = t(e.dataset.tTitle);
  for (const e of root.querySelectorAll("[data-t-label]")) e.setAttribute("aria-label", t(e.dataset.tLabel));
}

/** A whole number with the language's separators; large ones short: 12.3 M. */
export function count(number) {
  if (number == null) return "–";
  if (number < 1e6) return Math.round(number).toLocaleString(lang);
  const [size, unit] = number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(number / size).toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} ${unit}`;
}

/** A value of a search: two decimals at most, a real minus sign, a plus before what is good. */
export function signed(value) {
  if (value == null) return "–";
  const size = Math.abs(value).toLocaleString(lang, { maximumFractionDigits: 2 });
  return value > 0 ? `+${size}` : value < 0 ? `−${size}` : size;
}

/** Seconds, with one decimal below a hundred. */
export const seconds = (number) =>
  number == null
    ? "–"
    : `${number.toLocaleString(lang, { maximumFractionDigits: number < 0.1 ? 3 : number < 100 ? 1 : 0 })} s`;
