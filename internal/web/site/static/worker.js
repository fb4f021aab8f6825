// The worker in which the engine computes. It takes messages {id, call, args}, and answers {id, value} or
// {id, fault}; while it computes, {id, progress}. The call cancel ends the answer with its id, and
// has none of its own.

import './files.js';
import 'wasm_exec.js';

// program reads the program, which may have been decompressed by the browser.
async function program(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.split('/').pop()}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

let started = null;
function start(url) {
  started ??= (async () => {
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await program(url), go.importObject);
    const ready = new Promise((done) => { globalThis.ready = done; });
    go.run(instance).then(() => postMessage({ ended: true }));
    await ready;
  })();
  return started;
}

const calls = {
  async start(id, url) { await start(url); },
  reads: (id, text) => globalThis.pagoda.reads(text),
  async open(id, space, text, options = {}) {
    const opened = await globalThis.pagoda.open(space, text, JSON.stringify(options), (what, done, total) => postMessage({ id, progress: { what, done, total } }));
    return JSON.parse(opened);
  },
  answer: (id, method, path, query, body) => globalThis.pagoda.answer(id, method, path, query, body),
};

addEventListener('message', async ({ data: { id, call, args } }) => {
  if (call === 'cancel') {
    globalThis.pagoda.cancel(id);
    return;
  }
  try {
    const value = await calls[call](id, ...args);
    postMessage({ id, value }, value?.body ? [value.body.buffer] : []);
  } catch (err) {
    postMessage({ id, fault: err.message });
  }
});
