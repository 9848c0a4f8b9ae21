// <g-about>: the list of algorithms, each with its summary, source, options and the games that it fits.

import { h, prose, rowHead, table } from "./dom.js";
import * as link from "./link.js";
import { match } from "./match.js";
import { t } from "./words.js";

class About extends HTMLElement {
  connectedCallback() {
    this.className = "about-page";
    this.list = h("ul", { class: "algorithm-list" });
    this.article = h("article", { class: "panel article", "aria-live": "polite" });
    this.replaceChildren(
      h("nav", { class: "panel", "aria-label": t("Algorithms") }, this.list),
      this.article,
    );
    this.follow();
  }

  follow() {
    const { algorithms } = this.catalogue;
    const shown = algorithms.find(({ name }) => name === link.read().text("name")) ?? algorithms[0];
    this.list.replaceChildren(
      ...algorithms.map(({ name, summary }) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: link.href("algorithms", { name }), "aria-current": name === shown.name ? "page" : null },
            h("b", {}, name),
            h("span", { class: "small muted" }, summary),
          ),
        ),
      ),
    );
    this.#show(shown);
  }

  #show({ name, summary, source, options, shares, misfits = {}, traces = true, analyses }) {
    const fitting = this.catalogue.games.filter(({ algorithms }) => algorithms.includes(name));
    const others = this.catalogue.games.filter((game) => !fitting.includes(game));
    const versus = (game) => link.href("play", { game: game.name, seats: ["person", `${name}:seconds=1`] });
    this.article.replaceChildren(
      h("header", {}, h("h1", {}, name), h("p", { class: "lead" }, prose(summary))),
      h(
        "dl",
        { class: "sheet" },
        fact(t("Source"), source),
        fact(t("Threads"), shares ? t("can use several") : t("uses one")),
      ),
      h(
        "div",
        { class: "row" },
        traces
          ? h(
              "a",
              { class: "button", href: link.href("watch", { game: "tree", a: name }) },
              t("Watch it think"),
            )
          : "",
        analyses
          ? h(
              "a",
              { class: "button", href: link.href("analyse", { ...match.link(), algorithm: name }) },
              t("Analyse with it"),
            )
          : "",
      ),
      options.length ? h("section", {}, h("h2", {}, t("Options")), this.#options(options)) : "",
      h(
        "section",
        {},
        h("h2", {}, t("Play against it")),
        h(
          "ul",
          { class: "row chips" },
          fitting.map((game) => h("li", {}, h("a", { class: "chip", href: versus(game) }, game.title))),
        ),
      ),
      others.length
        ? h(
            "section",
            {},
            h("h2", {}, t("Games it does not fit")),
            h(
              "ul",
              { class: "misfits" },
              others.map((game) => h("li", { class: "muted" }, misfits[game.name] ?? game.title)),
            ),
          )
        : "",
    );
  }

  #options(options) {
    const heads = [t("Option"), t("Default"), t("What it does"), t("Accepted")];
    const rows = options.map((option) => [
      rowHead(option.name, "mono"),
      h("td", { class: "mono" }, String(option.default) || "–"),
      prose(option.about),
      h("td", { class: "small muted" }, option.choices?.length ? option.choices.join(", ") : option.accepted),
    ]);
    return h("div", { class: "scroll" }, table("option-table", heads, rows));
  }
}

const fact = (name, value) => (value ? h("div", {}, h("dt", {}, name), h("dd", {}, value)) : "");

customElements.define("g-about", About);
