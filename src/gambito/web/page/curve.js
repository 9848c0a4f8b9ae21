// <g-curve>: the share of a win for player 0 over a game. It sends "look" with the ply.

import { h, s, table } from "./dom.js";
import { t } from "./words.js";

const [WIDE, HIGH] = [600, 120];
export const SLIPS = { "?!": "fair", "?": "warn", "??": "bad" }; // a mark -> its colour

class Curve extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.svg = s("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    this.append(this.svg);
    this.tabIndex = 0;
    this.setAttribute("role", "slider");
    this.setAttribute("aria-label", t("Value over the game"));
    this.setAttribute("aria-valuemin", "0");
    this.addEventListener("pointerdown", (event) => this.#point(event));
    this.addEventListener("pointermove", (event) => {
      if (event.buttons) this.#point(event);
    });
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  /** `plies` are the server's data of the positions, `side` is player 0's name. */
  show(plies, length, cursor, side, colour) {
    this.length = length;
    this.cursor = cursor;
    const x = (ply) => (length ? (ply / length) * WIDE : 0);
    const y = (share) => HIGH - 4 - share * (HIGH - 8);
    const known = plies.filter((each) => each?.expectation != null);
    const points = known.map((each) => `${x(each.ply).toFixed(1)},${y(each.expectation).toFixed(1)}`);
    const area =
      known.length > 1
        ? `M${x(known[0].ply)},${HIGH}L${points.join("L")}L${x(known.at(-1).ply)},${HIGH}Z`
        : "";
    this.svg.setAttribute("class", colour);
    this.svg.replaceChildren(
      s("path", { d: area, class: "share" }),
      s("line", { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: "even" }),
      s("polyline", { points: points.join(" "), class: "curve-line" }),
      ...known
        .filter((each) => plies[each.ply - 1]?.mark)
        .map((each) => [each, plies[each.ply - 1].mark])
        .map(([each, mark]) =>
          s("line", {
            x1: x(each.ply),
            x2: x(each.ply),
            y1: y(each.expectation) - 7,
            y2: y(each.expectation) + 7,
            class: `slip ${SLIPS[mark] ?? "fair"}`,
          }),
        ),
      s("line", { x1: x(cursor), x2: x(cursor), y1: 0, y2: HIGH, class: "now" }),
    );
    const here = known.find((each) => each.ply === cursor);
    this.setAttribute("aria-valuemax", String(length));
    this.setAttribute("aria-valuenow", String(cursor));
    this.setAttribute(
      "aria-valuetext",
      here
        ? t("After {0} plies, {1}: {2} %", cursor, side, Math.round(100 * here.expectation))
        : t("After {0} plies", cursor),
    );
  }

  #point(event) {
    const { left, width } = this.getBoundingClientRect();
    this.#look(Math.round(((event.clientX - left) / width) * this.length));
  }

  #key(event) {
    const ply = {
      ArrowLeft: this.cursor - 1,
      ArrowRight: this.cursor + 1,
      Home: 0,
      End: this.length,
      PageUp: this.cursor + 10,
      PageDown: this.cursor - 10,
    }[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#look(ply);
  }

  #look(ply) {
    this.dispatchEvent(new CustomEvent("look", { detail: Math.max(0, Math.min(this.length, ply)) }));
  }
}

customElements.define("g-curve", Curve);

export function slipText({ mark, loss, best }) {
  if (!mark) return "";
  const lost = t("{0} lost {1} % of a win.", mark, Math.round(100 * loss));
  return best ? `${lost} ${t("The best move was {0}.", best)}` : lost;
}

export function slipTable(plies, played, sides, look) {
  const slips = plies.filter((each) => each?.mark && played[each.ply]);
  if (!slips.length) return h("p", { class: "small muted" }, t("No move lost much."));
  const rows = slips.map(({ ply, mark, loss, best }) => [
    h(
      "button",
      { type: "button", class: "quiet word", onclick: () => look(ply + 1) },
      `${sides[played[ply].player] ?? ""} ${played[ply].move}`,
      h("b", { class: `mark ${SLIPS[mark] ?? "fair"}` }, mark),
    ),
    `${Math.round(100 * loss)} %`,
    best ?? "–",
  ]);
  return table("slips", [t("Move"), t("Lost"), t("Best")], rows);
}

/** Return how accurate each player was: the moves that lost little, and what all of them kept of a win.

    A move that loses the share l keeps e^(-4.354 l) of its worth, so that 10 % lost is a mistake that is seen. */
export function accuracyTable(plies, played, sides) {
  const rows = sides.map((side, player) => {
    const moves = plies.filter((each) => each?.loss != null && played[each.ply]?.player === player);
    if (!moves.length) return null;
    const kept = moves.reduce((sum, { loss }) => sum + Math.exp(-4.354 * loss), 0) / moves.length;
    const marked = (mark) => String(moves.filter((each) => each.mark === mark).length);
    return [side, `${Math.round(100 * kept)} %`, ...Object.keys(SLIPS).map(marked)];
  });
  const known = rows.filter(Boolean);
  return known.length
    ? table("accuracy slips", [t("Player"), t("Accuracy"), ...Object.keys(SLIPS)], known)
    : null;
}
