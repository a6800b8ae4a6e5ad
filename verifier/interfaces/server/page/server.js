// A request goes in; what the server answers comes out, or a `Refusal` in the server's own words.

const KEPT = "rag-claim-verifier-key";
const GONE = "The server cannot be reached. Is it still running?";
const CUT = "The connection ended before the check did. What is shown was judged; the rest was not.";

/** Why something did not come. `status` is 0 where the server was not reached. */
export class Refusal extends Error {
  constructor(status, code, message, id = "") {
    super(message);
    Object.assign(this, { status, code, id });
  }

  /** What a person is told. */
  get told() {
    const sentence = this.message.replace(/^[a-z]+(?=[\s:])/, (word) => word[0].toUpperCase() + word.slice(1));
    const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
    return this.status >= 500 && this.id ? `${ended} (request ${this.id})` : ended;
  }
}

export const key = {
  get: () => sessionStorage.getItem(KEPT) ?? "",
  set: (secret) => sessionStorage.setItem(KEPT, secret),
  forget: () => sessionStorage.removeItem(KEPT),
};

/** JSON of a route. `body` makes it a POST. */
export async function ask(path, body) {
  const answer = await send(path, body);
  return answer.json();
}

/** The server-sent events of a route, as they come; the last is `end`, one of `ends`, or else a refusal is thrown. */
export async function* events(path, body, { signal, ends }) {
  const answer = await send(path, body, signal);
  let last = "";
  for await (const event of parsed(answer.body)) {
    if (event.event === "error") throw new Refusal(answer.status, event.code, event.message);
    last = event.event;
    yield event;
  }
  if (last !== ends) throw new Refusal(0, "cut", CUT);
}

/** Send a file to a route, and tell what share of it has been sent. */
export function deliver(path, file, fields, sent) {
  return new Promise((settle, refuse) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && sent(event.loaded / event.total);
    request.onerror = () => refuse(new Refusal(0, "gone", GONE));
    request.onload = () => {
      const said = read(request.responseText);
      if (request.status < 300) settle(said);
      else refuse(refusal(request.status, said));
    };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", file, file.name);
    request.send(form);
  });
}

async function send(path, body, signal) {
  const options = { headers: headers(), signal, cache: "no-store", credentials: "omit" };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Refusal(0, "gone", GONE);
  }
  if (!answer.ok) throw refusal(answer.status, read(await answer.text()));
  return answer;
}

function headers() {
  return key.get() ? { Authorization: `Bearer ${key.get()}` } : {};
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function refusal(status, said) {
  const { code = "unknown", message = `the server answered with status ${status}`, request_id: id } = said.error ?? {};
  return new Refusal(status, code, message, id);
}

async function* parsed(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    let piece;
    try {
      piece = await reader.read();
    } catch (error) {
      throw error.name === "AbortError" ? error : new Refusal(0, "cut", CUT);
    }
    if (piece.done) return;
    const whole = (waiting + piece.value).split("\n\n");
    waiting = whole.pop();
    for (const event of whole) yield JSON.parse(event.slice(event.indexOf("\ndata: ") + 7));
  }
}
