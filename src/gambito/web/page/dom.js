// Functions that create elements in one expression. Text is always inserted as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Create an HTML element. "on…" are listeners; true is an empty attribute, false and null are none. */
export const h = (tag, given = {}, ...children) => fill(document.createElement(tag), given, children);

/** Create an SVG element in the same way. */
export const s = (tag, given = {}, ...children) => fill(document.createElementNS(SVG, tag), given, children);

function fill(element, given, children) {
  const { value, ...attributes } = given;
  for (const [name, held] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), held);
    else if (held === true) element.setAttribute(name, "");
    else if (held !== false && held != null) element.setAttribute(name, held);
  }
  element.append(...real(children));
  if (value != null) element.value = value; // a select needs its options first
  return element;
}

export const put = (element, ...children) => element.replaceChildren(...real(children));

/** Put children into a list that changes by itself, but not while one of them is pressed: the click would be lost. */
export function refill(element, ...children) {
  const isWaiting = waiting.has(element);
  waiting.set(element, children);
  if (!element.matches(":active")) return settle(element);
  if (isWaiting) return;
  const release = () => setTimeout(() => settle(element)); // after the click
  addEventListener("pointerup", release, { once: true });
  addEventListener("pointercancel", release, { once: true });
}

const waiting = new Map(); // elements that are pressed, and what they will hold

function settle(element) {
  const children = waiting.get(element);
  waiting.delete(element);
  if (children) put(element, ...children);
}

const real = (children) => children.flat(Infinity).filter((child) => child != null && child !== false);

/** Create a button that shows icons, named in words, and signs. */
export const iconButton = (glyphs, label, onclick, given = {}) =>
  h(
    "button",
    { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...given },
    glyphs.split(" ").map((glyph) => (/^\w+$/.test(glyph) ? icon(glyph) : glyph)),
  );

/** Create a table; what is no cell becomes one. */
export function table(css, heads, rows) {
  const cell = (held) => (held instanceof HTMLTableCellElement ? held : h("td", {}, held));
  const row = (cells) => h("tr", {}, cells.filter((held) => held != null).map(cell));
  return h(
    "table",
    { class: css },
    h("thead", {}, row(heads.map((name) => (name ? h("th", { scope: "col" }, name) : name)))),
    h("tbody", {}, rows.map(row)),
  );
}

export const rowHead = (name, css) => h("th", { scope: "row", class: css }, name);

/** Convert a sentence to nodes; words between backticks become code. */
export const prose = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));

export const icon = (name) =>
  s("svg", { class: "glyph", "aria-hidden": "true" }, s("use", { href: `icons.svg#${name}` }));

export const say = (words) => {
  document.getElementById("said").textContent = words;
};

let fading = 0;

/** Show a sentence for a short time: what went wrong, or what was done. */
export function toast(words, isError = false) {
  const box = document.getElementById("toast");
  box.textContent = words;
  box.classList.toggle("bad", isError);
  box.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(
    () => {
      box.hidden = true;
    },
    isError ? 7000 : 2500,
  );
}

/** Values that are kept between visits. If storage is forbidden, nothing is kept. */
export const keep = {
  get(name) {
    try {
      return JSON.parse(localStorage.getItem(`gambito.${name}`));
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`gambito.${name}`, JSON.stringify(value));
    } catch {
      /* forbidden or full */
    }
  },
};
