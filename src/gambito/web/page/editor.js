// A small field over a leaf, in which the user types its value.

import { h } from "./dom.js";
import { t } from "./words.js";

export class Editor {
  constructor(frame) {
    this.input = h("input", {
      type: "text",
      inputmode: "numeric",
      class: "leaf-editor",
      "aria-label": t("Value of the leaf"),
      autocomplete: "off",
    });
    this.input.hidden = true;
    frame.append(this.input);
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => this.close());
  }

  /** Ask for a number over a box. `done` receives it; `back` is called when a key closes the field. */
  open({ left, top, width, height }, value, done, back) {
    Object.assign(this, { done, back });
    const wide = Math.max(56, width);
    Object.assign(this.input.style, {
      left: `${Math.max(2, left + width / 2 - wide / 2)}px`,
      top: `${top + height / 2 - 16}px`,
      width: `${wide}px`,
    });
    this.input.value = value === "?" ? "" : value;
    this.input.hidden = false;
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  close() {
    this.input.hidden = true;
  }

  #key(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.close();
      this.back();
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    const text = this.input.value.trim().replace("−", "-").replace(",", ".");
    const value = Number(text);
    const isNumber = text !== "" && Number.isFinite(value);
    this.input.setAttribute("aria-invalid", String(!isNumber));
    if (!isNumber) return;
    const { done, back } = this;
    this.close();
    back();
    done(value);
  }
}
