// What Play says in words: whose turn it is, how the game ended, that a typed move is none.

import { toast } from "./dom.js";
import { match } from "./match.js";
import { t } from "./words.js";

/** Say whose turn it is in the last position of a game, or how it ended. */
export function statusText({ over, verdict, player, played }, now) {
  const { ended, hint, isAlone, isEngine, isPaused, least, mustHandOver, name } = now;
  if (!match.isAtEnd) return t("You are viewing an earlier position.");
  if (over) return least ? `${verdict}. ${least}` : verdict;
  if (ended) return ended;
  if (player < 0) return t("Chance decides…");
  if (mustHandOver) return t("You have moved. The next is {0}.", name(player));
  if (match.table?.isGuest) return t("You are watching. {0} to move.", name(player));
  if (isEngine) return isPaused ? t("Paused.") : t("{0} is thinking…", name(player));
  const last = match.table?.seat === player ? played.at(-1) : null;
  if (last?.player === player) return t("After {0} it is your move again.", last.move ?? "?");
  const hinted = hint ? ` ${t("Hint: {0}", hint)}` : "";
  return (isAlone ? t("Your move.") : t("{0} to move.", name(player))) + hinted;
}

/** Return the move that a text names, in either case of letters; without one, say which there are. */
export function readTyped(actions, text) {
  const names = actions.map(({ move }) => move);
  const found =
    names.find((move) => move === text) ?? names.find((move) => move.toLowerCase() === text.toLowerCase());
  if (found === undefined)
    toast(t("'{0}' is not a move here; some that are: {1}", text, names.slice(0, 8).join(", ")), true);
  return found;
}
