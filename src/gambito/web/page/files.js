// The dialog to copy, set, save and load positions and games, in the game's own notation.

import { copy } from "./copy.js";
import { h, iconButton, prose, toast } from "./dom.js";
import { learn, match } from "./match.js";
import { Asker } from "./server.js";
import { t } from "./words.js";

let loaded = { game: "", start: "", moves: [], headers: {} }; // the last record that was loaded

/** Open the dialog. What it asks for is dropped with it, and `asker` drops what it needs before it opens. */
export async function openFiles(game, asker) {
  if (match.table) return toast(t("The record can be seen when the game is over."));
  const isTree = match.lines.length > 1 || Object.keys(match.notes).length > 0;
  const { linesOf, rowsOf } = await import("./variations.js");
  const tree = isTree ? rowsOf(match.lines, match.notes) : undefined;
  const asked = { ...match.at(match.moves.length), headers: headersNow(), tree };
  const [view, saved] = await Promise.all([match.view(), asker.ask("save", asked)]);
  const position = h("input", {
    type: "text",
    class: "mono",
    spellcheck: "false",
    autocomplete: "off",
    value: view.text,
    "aria-label": t("Position"),
  });
  const record = h("textarea", {
    class: "mono",
    rows: "4",
    spellcheck: "false",
    value: saved.text,
    "aria-label": t("Game record"),
  });
  const problem = h("p", { class: "bad small", role: "alert" });
  const file = h("input", {
    type: "file",
    class: "unseen",
    "aria-label": t("Game file"),
    tabindex: "-1",
    onchange: async () => {
      record.value = (await file.files[0].text()).slice(0, 100_000);
      await attempt(load);
    },
  });

  const own = new Asker();
  const attempt = async (what) => {
    problem.textContent = "";
    try {
      await what();
      dialog.close();
    } catch (error) {
      problem.textContent = error.message; // of nobody, if the dialog was closed
    }
  };
  const set = async () => {
    const start = position.value.trim();
    await own.ask("view", { game: match.game, start, moves: [] });
    history.pushState(null, "", location.href);
    match.begin(match.game, start);
  };
  const arrange = async () => (await import("./arrange.js")).openArrange(game, own);
  const load = async () => {
    const answer = await own.ask("load", { game: match.game, text: record.value });
    const { game = match.game, start, moves, headers = {}, games = 1, tree } = answer;
    await learn(game);
    if (!dialog.isConnected) return;
    history.pushState(null, "", location.href);
    loaded = { game, start, moves, headers };
    if (tree) match.beginTree(game, start, linesOf(tree));
    else match.begin(game, start, moves);
    if (games > 1) {
      toast(t("The text holds {0} games; this is the first.", games));
    }
  };
  const dialog = h(
    "dialog",
    { "aria-label": t("Position and game"), onclose: () => [dialog.remove(), own.drop()] },
    h(
      "form",
      { method: "dialog", onsubmit: (event) => event.preventDefault() },
      h(
        "div",
        { class: "title" },
        h("h3", {}, t("Position and game")),
        iconButton("close", t("Close"), () => dialog.close()),
      ),
      h(
        "section",
        { class: "stack tight" },
        h("h2", {}, t("Position")),
        position,
        game.positions ? h("p", { class: "small muted" }, prose(game.positions)) : null,
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: () => copy(position.value) }, t("Copy position")),
          h("button", { type: "submit", onclick: () => attempt(set) }, t("Begin from this position")),
          h("button", { type: "button", onclick: () => copy(location.href) }, t("Copy link")),
          view.board && !game.hidden
            ? h("button", { type: "button", onclick: () => attempt(arrange) }, t("Set up the pieces…"))
            : null,
        ),
      ),
      h(
        "section",
        { class: "stack tight" },
        h("h2", {}, t("Game record")),
        record,
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: () => copy(record.value) }, t("Copy game")),
          h(
            "button",
            { type: "button", onclick: () => save(record.value, saved.ending) },
            t("Save to a file"),
          ),
          h("button", { type: "button", onclick: () => attempt(load) }, t("Load this text")),
          h("button", { type: "button", onclick: () => file.click() }, t("Load a file…")),
          file,
        ),
      ),
      problem,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** What the record that was loaded says beside its moves, while the game on the page goes on from it. */
function headersNow() {
  const { game, start, moves, headers } = loaded;
  const isSame = match.game === game && match.start === start;
  const shared = Math.min(moves.length, match.moves.length);
  if (!isSame || moves.slice(0, shared).some((move, ply) => move !== match.moves[ply])) {
    return {};
  }
  const { Result, RE, ...others } = headers;
  return moves.length === match.moves.length ? headers : others;
}

function save(text, ending) {
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  h("a", { href: address, download: `${match.game.replace(/[^\w-]+/g, "-")}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
