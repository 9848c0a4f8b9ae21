// The socket to the server. A question contains all that it needs, so it can be asked again on a new socket.

import { lang } from "./words.js";

const waiting = new Map(); // id -> question
const queue = []; // messages that wait for the socket or for their turn
const MOST = 6; // simultaneous questions; the server accepts a few more
const ASLEEP = 4000; // the server needs the place of a page that nobody uses
let socket = null;
let lastId = 0;
let delay = 250;

export const connection = new EventTarget(); // "open", "lost"

function connect() {
  const address = new URL("ws", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    delay = 250;
    connection.dispatchEvent(new Event("open"));
    flush();
  };
  socket.onmessage = ({ data }) => (typeof data === "string" ? hear(JSON.parse(data)) : hearBinary(data));
  socket.onclose = ({ code }) => {
    if (code === ASLEEP && !waiting.size) {
      socket = null; // the next question connects again
      return;
    }
    connection.dispatchEvent(new Event("lost"));
    for (const question of waiting.values()) if (question.sent) question.fail(new Lost());
    setTimeout(connect, delay);
    delay = Math.min(delay * 2, 5000);
  };
}

/** The error of a question whose connection broke, or whose asker is gone. It may be asked again. */
export class Lost extends Error {}

function hear(message) {
  const question = waiting.get(message.id);
  if (!question) return;
  if (message.is === "info") question.info(message);
  else if (message.is === "error") question.fail(new Error(message.text));
  else if (question.wantsBinary) question.header = message;
  else question.finish(message);
}

/** Handle a binary message: it begins with the number of its question, and ends it. */
function hearBinary(buffer) {
  const question = waiting.get(new DataView(buffer).getUint32(0, true));
  question?.finish({ ...question.header, buffer });
}

/** Ask a question: onInfo receives each answer, `done` the last, with its buffer if `binary`. */
export function stream(what, given, onInfo = () => {}, binary = false) {
  const id = ++lastId;
  const question = { info: onInfo, wantsBinary: binary, sent: false };
  const done = new Promise((finish, fail) => {
    question.reject = fail;
    question.finish = (answer) => {
      waiting.delete(id);
      finish(answer);
      flush();
    };
    question.fail = (problem) => {
      waiting.delete(id);
      fail(problem);
      flush();
    };
  });
  done.catch(() => {}); // the caller that awaits it handles the error
  waiting.set(id, question);
  send({ id, do: what, lang, ...given }, question);
  return { done, stop: () => stop(id, question), drop: () => drop(id, question) };
}

export const ask = (what, given = {}) => stream(what, given).done;

/** The questions of one part of the page. When what asked for them is gone, nobody hears the answers. */
export class Asker {
  #open = new Set();

  stream(what, given, onInfo, binary) {
    const asked = stream(what, given, onInfo, binary);
    this.#open.add(asked);
    const close = () => this.#open.delete(asked);
    asked.done.then(close, close);
    return asked;
  }

  ask(what, given = {}) {
    return this.stream(what, given).done;
  }

  get isIdle() {
    return !this.#open.size;
  }

  /** Stop all that was asked; no answer to it comes any more, and those who wait for one get an error. */
  drop() {
    for (const asked of this.#open) asked.drop();
    this.#open.clear();
  }
}

function drop(id, question) {
  if (!waiting.has(id)) return;
  stop(id, question);
  question.info = () => {};
  question.reject(new Lost());
}

function stop(id, question) {
  if (question.sent && waiting.has(id)) send({ id: ++lastId, do: "stop", stop: id });
  else if (waiting.has(id)) {
    queue.splice(
      queue.findIndex((each) => each.question === question),
      1,
    );
    question.fail(new Lost());
  }
}

function send(message, question = null) {
  queue.push({ text: JSON.stringify(message), question });
  if (!socket) connect();
  flush();
}

/** Send what may be sent: every stop, and questions up to a limit. */
function flush() {
  if (socket?.readyState !== WebSocket.OPEN) return;
  let under = [...waiting.values()].filter(({ sent }) => sent).length;
  for (const each of queue.splice(0)) {
    if (each.question && under >= MOST) queue.push(each);
    else {
      if (each.question) [each.question.sent, under] = [true, under + 1];
      socket.send(each.text);
    }
  }
}
