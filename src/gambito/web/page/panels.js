// Panels beside the analysis: whoever has something to say of a position adds a maker here.
// A maker gets the view of a position and the way to play a move, and answers an element, or null: nothing is shown.

import { h } from "./dom.js";
import { t } from "./words.js";

const makers = [];

/** `make(view, play)` answers an element or null, at once or later. */
export const addPanel = (make) => makers.push(make);

/** The panels that have something in them. */
export const panelsOf = async (view, play) =>
  (await Promise.all(makers.map((make) => make(view, play)))).filter(Boolean);

/** A table that the server sends with a position, as a book's or an endgame table's: {title, about, rows: [{move, cells}]}. */
addPanel(({ panels = [] }, play) => {
  const filled = panels.filter(({ rows }) => rows.length);
  if (!filled.length) return null;
  return h(
    "div",
    { class: "stack" },
    filled.map(({ title, columns = [], rows }) =>
      h(
        "section",
        { class: "panel", "aria-label": title },
        h("h2", {}, title),
        h(
          "table",
          { class: "slips" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              [t("Move"), ...columns].map((name) => h("th", { scope: "col" }, name)),
            ),
          ),
          h(
            "tbody",
            {},
            rows.map(({ move, cells }) =>
              h(
                "tr",
                {},
                h(
                  "td",
                  {},
                  h("button", { type: "button", class: "quiet word", onclick: () => play(move) }, move),
                ),
                cells.map((text) => h("td", {}, String(text))),
              ),
            ),
          ),
        ),
      ),
    ),
  );
});
