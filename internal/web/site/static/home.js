// The home of the page on a static site: a worker answers its requests, from what it has computed.
// Until then the letters of the font are there, and what is known about the space.

import { known, views } from '../../static/url.js';
import { panel } from './compute.js';

export const FONT = 'peg/5x7';
const FILES = globalThis.PAGODA_FILES; // names of files, which the build knows

// The space is part of the address, as a name or as a text that draws it.
known.space = ['', (text) => (/^[\w/@:,=.-]{1,80}$/.test(text) ? text : null)];
known.drawn = ['', (text) => (text.length <= 2000 ? text : null)];
known.metric = ['', (text) => (/^[a-z]{1,20}$/.test(text) ? text : null)]; // in which moves are counted
known.embed = ['', (text) => (text === '1' ? text : null)]; // in a frame of another page: the board alone
for (const names of Object.values(views)) names.push('space', 'drawn', 'metric', 'embed');

const params = new URLSearchParams(location.search);
const drawn = known.drawn[1](params.get('drawn') ?? '') ?? '';
if (params.get('embed') === '1') document.documentElement.classList.add('embed');
const asked = known.space[1](params.get('space') ?? '') ?? '';
const name = drawn ? '' : asked || FONT;

const metric = known.metric[1](params.get('metric') ?? '') ?? '';

// at returns the address of a puzzle of the site.
const at = (values) => `./?${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;

// A site says where its pages are.
export const site = {
  home: name === FONT, // words are on this page
  play: (text) => at({ space: engines[0][0], drawn: text.trim(), metric }), // a puzzle of the same family that a text draws
  counted: (by) => at(drawn ? { space: engines[0][0], drawn, metric: by } : { space: name.replace(/@.*/, ''), metric: by }), // this puzzle in another metric
};

let worker = null;
let calls = 0;
const waiting = new Map(); // by number: what a call has to do when it is answered

function call(what, args, { progress, signal } = {}) {
  if (!worker) {
    worker = new Worker(new URL(FILES.worker, location.href), { type: 'module' });
    const fail = (message) => {
      for (const one of waiting.values()) one.reject(new Error(message));
      waiting.clear();
    };
    worker.onmessage = ({ data }) => {
      if (data.ended) {
        fail('The engine has ended: this device has too little memory for it, perhaps. Load the page again.');
        return;
      }
      const one = waiting.get(data.id);
      if (data.progress) one?.progress?.(data.progress);
      else if (one) {
        waiting.delete(data.id);
        if (data.fault) one.reject(new Error(data.fault));
        else one.resolve(data.value);
      }
    };
    worker.onerror = (event) => fail(`The engine does not start: ${event.message || 'this browser may be too old for it'}`);
  }
  return new Promise((resolve, reject) => {
    const id = ++calls;
    waiting.set(id, { resolve, reject, progress });
    worker.postMessage({ id, call: what, args });
    signal?.addEventListener('abort', () => {
      if (!waiting.delete(id)) return;
      reject(signal.reason);
      worker?.postMessage({ id, call: 'cancel' });
    });
  });
}

// The engines that may know the space of the page: each is for one family. A name begins with that of the family;
// beside a drawing, the name of a family is enough.
const [family] = (drawn ? asked : name).split('/');
const named = FILES.engines.filter(([of]) => of === family);
const engines = (named.length || !drawn ? named : FILES.engines).map(([of, file]) => [of, new URL(file, location.href).href]);

// load starts the engine that knows the space. Of a drawing, it is the first that claims it, or else the first.
async function load() {
  if (!engines.length) throw new Error(`There is no puzzle “${name}”: no family has the name “${family}”.`);
  if (engines.length > 1) {
    let mine;
    for (const engine of engines) {
      await call('start', [engine[1]]);
      if (await call('reads', [drawn])) mine = engine;
      end();
      if (mine) break;
    }
    engines.splice(0, engines.length, mine ?? engines[0]);
    params.set('space', engines[0][0]); // a link says it, so that it is not tried again
    history.replaceState(null, '', `?${params}`);
  }
  await call('start', [engines[0][1]]);
}

// compute enumerates the space of the page, once.
let computed = null;
export function compute() {
  computed ??= (async () => {
    panel.began();
    const began = performance.now();
    try {
      await load();
      const loaded = performance.now();
      const run = await call('open', [name, drawn, metric ? { metric } : {}], { progress: panel.progress });
      const told = await answer('GET', 'api/space');
      const space = JSON.parse(new TextDecoder().decode(told.body));
      panel.ended(space, { ...run, load: (loaded - began) / 1000 });
      return run;
    } catch (err) {
      computed = null;
      panel.failed(err);
      throw err;
    }
  })();
  return computed;
}

function end() {
  worker?.terminate();
  worker = null;
}

// cancel stops computing, and gives back the memory.
export function cancel() {
  end();
  for (const one of waiting.values()) one.reject(new Error('It was stopped.'));
  waiting.clear();
  computed = null;
}

async function answer(method, path, body = '', signal = undefined) {
  const [at, query = ''] = path.split('?');
  return call('answer', [method, `/${at}`, query, body], { signal });
}

// letters is what is known before anything is computed: for the font alone.
let letters = null;
function known5x7() {
  letters ??= fetch(new URL(FILES.letters, location.href)).then((r) => r.json());
  return letters;
}

function spell({ letters: all }, text) {
  return [...text].map((c) => ({ ...(all[c] ?? all[c.toUpperCase()] ?? { missing: true }), letter: c }));
}

async function early(path) {
  if (computed || name !== FONT) return null;
  const { pathname, searchParams } = new URL(path, 'http://site/');
  if (pathname === '/api/space') return (await known5x7()).space;
  if (pathname === '/api/word') {
    const text = searchParams.get('text');
    return { text, letters: spell(await known5x7(), text) };
  }
  return null;
}

// request is fetch of the API.
export async function request(path, { method = 'GET', body = '', signal } = {}) {
  const value = await early(path);
  if (value) return Response.json(value);
  await compute();
  signal?.throwIfAborted();
  const reply = await answer(method, path, body, signal);
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}

// Links to the API are downloads: there is no server that they could lead to.
document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[download]');
  const at = link && new URL(link.href);
  const base = new URL('.', location.href);
  if (!at?.href.startsWith(`${base.href}api/`)) return;
  event.preventDefault();
  try {
    const response = await request(at.href.slice(base.href.length));
    if (!response.ok) throw new Error((await response.json()).error);
    const save = document.createElement('a');
    save.href = URL.createObjectURL(await response.blob());
    save.download = /filename="(.*)"/.exec(response.headers.get('Content-Disposition'))?.[1] ?? 'pagoda';
    save.click();
    setTimeout(() => URL.revokeObjectURL(save.href), 60000);
  } catch (err) {
    panel.failed(err);
  }
});

panel.place({ name, drawn, family: engines.length === 1 ? family : FILES.engines[0][0], compute, cancel });

// keep has the service worker keep the engine, too, when the page has come to rest: then it computes without a network.
async function keep() {
  const workers = navigator.serviceWorker;
  await workers.register('sw.js');
  await workers.ready;
  if (!workers.controller) await new Promise((done) => { workers.addEventListener('controllerchange', done, { once: true }); });
  if (engines.length && !navigator.connection?.saveData) await fetch(engines[0][1], { priority: 'low' });
}

if ('serviceWorker' in navigator) keep().catch(() => {}); // then it works with a network only
