// How a game of Play ended, if not by its rules: by resignation, by agreement, or by the clock.

import { sure } from "./sure.js";
import { t } from "./words.js";

const FORM = /^(resign|draw)(\d?)$/;
const CONTENT = 0.52; // a computer accepts a draw if its share of a win is not higher

export class Ending {
  /** Read "resign0", the first player has resigned, or "draw"; anything else is no ending. */
  constructor(text = "") {
    const [, how = "", side = ""] = FORM.exec(text) ?? [];
    this.how = how;
    this.side = how === "resign" ? Number(side) : -1;
  }

  get isOn() {
    return this.how !== "";
  }

  get text() {
    return this.how + (this.side >= 0 ? this.side : "");
  }
}

/** Return the side that has lost without the rules, or −1. */
export const loserOf = (ending, clock) => (ending.how === "resign" ? ending.side : clock.fallen);

/** Say why a game is over that the rules would continue, or "". */
export function endingText(ending, clock, name, players) {
  if (ending.how === "draw") return t("A draw by agreement.");
  const lost = loserOf(ending, clock);
  if (lost < 0) return "";
  if (ending.how === "resign") return t("{0} resigned: {1} wins.", name(lost), name(1 - lost));
  if (players !== 2) return t("{0} ran out of time.", name(lost));
  return t("{0} ran out of time: {1} wins.", name(lost), name(1 - lost));
}

/** Does the person want to give up the game that is played? */
export const isNewWanted = () =>
  sure(t("A game is running. Begin a new one?"), t("New game"), t("Continue this game"));

export const isResigned = (name) => sure(t("{0}, do you resign?", name), t("Resign"));

/** Does the other side accept a draw? A person is asked; a computer accepts unless it knows that it is better. */
export const isDrawn = (isEngine, player, share, name) =>
  isEngine ? accepts(player, share) : sure(t("{0}, do you accept a draw?", name), t("Accept"), t("Decline"));

/** Does a computer accept a draw? It does unless it knows that it is better. `share` is the first player's. */
const accepts = (player, share) => share != null && (player === 0 ? share : 1 - share) <= CONTENT;

/** Return the side of the person who may resign or offer a draw: the one to move, or the only one; or −1. */
export function personIn(seats, player) {
  const people = seats.flatMap((seat, side) => (seat === "person" ? [side] : []));
  if (seats.length !== 2) return -1;
  return people.length === 1 ? people[0] : people.includes(player) ? player : -1;
}
