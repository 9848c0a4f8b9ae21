// A question in a dialog that is answered by one of two buttons.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Ask, and return whether the answer is `yes`. Escape is a no. */
export function sure(question, yes, no = t("Cancel")) {
  return new Promise((resolve) => {
    const button = (label, css, value) =>
      h("button", { type: "submit", class: css, value, autofocus: value === "no" }, label);
    const dialog = h(
      "dialog",
      {
        class: "sure",
        "aria-label": question,
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes");
        },
      },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, question),
        h("div", { class: "row" }, button(yes, "main", "yes"), button(no, "", "no")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
