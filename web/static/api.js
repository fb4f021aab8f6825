// Requests to the server, or to what stands in its place.

import { request, site } from './home.js';

export class Fault extends Error {
  constructor(message, status, kind = '') {
    super(message);
    Object.assign(this, { status, kind }); // absent: a site has no network, and its engine was not kept
  }
}

async function answer(path, options) {
  let response;
  try {
    response = await request(path, options);
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    throw new Fault(!(err instanceof TypeError) ? err.message : site ? 'The network does not answer. Try again when it does.' : 'The server does not answer. Is query serve still running?', 0, err.kind);
  }
  let value;
  try {
    value = await response.json();
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    throw new Fault(`The server answered with ${response.status}, and not with JSON.`, response.status);
  }
  if (!response.ok) throw new Fault(value.error || `The server answered with ${response.status}.`, response.status);
  return value;
}

export const get = (path, signal) => answer(path, { signal });

export const ask = (path, question, signal) => answer(path, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question), signal,
});

// patiently asks again while the server is busy, unless a signal ends it.
export async function patiently(question, signal) {
  for (let tries = 0; ; tries++) {
    try {
      return await question();
    } catch (err) {
      if (err.status !== 503 || tries === 5 || signal?.aborted) throw err;
      await new Promise((done) => { setTimeout(done, 700); });
    }
  }
}

// latest wraps a request so that only the last call counts: an earlier one that is still
// under way is aborted, and returns undefined.
export function latest(run) {
  let running = null;
  return async (...args) => {
    running?.abort();
    const mine = running = new AbortController();
    try {
      const value = await run(mine.signal, ...args);
      return mine === running ? value : undefined;
    } catch (err) {
      if (err.name === 'AbortError' || mine !== running) return undefined;
      throw err;
    }
  };
}
