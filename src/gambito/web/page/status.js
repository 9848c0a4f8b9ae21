// What Play says in words: whose turn it is, or how the game ended.

import { match } from "./match.js";
import { nameOf, t } from "./words.js";

/** Say whose turn it is in the last position of a game, or how it ended. */
export function statusText({ over, verdict, player, played }, now) {
  const { ended, hint, isAlone, isEngine, isPaused, least, mustHandOver, name } = now;
  if (!match.isAtEnd) return t("You are viewing an earlier position.");
  if (over) return least ? `${verdict}. ${least}` : verdict;
  if (ended) return ended;
  if (player < 0) return t("Chance decides…");
  if (match.table?.room)
    return player === match.table.seat ? t("Your move.") : t("Waiting for {0}.", name(player));
  if (mustHandOver) return t("You have moved. The next is {0}.", name(player));
  if (match.table?.isGuest) return t("You are watching. {0} to move.", name(player));
  if (isEngine) return isPaused ? t("Paused.") : t("{0} is thinking…", name(player));
  const last = match.table?.seat === player ? played.at(-1) : null;
  if (last?.player === player) return t("After {0} it is your move again.", nameOf(last.move) ?? "?");
  const hinted = hint ? ` ${t("Hint: {0}", nameOf(hint))}` : "";
  return (isAlone ? t("Your move.") : t("{0} to move.", name(player))) + hinted;
}
