// The variations of the game on the screen: the tree of its lines, comments and signs; loaded when needed.

import { h, iconButton, keep, put } from "./dom.js";
import { match } from "./match.js";
import { nameOf, t } from "./words.js";

const SIGNS = ["!", "?", "!!", "??", "!?", "?!"]; // of the numbers 1 to 6 in a record
const LONGEST = 1000; // characters of a comment

if (!document.querySelector('link[href="study.css"]'))
  document.head.append(h("link", { rel: "stylesheet", href: "study.css" }));

const begins = (line, path) => path.every((move, ply) => line[ply] === move);

// ---- the tree of the lines -------------------------------------------------------------------------
/** Return the tree of a list of lines: each node has its move, its path, and the nodes after it. */
export function grow(lines) {
  const root = { move: "", path: [], after: new Map() };
  for (const line of lines) {
    let node = root;
    for (const move of line) {
      if (!node.after.has(move)) node.after.set(move, { move, path: [...node.path, move], after: new Map() });
      node = node.after.get(move);
    }
  }
  return root;
}

/** Return the rows of a record: [parent, move, comment, signs], as the server reads them. */
export function rowsOf(lines, notes) {
  const rows = [];
  const waiting = [[grow(lines), -1]];
  while (waiting.length) {
    const [{ move, path, after }, parent] = waiting.shift();
    const { text = "", signs = [] } = notes[path.join("\n")] ?? {};
    const number = rows.push([parent, move, text, signs]) - 1;
    waiting.push(...[...after.values()].map((node) => [node, number]));
  }
  return rows;
}

const LONGEST_LINK = 6000; // characters of a tree in the address; a larger one stays in the browser that grew it

/** Return the tree of the game as a text for an address: rows without what is empty; "" if it is too long. */
export function linkText() {
  const isTree = match.lines.length > 1 || Object.keys(match.notes).length > 0;
  if (!isTree) return "";
  const rows = rowsOf(match.lines, match.notes).map(([parent, move, text, signs]) =>
    signs.length ? [parent, move, text, signs] : text ? [parent, move, text] : [parent, move],
  );
  const said = JSON.stringify(rows);
  return encodeURIComponent(said).length > LONGEST_LINK ? "" : said;
}

/** Take the tree from the text of an address, if it is one and the game on the screen is in it. */
export function plant(said) {
  let rows;
  try {
    rows = JSON.parse(said).map(([parent, move, text = "", signs = []]) => [parent, move, text, signs]);
  } catch {
    return;
  }
  const isRow = ([parent, move, text, signs], number) =>
    Number.isInteger(parent) &&
    parent >= (number ? 0 : -1) &&
    parent < number &&
    typeof move === "string" &&
    typeof text === "string" &&
    Array.isArray(signs);
  if (!rows.length || !rows.every(isRow)) return;
  const { lines, notes } = linesOf(rows);
  if (!lines.some((line) => begins(line, match.moves))) return;
  match.notes = notes;
  match.rearrange(
    lines,
    lines.find((line) => begins(line, match.moves)),
    match.cursor,
  );
}

/** Return the lines and the notes of rows. The first line is the game. */
export function linesOf(rows) {
  const [paths, after, notes] = [[], rows.map(() => []), {}];
  rows.forEach(([parent, move, text, signs], number) => {
    paths.push(parent < 0 ? [] : [...paths[parent], move]);
    if (parent >= 0) after[parent].push(number);
    if (text || signs.length) notes[paths[number].join("\n")] = { text, signs };
  });
  const lines = [];
  const waiting = [0];
  while (waiting.length) {
    const number = waiting.pop();
    if (!after[number].length) lines.push(paths[number]);
    waiting.push(...after[number].toReversed());
  }
  return { lines, notes };
}

/** Return where a path last leaves the line that is first there: the number of moves before it; -1: never. */
function forkOf(path) {
  let [node, fork] = [grow(match.lines), -1];
  path.forEach((move, ply) => {
    if (node.after.keys().next().value !== move) fork = ply;
    node = node.after.get(move);
  });
  return fork;
}

/** Make the variation that the current position belongs to the first line where it branches off. */
function promote() {
  const path = match.moves.slice(0, match.cursor);
  const fork = forkOf(path);
  if (fork < 0) return;
  const [stem, branch] = [path.slice(0, fork), path.slice(0, fork + 1)];
  const place = match.lines.findIndex((line) => begins(line, stem));
  const raised = match.lines.filter((line) => begins(line, branch));
  const lines = match.lines.filter((line) => !begins(line, branch));
  lines.splice(place, 0, ...raised);
  match.rearrange(lines, match.moves, match.cursor);
}

