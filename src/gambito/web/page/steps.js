// <g-steps>: the controls to step through a search: buttons, a slider, the arrow keys, automatic play.
// It sends "go" with a step, and "cut" with a direction (1, -1).

import { h, icon, iconButton } from "./dom.js";
import { count, t } from "./words.js";

const SPEEDS = [1, 2, 5, 20, 100]; // steps per second
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "cutBefore",
  ArrowDown: "cutAfter",
  Home: "first",
  End: "last",
  " ": "play",
};
const TYPED =
  "input:not([type=checkbox], [type=button]), select, textarea, dialog, [contenteditable], g-board";
const HURRY = 10; // steps per second that are too fast for animated moves

class StepsElement extends HTMLElement {
  at = 0;
  last = 0;
  choices = []; // more controls, at the end of the bar
  #timer = 0;
  #rest = 0; // the fraction of a step that is due

  connectedCallback() {
    if (!this.slider) this.#build();
    this.listener = (event) => this.#key(event);
    document.addEventListener("keydown", this.listener);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.listener);
    this.pause();
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  get isHurried() {
    return this.isPlaying && Number(this.speed.value) >= HURRY;
  }

  #build() {
    const button = (act, glyph, label, key) =>
      iconButton(glyph, label, () => this.act(act), { title: `${label} (${key})`, "data-act": act });
    this.speed = h(
      "select",
      { "aria-label": t("Speed"), title: t("Steps per second"), value: "2" },
      SPEEDS.map((speed) => h("option", { value: speed }, t("{0} per second", speed))),
    );
    this.speed.value = "2";
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: "0",
      step: "1",
      "aria-label": t("Step"),
      oninput: () => {
        this.pause();
        this.#say("go", Number(this.slider.value));
      },
    });
    this.count = h("output", { class: "small muted count" });
    this.playing = button("play", "play", t("Play"), t("Space"));
    this.playing.classList.add("play");
    this.append(
      h(
        "div",
        { class: "bar", role: "toolbar", "aria-label": t("Steps") },
        button("first", "first", t("To the beginning"), "Home"),
        button("back", "back", t("One step back"), "←"),
        this.playing,
        button("forward", "forward", t("One step forward"), "→"),
        button("last", "last", t("To the end"), "End"),
        h("span", { class: "gap" }),
        button("cutBefore", "scissors ‹", t("Previous cut-off"), "↑"),
        button("cutAfter", "scissors ›", t("Next cut-off"), "↓"),
        h("span", { class: "row choices" }, this.choices, this.speed),
      ),
      h("label", { class: "slider" }, this.slider, this.count),
    );
  }

  show(at, last) {
    this.at = at;
    this.last = last;
    this.slider.max = last;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", t("Step {0} of {1}", at, last));
    this.count.textContent = t("Step {0} of {1}", count(at), count(last));
    for (const name of ["first", "back"]) this.querySelector(`[data-act=${name}]`).disabled = at === 0;
    for (const name of ["forward", "last"]) this.querySelector(`[data-act=${name}]`).disabled = at === last;
  }

  act(what) {
    if (what === "play") return this.isPlaying ? this.pause() : this.play();
    this.pause();
    if (what === "cutBefore" || what === "cutAfter") return this.#say("cut", what === "cutAfter" ? 1 : -1);
    return this.#say("go", { first: 0, back: this.at - 1, forward: this.at + 1, last: this.last }[what]);
  }

  play() {
    if (this.at >= this.last) this.#say("go", 0);
    let before = performance.now();
    this.#rest = 0;
    const tick = (now) => {
      this.#rest += ((now - before) / 1000) * Number(this.speed.value);
      before = now;
      const steps = Math.floor(this.#rest);
      this.#rest -= steps;
      if (steps) this.#say("go", Math.min(this.last, this.at + steps));
      if (this.at >= this.last) this.pause();
      else if (this.#timer) this.#timer = requestAnimationFrame(tick);
    };
    this.#timer = requestAnimationFrame(tick);
    this.#showPlaying();
  }

  pause() {
    if (!this.#timer) return;
    cancelAnimationFrame(this.#timer);
    this.#timer = 0;
    this.#showPlaying();
  }

  #showPlaying() {
    const words = this.isPlaying ? t("Pause") : t("Play");
    this.playing.replaceChildren(icon(this.isPlaying ? "pause" : "play"));
    this.playing.setAttribute("aria-label", words);
    this.playing.title = `${words} (${t("Space")})`;
    this.#say("playing", this.isPlaying);
  }

  #key(event) {
    const act = KEYS[event.key];
    const { target } = event;
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented)
      return;
    if (target.closest?.(TYPED) && target !== this.slider) return;
    if (act === "play" && target.closest?.("button, a, summary, [type=checkbox]")) return;
    event.preventDefault();
    this.act(act);
  }

  #say(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }
}

customElements.define("g-steps", StepsElement);
