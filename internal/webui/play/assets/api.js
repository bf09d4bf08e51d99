// What the page asks of the program.

// Refused is an answer that tells a mistake.
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body, options = {}) {
  const init = { method, signal: options.signal, headers: {} };
  if (body !== undefined) {
    init.body = options.raw ? body : JSON.stringify(body);
    init.headers['Content-Type'] = options.raw ? 'application/octet-stream' : 'application/json';
  }
  const response = await fetch(path, init);
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
export const upload = async (path, file) => (await request('POST', path, file, { raw: true })).json();

// lines hands every object of a stream to a function.
export async function lines(path, body, signal, each) {
  const response = await request('POST', path, body, { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    for (const part of parts) each(JSON.parse(part));
  }
}