/** Delete the current move and everything after it. */
function remove() {
  const path = match.moves.slice(0, match.cursor);
  const stem = path.slice(0, -1);
  const place = match.lines.findIndex((line) => begins(line, path));
  const lines = match.lines.filter((line) => !begins(line, path));
  if (!lines.some((line) => begins(line, stem))) lines.splice(place, 0, stem);
  for (const key of Object.keys(match.notes))
    if (`${key}\n`.startsWith(`${path.join("\n")}\n`)) delete match.notes[key];
  match.rearrange(
    lines,
    lines.find((line) => begins(line, stem)),
    stem.length,
  );
}

// ---- the panel -------------------------------------------------------------------------------------
export class VariationPanel {
  constructor() {
    this.text = h("div", { class: "variation-text", role: "group", "aria-label": t("Variations") });
    this.signs = SIGNS.map((sign, place) =>
      h(
        "button",
        {
          type: "button",
          class: "quiet sign",
          "aria-label": t("Sign {0}", sign),
          onclick: () => this.#toggle(place + 1),
        },
        sign,
      ),
    );
    this.comment = h("textarea", {
      rows: "2",
      maxlength: LONGEST,
      placeholder: t("Comment on this move"),
      "aria-label": t("Comment"),
      onchange: () => this.#note({ text: this.comment.value.trim() }),
    });
    this.promoter = iconButton("↑", t("Promote the variation"), promote);
    this.remover = iconButton("close", t("Delete from here"), remove);
    this.editor = h(
      "details",
      {
        class: "variation-editor",
        open: keep.get("annotating") === true,
        ontoggle: () => keep.set("annotating", this.editor.open),
      },
      h("summary", {}, t("Comments and signs")),
      h("div", { class: "bar" }, this.signs, h("span", { class: "gap" }), this.promoter, this.remover),
      this.comment,
    );
    // The editor is above: a comment that is written moves nothing that is about to be clicked.
    this.element = h("div", { class: "stack tight variation-panel" }, this.editor, this.text);
  }

  #note(news) {
    match.annotate({ ...match.note(), ...news });
  }

  #toggle(number) {
    const { signs = [] } = match.note();
    this.#note({ signs: signs.includes(number) ? [] : [number] });
  }

  /** Show the tree, if there is more than one line, and the notes of the current move. */
  show(isPaired) {
    this.isPaired = isPaired;
    const { signs = [], text = "" } = match.note();
    const isTree = match.lines.length > 1 || Object.keys(match.notes).length > 0;
    this.text.hidden = !isTree;
    if (isTree) this.#draw();
    this.signs.forEach((button, place) => {
      button.setAttribute("aria-pressed", String(signs.includes(place + 1)));
      button.disabled = !match.cursor;
    });
    if (document.activeElement !== this.comment) this.comment.value = text;
    this.promoter.disabled = forkOf(match.moves.slice(0, match.cursor)) < 0;
    this.remover.disabled = !match.cursor;
  }

  #draw() {
    const here = match.moves.slice(0, match.cursor).join("\n");
    const focus = document.activeElement?.dataset?.path;
    put(this.text, this.#branch(grow(match.lines), here));
    const current = this.text.querySelector("[aria-current]");
    if (current) this.text.scrollTop = current.offsetTop - this.text.clientHeight / 2;
    if (focus !== undefined)
      this.text.querySelector(`[data-path="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  /** Write a line from a node on: its moves, and after a move the lines that are played instead of it. */
  #branch(from, here, isFirst = true) {
    const parts = [];
    let [node, needsNumber] = [from, isFirst || Boolean(match.notes[from.path.join("\n")]?.text)];
    if (!from.path.length && isFirst) parts.push(this.#said(""));
    while (node.after.size) {
      const [next, ...others] = node.after.values();
      parts.push(this.#move(next, here, needsNumber), this.#said(next.path.join("\n")));
      needsNumber = others.length > 0 || Boolean(match.notes[next.path.join("\n")]?.text);
      for (const other of others)
        parts.push(
          h(
            "div",
            { class: "branch" },
            this.#move(other, here, true),
            this.#said(other.path.join("\n")),
            this.#branch(other, here, false),
          ),
        );
      node = next;
    }
    return parts;
  }

  #said(key) {
    const { text } = match.notes[key] ?? {};
    return text ? h("span", { class: "comment small" }, text) : null;
  }

  #move({ move, path }, here, needsNumber) {
    const ply = path.length - 1;
    const key = path.join("\n");
    const number = this.isPaired ? Math.floor(ply / 2) + 1 : ply + 1;
    const isSecond = this.isPaired && ply % 2 > 0;
    const { signs = [] } = match.notes[key] ?? {};
    return h(
      "button",
      {
        type: "button",
        class: "quiet move",
        "data-path": key,
        "aria-current": key === here ? "true" : null,
        onclick: () => match.visit(path),
      },
      needsNumber || !isSecond
        ? h("span", { class: "muted", "aria-hidden": "true" }, `${number}${isSecond ? "…" : "."} `)
        : null,
      nameOf(move),
      signs.map((sign) => SIGNS[sign - 1] ?? ""),
    );
  }
}
