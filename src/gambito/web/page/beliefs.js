// What Analyse shows of a game that hides something: the strategy as bars, and what the observer believes.

import { h, put, table } from "./dom.js";
import { shapeName, valueClass } from "./pieces.js";
import { count, lang, nameOf, signed, t } from "./words.js";

export const MOST_ACTIONS = 10; // that are shown
const FINE = { minimumFractionDigits: 3, maximumFractionDigits: 3 }; // a mixed strategy is worth −1/18
const LARGE = 100; // values from here on are told without decimals
const [MOST_CELLS, FEW_CELLS] = [12, 4]; // of the list; few if the board shows all of them
const MOST_KINDS = 6; // different contents of one cell

const percent = (share) => `${Math.round(100 * share)} %`;

const bar = (share, css = "") =>
  h("span", { class: `share-bar ${css}` }, h("i", { style: `width: ${(100 * share).toFixed(1)}%` }));

/** The probability of each action, and its value if the search has one. */
export function strategyRows(candidates, play) {
  const rows = candidates
    .slice(0, MOST_ACTIONS)
    .map(({ move, share, value, expectation }) =>
      h(
        "li",
        { class: "strategy" },
        h(
          "button",
          { type: "button", class: "quiet word", onclick: () => play?.(move), disabled: !play },
          nameOf(move),
        ),
        bar(share),
        h("span", { class: "percent" }, percent(share)),
        h(
          "b",
          { class: `pill e${valueClass(expectation)}`, title: t("Value"), hidden: value == null },
          signed(value),
        ),
      ),
    );
  const left = candidates.slice(MOST_ACTIONS);
  const rest = left.reduce((sum, { share }) => sum + share, 0);
  const others = h("li", { class: "others small muted" }, t("{0} others: {1}", left.length, percent(rest)));
  return left.length ? [...rows, others] : rows;
}

const number = (value) => value.toLocaleString(lang, { maximumSignificantDigits: 3 });

const fine = (value) =>
  Math.abs(value) < LARGE
    ? `${value < 0 ? "−" : "+"}${Math.abs(value).toLocaleString(lang, FINE)}`
    : signed(Math.round(value));

/** The value of the position, in its bounds, and what it took to find it. */
export function strategyText({ value, low, high, confidence, nodes, nps, iterations, exploitability }) {
  const cost = iterations
    ? t("{0} iterations, {1}/s", count(iterations), count(nps))
    : t("{0} nodes, {1}/s", count(nodes), count(nps));
  const open = exploitability == null ? "" : ` · ${t("exploitability {0}", number(exploitability))}`;
  if (value == null) return nodes ? cost + open : "";
  const isKnown = low != null && high != null && (low !== high || exploitability != null);
  const [worth, from, to] = [value, low ?? 0, high ?? 0].map(fine);
  const bounds = !isKnown
    ? t("Value {0}", worth)
    : confidence == null
      ? t("Value {0}, proved between {1} and {2}", worth, from, to)
      : t("Value {0}, likely between {1} and {2}", worth, from, to);
  return `${bounds}${open} · ${cost}`;
}

const contentName = ({ pieces }) =>
  pieces.map(({ text, shape, count: high }) => text || (high ? String(high) : shapeName(shape))).join(" ") ||
  t("empty");

/** Fill a panel with what may lie where the observer does not see it. */
export function showBeliefs(panel, { beliefs = [], worlds = 0 } = {}) {
  panel.hidden = !beliefs.length;
  const isMap = beliefs.some(({ heat }) => heat > 0 && heat < 1);
  const listed = isMap
    ? beliefs
        .filter(({ heat }) => heat < 1)
        .toSorted((a, b) => b.heat - a.heat)
        .slice(0, FEW_CELLS)
    : beliefs.slice(0, MOST_CELLS);
  put(
    panel,
    h("h2", {}, t("What may be hidden")),
    table(
      "beliefs",
      [],
      listed.map(({ name, shares }) => [
        name,
        h(
          "div",
          { class: "kinds" },
          shares
            .slice(0, MOST_KINDS)
            .map((each) => [
              h("span", {}, contentName(each)),
              bar(each.share, "belief"),
              percent(each.share),
            ]),
        ),
      ]),
    ),
    h(
      "p",
      { class: "small muted" },
      t(
        "Counted in {0} imagined worlds, as chance makes them: what the others' moves may reveal is left out.",
        count(worlds),
      ),
    ),
  );
}
