// Functions that create elements in one expression. Text is always inserted as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Create an HTML element. Properties that begin with "on" are listeners; true is an empty attribute; false and null are no attribute. */
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

/** Replace the children of an element. */
export const put = (element, ...children) => element.replaceChildren(...real(children));

const real = (children) => children.flat(Infinity).filter((child) => child != null && child !== false);

/** Convert a sentence to nodes; words between backticks become code. */
export const prose = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));

/** Return an icon of the sprite below. */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" }, s("path", { d: GLYPHS[name] }));

const GLYPHS = {
  undo: "M9 6 4 11l5 5M4 11h9a6 6 0 0 1 6 6v1",
  redo: "m15 6 5 5-5 5m5-5h-9a6 6 0 0 0-6 6v1",
  hint: "M9 18h6m-5 3h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1.2.9 2.1h5.2c0-.9.3-1.6.9-2.1A6 6 0 0 0 12 3z",
  flip: "M7 4v15m0 0-3-3m3 3 3-3m7 4V5m0 0-3 3m3-3 3 3",
  stop: "M7 7h10v10H7z",
  play: "M8 5v14l11-7z",
  pause: "M8 5v14m8-14v14",
  plus: "M12 5v14M5 12h14",
  first: "M6 5v14M18 6l-8 6 8 6",
  back: "m15 5-7 7 7 7",
  forward: "m9 5 7 7-7 7",
  last: "M18 5v14M6 6l8 6-8 6",
  file: "M7 3h7l4 4v14H7zM14 3v5h4",
  close: "M6 6l12 12M18 6 6 18",
  chart: "M4 19V5m0 14h16M7 15l4-5 3 3 5-7",
};

/** Announce a text to screen readers without moving the focus. */
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
