// The language of the page. English texts are the keys; words/<language>.json holds the translations.

import { keep } from "./dom.js";

export const LANGUAGES = ["en", "es"];
let catalogue = {};
let names = {}; // of moves and cells that are words, as the games write them in English
export let lang = "en";

/** Translate a text; the values replace {0}, {1} … Call it with literal texts only.
    {0:one|many} chooses a form by the value, {0:the} puts the article before a name. */
export const t = (text, ...given) =>
  (catalogue[text] ?? text)
    .replace(/\{(\d):([^{}|]*)\|([^{}]*)\}/g, (_, place, one, many) => (isMany(given[place]) ? many : one))
    .replace(/\{(\d)(:the)?\}/g, (whole, place, article) =>
      article ? withArticle(String(given[place])) : (given[place] ?? whole),
    );

/** Is a value a number other than 1, or the name of several, as "Blancas"? */
const isMany = (value) =>
  /^[\d.,]+$/.test(value) ? String(value) !== "1" : /^(l[ao]s )?\p{L}+s$/u.test(value);

const withArticle = (name) =>
  /^\p{Lu}\p{L}+s$/u.test(name) ? `${name.endsWith("os") ? "los" : "las"} ${name.toLowerCase()}` : name;

/** Translate the name of a move or a cell, if it consists of words: "pass", "die 1 of first", "build-oriental". */
export function nameOf(name) {
  if (lang === "en" || !name) return name;
  const numbers = [];
  const whole = names[name.replace(/\d+/g, (number) => `{${numbers.push(number) - 1}}`)];
  return whole
    ? whole.replace(/\{(\d)\}/g, (_, place) => numbers[place])
    : name.replace(/\p{L}{3,}( of)?/gu, (word) => names[word] ?? word);
}

/** Translate a sentence of a record: its template and its parts, which may be sentences. */
export const say = ([template, ...parts]) =>
  t(template, ...parts.map((part) => (Array.isArray(part) ? say(part) : part)));

/** Return the language chosen before, or the browser's first one that is available. */
export function preferred() {
  const wanted = [keep.get("lang"), ...navigator.languages.map((name) => name.slice(0, 2))];
  return wanted.find((name) => LANGUAGES.includes(name)) ?? "en";
}

/** Change the language of the texts in the document and of all elements created later. */
export async function speak(name) {
  lang = name; // set at once, for questions to the server in the meantime
  const read = async (kind) => (name === "en" ? {} : await (await fetch(`${kind}/${name}.json`)).json());
  [catalogue, names] = await Promise.all([read("words"), read("names")]);
  document.documentElement.lang = name;
  translate(document);
}

/** Translate the HTML: data-t is a text, data-t-title and data-t-label are attributes. */
export function translate(root) {
  for (const e of root.querySelectorAll("[data-t]")) e.textContent = t(e.dataset.t);
  for (const e of root.querySelectorAll("[data-t-title]")) e.title = t(e.dataset.tTitle);
  for (const e of root.querySelectorAll("[data-t-label]")) e.setAttribute("aria-label", t(e.dataset.tLabel));
}

/** Write a whole number; large ones are short: 12.3 M. */
export function count(number) {
  if (number == null) return "–";
  if (number < 1e6) return Math.round(number).toLocaleString(lang);
  const [size, unit] = number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(number / size).toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} ${unit}`;
}

/** Write a value with its sign and at most two decimals. */
export function signed(value) {
  if (value == null) return "–";
  const size = Math.abs(value).toLocaleString(lang, { maximumFractionDigits: 2 });
  return value > 0 ? `+${size}` : value < 0 ? `−${size}` : size;
}

export const seconds = (number) =>
  number == null
    ? "–"
    : `${number.toLocaleString(lang, { maximumFractionDigits: number < 0.1 ? 3 : number < 100 ? 1 : 0 })} s`;
