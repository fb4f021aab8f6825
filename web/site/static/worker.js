// The worker in which the engine computes. It takes messages {id, call, args}, and answers {id, value} or
// {id, fault, kind}; while it computes, {id, progress}. The call cancel ends the answer with its id, and
// has none of its own.

import './files.js';
import 'wasm_exec.js';

// program reads the program, which may have been decompressed by the browser.
async function program(url) {
  const response = await fetch(url).catch(() => { throw Object.assign(new Error('The engine cannot be loaded: the network does not answer. Try again when it does.'), { name: 'absent' }); });
  if (!response.ok) throw new Error(`The engine cannot be loaded: the host answers with ${response.status}. Load the page again.`);
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
  })().catch((err) => {
    started = null; // it can be tried again
    throw err;
  });
  return started;
}

const calls = {
  async start(id, url) { await start(url); },
  reads: (id, text) => globalThis.pagoda.reads(text),
  prompt: (id, letters) => globalThis.pagoda.prompt(letters),
  look: (id, space, text, options = {}) => globalThis.pagoda.look(space, text, JSON.stringify(options)),
  async open(id) {
    return JSON.parse(await globalThis.pagoda.open((what, done, total) => postMessage({ id, progress: { what, done, total } })));
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
    postMessage({ id, fault: err.message, kind: ['refused', 'absent'].includes(err.name) ? err.name : '' });
  }
});
