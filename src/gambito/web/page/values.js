// Values in the unit that players of a game count in, for the side that the reader has chosen.

import { h, keep } from "./dom.js";
import { lang, signed, t } from "./words.js";

export const MOVER = "mover"; // values are for the player to move, or who has searched
const UNITS = {
  pawns: () => t("pawns"),
  discs: () => t("discs"),
  men: () => t("men"),
  points: () => t("points"),
  seeds: () => t("seeds"),
  boxes: () => t("boxes"),
  chips: () => t("chips"),
};

/** Return whose values are shown: the number of a side, or MOVER. */
export const viewer = () => keep.get("viewer") ?? 0;

export const setViewer = (side) => keep.set("viewer", side);

/** Return whose a value is: the mover's; where chance decides, the first player's. */
export const ownerOf = (player) => Math.max(player, 0);

/** Return a result as the reader wants it: `player` moves, `players` is how many there are. */
export function seenBy(found, player, players) {
  const side = viewer();
  if (side === MOVER || players !== 2 || side === ownerOf(player)) return found;
  const turned = (value) => (value == null ? value : -value);
  return {
    ...found,
    value: turned(found.value),
    low: turned(found.high),
    high: turned(found.low),
    expectation: found.expectation == null ? found.expectation : 1 - found.expectation,
  };
}

/** Write a value in the unit of its game: `[name, size]`; "wins" is the share of a win. */
export function inUnits({ value, expectation }, [unit, size] = ["", 1]) {
  if (value == null) return "–";
  if (unit === "wins" && expectation != null)
    return `${Math.round(100 * expectation).toLocaleString(lang)} %`;
  return signed(value / size);
}

export const unitName = ([unit] = [""]) => (unit === "wins" ? t("Chance to win") : (UNITS[unit]?.() ?? ""));

/** Show how deep a candidate was searched; of a network, also how likely it held the move before any search. */
export function depthOf({ depth, prior }) {
  const reached = h("span", { class: "small muted", title: t("Depth") }, String(depth ?? ""));
  if (prior == null) return reached;
  const before = h("span", { title: t("The network's prior") }, `${Math.round(100 * prior)} %`);
  return h("span", { class: "small muted prior" }, before, " · ", reached);
}
