// What is told before a search has begun: its code is compiled, or it waits.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Say that the search has not begun, and how long its compilation may take, with a bar. */
export function readyBar({ seconds_left: left, share }) {
  const words = left == null ? t("Getting ready…") : t("Compiling your game, about {0} s", left);
  const bar = share == null ? null : h("progress", { value: share, max: 1, "aria-label": words });
  return h("div", { class: "wait small muted" }, h("p", {}, words), bar);
}
