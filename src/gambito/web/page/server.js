// The socket to the server. A question contains all that it needs, so it can be asked again on a new socket.

import { lang } from "./words.js";

const waiting = new Map(); // id -> question
const queue = []; // messages that wait for the socket or for their turn
const MOST = 6; // simultaneous questions; the server accepts a few more
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
  socket.onclose = () => {
    connection.dispatchEvent(new Event("lost"));
    for (const question of waiting.values()) if (question.sent) question.fail(new Lost());
    setTimeout(connect, delay);
    delay = Math.min(delay * 2, 5000);
  };
}

/** The error of a question whose connection broke. The question may be asked again. */
export class Lost extends Error {}

function hear(message) {
  const question = waiting.get(message.id);
  if (!question) return;
  if (message.is === "info") question.info(message);
  else if (message.is === "error") question.fail(new Error(message.text));
  else if (question.wantsBinary) question.header = message;
  else question.finish(message);
}

/** Handle a binary message, which begins with the number of its question and ends the question. */
function hearBinary(buffer) {
  const question = waiting.get(new DataView(buffer).getUint32(0, true));
  question?.finish({ ...question.header, buffer });
}

/** Ask a question with a stream of answers: onInfo receives each, `done` the last. `binary`: a buffer follows the last. */
export function stream(what, given, onInfo = () => {}, binary = false) {
  const id = ++lastId;
  const question = { info: onInfo, wantsBinary: binary, sent: false };
  const done = new Promise((finish, fail) => {
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
  return { done, stop: () => stop(id, question) };
}

/** Ask a question and wait for its answer. */
export const ask = (what, given = {}) => stream(what, given).done;

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

/** Send the messages that may be sent: always a stop, a question only if there are not too many. */
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
