// What the page asks of the program.

// Refused is an answer that tells a mistake.
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Silence is the program's when it is gone or hangs.
class Silence extends Error {
  constructor() {
    super('The program does not answer. Is it still running? What is on the board is kept here.');
  }
}

const patience = 8000; // ms
const connections = 6; // that browsers open to an address at most; further requests wait in the browser

let open = 0; // requests whose answer is not complete

// answered waits for an answer. Meanwhile it asks every few seconds whether the program is there at all: a search may take
// minutes, a hung program for ever. It asks nothing while there is no connection for the question, which would wait for a search.
async function answered(pending) {
  let silent;
  const silence = new Promise((_, reject) => { silent = reject; });
  const asking = setInterval(async () => {
    if (open >= connections) return;
    try {
      await fetch('/api/setup', { signal: AbortSignal.timeout(patience) });
    } catch {
      silent(new Silence());
    }
  }, patience);
  try {
    return await Promise.race([pending, silence]);
  } catch (error) {
    throw inWords(error);
  } finally {
    clearInterval(asking);
  }
}

// inWords replaces the browser's own error: nobody listens, or the connection broke.
const inWords = (error) => error instanceof TypeError ? new Silence() : error;

async function request(method, path, body, options = {}) {
  const init = { method, signal: options.signal, headers: {} };
  if (body !== undefined) {
    init.body = options.raw ? body : JSON.stringify(body);
    init.headers['Content-Type'] = options.raw ? 'application/octet-stream' : 'application/json';
  }
  open++;
  const response = await answered(fetch(path, init)).finally(() => { open--; });
  if (!response.ok) {
    const text = await response.text();
    let message = text || response.statusText;
    try { message = JSON.parse(text).error; } catch { /* a plain text, as the guard writes */ }
    throw new Refused(response.status, message);
  }
  return response;
}

export const get = async (path) => (await request('GET', path)).json();
export const post = async (path, body, signal) => (await request('POST', path, body, { signal })).json();
export const remove = async (path) => (await request('DELETE', path)).json();
export const text = async (path, body) => (await request('POST', path, body)).text();
export const upload = async (path, file) => (await request('POST', path, file, { raw: true })).json();

// lines hands every object of a stream to a function, and throws the error that may end it.
export async function lines(path, body, signal, each) {
  const response = await request('POST', path, body, { signal });
  open++;
  try {
    await readLines(response.body.pipeThrough(new TextDecoderStream()).getReader(), each);
  } finally {
    open--;
  }
}

async function readLines(reader, each) {
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch((error) => { throw inWords(error); });
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    for (const part of parts) {
      const object = JSON.parse(part);
      if (object.error) throw new Error(object.error);
      each(object);
    }
  }
}
