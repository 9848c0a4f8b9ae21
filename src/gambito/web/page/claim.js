// A claim at bridge: a person says how many of the tricks that are left their side takes.

import { h, toast } from "./dom.js";
import { Lost } from "./server.js";
import { t } from "./words.js";

/** Ask how many tricks, and let the server judge. Return whether the claim was made. */
export async function claim(table, ply, left) {
  const tricks = await askTricks(left);
  if (tricks == null) return false;
  try {
    const { accepted, deals, short } = await table.claim(ply, tricks);
    toast(accepted ? t("The claim is accepted.") : refusal(short, deals), !accepted);
  } catch (problem) {
    if (!(problem instanceof Lost)) toast(problem.message, true);
  }
  return true;
}

const refusal = (short, deals) =>
  short
    ? t(
        "The claim is refused: in {0} of {1} deals that fit what you see, you take fewer. Play on.",
        short,
        deals,
      )
    : t("The claim is refused: the opponents can take more. Play on.");

/** Return the number that the person chooses, or null. Escape is a no. */
function askTricks(left) {
  return new Promise((resolve) => {
    const numbers = Array.from({ length: left + 1 }, (_, place) => left - place);
    const select = h(
      "select",
      { "aria-label": t("Tricks"), autofocus: true },
      numbers.map((number) => h("option", { value: number }, t("{0} of {1}", number, left))),
    );
    const dialog = h(
      "dialog",
      {
        class: "sure",
        "aria-label": t("Claim"),
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes" ? Number(select.value) : null);
        },
      },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, t("How many of the tricks that are left does your side take?")),
        select,
        h(
          "p",
          { class: "small muted" },
          t(
            "It is accepted if open cards say so, in this deal and in others that fit what you see. Then the rest is played out.",
          ),
        ),
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "main", value: "yes" }, t("Claim")),
          h("button", { type: "submit", value: "no" }, t("Cancel")),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
