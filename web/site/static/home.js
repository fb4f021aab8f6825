// The home of the page on a static site: a worker answers its requests, from what it has computed. What is known of a
// puzzle before that is in files of the build: the letters of the font, and boards. So the board is there first, and
// the engine comes in the background.

import { jumpOf } from '../../static/board.js';
import { everywhere, known, state } from '../../static/url.js';
import { embed } from './embed.js';
import { controlled } from './keep.js';

const LATE = 10000; // milliseconds that hints wait for a file
const FILES = globalThis.PAGODA_FILES; // names of files, which the build knows
// The space whose letters are words, what a name may end in, names of the puzzles that have boards, and files that were asked for.
const { font: FONT, ending: ENDING, boards, files: ahead } = globalThis.PAGODA_AHEAD;

// The space is part of the address, as a name or as a text that draws it.
known.space = ['', (text) => (/^[\w/@:,=.-]{1,80}$/.test(text) ? text : null)];
known.drawn = ['', (text) => (text.length <= 2000 ? text : null)];
known.metric = ['', (text) => (ENDING.test(`@${text}`) ? text : null)]; // in which moves are counted
known.embed = ['', (text) => (text === '1' ? text : null)]; // in a frame of another page: the board alone
known.day = ['', (text) => (/^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) ? text : null)]; // a date, whose puzzle it is
everywhere.unshift('space', 'drawn', 'metric', 'embed', 'day');

const params = new URLSearchParams(location.search);
const drawn = known.drawn[1](params.get('drawn') ?? '') ?? '';
if (params.get('embed') === '1') embed();
const asked = known.space[1](params.get('space') ?? '') ?? '';

// A name may end in the metric. That of the address comes first.
const ending = ENDING.exec(asked)?.[1];
const bare = asked.replace(ENDING, '') || FONT;
const metric = (known.metric[1](params.get('metric') ?? '') ?? '') || ending || '';
const name = drawn ? '' : bare;
const [family] = (drawn ? asked : name).split('/');

// at returns the address of a puzzle of the site.
const at = (values) => `./?${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;

// How far the engine is: idle, loading, computing, computed, stopped, or failed with an error. While it computes, part is
// the name of the part under way, and share how much of all is done, from 0 to 1, as far as that is known.
const work = { at: 'idle', part: '', done: 0, share: null, error: null, run: null, space: null };
const watchers = new Set();
function tell(changes) {
  Object.assign(work, changes);
  for (const watcher of watchers) watcher(work);
}

// A site says where its pages are, and what its engine does.
export const site = {
  home: name === FONT, // words are on this page
  play: (text, by) => at({ space: engines[0][0], drawn: text.trim(), metric: by }), // a puzzle of the same family that a text draws, in a metric
  counted: (by) => at(drawn ? { space: engines[0][0], drawn, metric: by } : { space: name, metric: by }), // this puzzle in another metric
  page: FILES.engines.find((engine) => engine.family === family)?.page, // what plays the puzzle, if its family is known
  view: name === FONT ? 'word' : '', // that is shown first, if it is not that which plays
  whole: async () => { // all that api/space says, when it is known
    if (name === FONT) return (await lettersOf()).space;
    const early = await first();
    return early?.states === undefined ? compute() : early;
  },
  begin: () => { if (name !== FONT) compute().catch(() => {}); }, // computes in the background
  // watch calls a function with how far the engine is, now and whenever that changes, until it is called itself.
  watch(watcher) {
    watchers.add(watcher);
    watcher(work);
    return () => watchers.delete(watcher);
  },
  // panel puts what computes into a place of the page.
  panel: async (place) => (await import('./compute.js')).panel(place, { name, title: name !== FONT && (await first().catch(() => null))?.title, drawn, watch: site.watch, compute, cancel }),
  level: async (id) => (await import('./packs.js')).told(FILES.levels, id, state.day), // what is known of a level, or null
  // solution returns the moves of a shortest solution of a level, as texts, or null: the engine knows more when it is there.
  async solution(id) {
    if (drawn || work.at === 'computed') return null;
    const letter = name === FONT && Object.values((await lettersOf()).letters).find(({ pattern }) => id === `${FONT} ${pattern?.replaceAll('/', '')}`);
    if (letter) return letter.moves.map(({ from, to }) => [...from, ...to].join(''));
    const late = new Promise((done) => { setTimeout(done, LATE); });
    const all = await Promise.race([import('./packs.js').then(({ load }) => load(FILES.solutions)), late]);
    return all?.[id]?.split(' ') ?? null;
  },
  daily: async (el) => { // puts the puzzle of the day into an element, when the page has come to rest
    await new Promise((done) => { window.requestIdleCallback ? requestIdleCallback(done, { timeout: 1500 }) : setTimeout(done, 300); });
    await (await import('./today.js')).fill(el, FILES.levels);
  },
};

let worker = null;
let calls = 0;
const waiting = new Map(); // by number: what a call has to do when it is answered

const failure = (message, kind = '') => Object.assign(new Error(message), { kind });

function call(what, args, { progress, signal } = {}) {
  if (!worker) {
    worker = new Worker(new URL(FILES.worker, location.href), { type: 'module' });
    const fail = (message, kind) => {
      for (const one of waiting.values()) one.reject(failure(message, kind));
      waiting.clear();
      end();
    };
    worker.onmessage = ({ data }) => {
      if (data.ended) {
        fail('The engine has ended: this device has too little memory for it, perhaps. A smaller puzzle may fit.');
        return;
      }
      const one = waiting.get(data.id);
      if (data.progress) one?.progress?.(data.progress);
      else if (one) {
        waiting.delete(data.id);
        if (data.fault) one.reject(failure(data.fault, data.kind));
        else one.resolve(data.value);
      }
    };
    worker.onerror = (event) => (event.message ? fail(`The engine does not start: ${event.message}`) : fail('The engine cannot be loaded. Is there a network? Or this browser may be too old for it.', 'absent'));
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
const named = FILES.engines.filter((engine) => engine.family === family);
const engines = (named.length || !drawn ? named : FILES.engines).map((engine) => [engine.family, new URL(engine.file, location.href).href]);

// load starts the engine that knows the space. Of a drawing, it is the first that claims it, or else the first.
let loaded = null;
function load() {
  loaded ??= (async () => {
    if (!engines.length) throw failure(`There is no puzzle “${name}”: no family has the name “${family}”.`, 'refused');
    if (engines.length > 1) {
      let mine;
      for (const engine of engines) {
        await call('start', [engine[1]]);
        if (await call('reads', [drawn])) mine = engine;
        stop();
        if (mine) break;
      }
      engines.splice(0, engines.length, mine ?? engines[0]);
      params.set('space', engines[0][0]); // a link says it, so that it is not tried again
      history.replaceState(null, '', `?${params}`);
    }
    await call('start', [engines[0][1]]);
  })();
  return loaded;
}

// look has the engine find the space, and returns what it knows of it before it computes.
let looked = null;
function look() {
  looked ??= (async () => {
    if (work.at === 'idle') tell({ at: 'loading' });
    await load();
    const early = JSON.parse(await call('look', [name, drawn || (await filed())?.drawn || '', metric ? { metric } : {}]));
    if (!computed) tell({ at: 'idle' });
    return early;
  })().catch((err) => {
    loaded = looked = null;
    if (!computed) tell({ at: 'failed', error: err });
    throw err;
  });
  return looked;
}

// take asks for a file, unless the page has done that before its script came: see ahead.js.
function take(file) {
  const response = ahead.get(file) ?? fetch(file);
  ahead.delete(file);
  return response;
}

// filed returns what the build knows of the puzzle, or null.
let file = null;
function filed() {
  file ??= (async () => {
    const response = boards.has(name) && await take(`boards/${name.replace(/[/:]/g, '-')}.json`).catch(() => null);
    if (response?.ok) return response.json();
    file = null; // the network may answer next time
    return null;
  })();
  return file;
}

// first returns what is known of the puzzle before it is computed, or null: from the build, or from the engine.
let told = null;
function first() {
  told ??= (async () => {
    const known = await filed();
    if (known) return counted(known);
    const early = await look();
    return early.board ? early : null;
  })().catch((err) => {
    told = null;
    throw err;
  });
  return told;
}

// counted is a puzzle in the metric of the address, of which the build knows the length.
function counted(space) {
  const other = space.counted?.[metric || space.board.metric?.name];
  return other ? { ...space, space: other.space, board: { ...space.board, metric: other.metric, length: other.length } } : space;
}

// compute enumerates the space of the page, once, and returns all that api/space says. If it fails, it can begin again,
// unless no tab can compute the space.
let computed = null;
function compute() {
  computed ??= (async () => {
    tell({ at: 'loading', part: '', done: 0, share: null, error: null });
    const began = performance.now();
    try {
      if (boards.has(name)) refuse(await first().catch(() => null)); // without the engine
      refuse(await look());
      const ready = performance.now();
      tell({ at: 'computing' });
      const run = await call('open', [], { progress });
      const reply = await answer('GET', 'api/space');
      const space = JSON.parse(new TextDecoder().decode(reply.body));
      tell({ at: 'computed', share: 1, space, run: { ...run, load: (ready - began) / 1000 } });
      return space;
    } catch (err) {
      if (err.kind !== 'refused') computed = null;
      tell({ at: err.kind === 'stopped' ? 'stopped' : 'failed', error: err });
      throw err;
    }
  })();
  return computed;
}

function refuse(space) {
  if (space?.refused) throw failure(space.refused, 'refused');
}

// progress notes how far the part under way is. A part may be followed by others: each takes three quarters of what is
// left of the bar, so that it never goes back.
function progress({ what, done, total }) {
  if (what !== work.part) tell({ part: what, from: work.share ?? 0 });
  const share = total > 0 ? Math.max(work.share ?? 0, work.from + (1 - work.from) * 0.75 * Math.min(1, done / total)) : work.share;
  tell({ done: total > 0 ? null : done, share });
}

function end() {
  stop();
  loaded = looked = prompted = null;
}

// stop ends the worker, but not what waits for another one.
function stop() {
  worker?.terminate();
  worker = null;
}

// cancel stops computing, and gives back the memory.
function cancel() {
  end();
  for (const one of waiting.values()) one.reject(failure('It was stopped.', 'stopped'));
  waiting.clear();
  computed = null;
}

async function answer(method, path, body = '', signal = undefined) {
  const [where, query = ''] = path.split('?');
  return call('answer', [method, `/${where}`, query, body], { signal });
}

// whole fills in what the font of the board has of the letters, and reads their moves, which are four digits each.
function whole(all) {
  for (const { letter: name, pattern } of all.space.board.font) {
    const letter = Object.assign(all.letters[name], { letter: name, missing: false, pattern });
    letter.moves = (letter.moves.match(/.{4}/g) ?? []).map(jumpOf);
  }
  return all;
}

// lettersOf returns what is known before anything is computed of the font.
let letters = null;
function lettersOf() {
  letters ??= take(FILES.letters).then((r) => r.json()).then(whole).catch((err) => {
    letters = null;
    throw err;
  });
  return letters;
}

function spell({ letters: all }, text) {
  return [...text].map((c) => ({ ...(all[c] ?? all[c.toUpperCase()] ?? { missing: true }), letter: c }));
}

async function early(path) {
  const { pathname, searchParams } = new URL(path, 'http://site/');
  if (pathname === '/api/space') return work.space ?? (name === FONT ? (await lettersOf()).space : first());
  if (pathname === '/api/word' && name === FONT && work.at !== 'computed') {
    const text = searchParams.get('text');
    return { text, letters: spell(await lettersOf(), text) };
  }
  return null;
}

// needsNone has the engine ready for a question that needs no positions: how long a drawn puzzle is, a hint that is searched by
// bounds, and a picture of a word. For others it returns false.
let prompted = null;
async function needsNone(path) {
  if (path === 'api/lengths') return Boolean(await look());
  if (path === 'api/hint' && (await first())?.proves) return Boolean((await look()).proves); // not in all metrics
  if (name !== FONT || !/^api\/picture\..*[?&]text=/.test(path)) return false;
  prompted ??= (async () => {
    await look();
    await call('prompt', [JSON.stringify((await lettersOf()).letters)]);
  })().catch((err) => {
    prompted = null;
    throw err;
  });
  return prompted.then(() => true);
}

// request is fetch of the API.
export async function request(path, { method = 'GET', body = '', signal } = {}) {
  const value = await early(path);
  if (value) return Response.json(value);
  if (work.at !== 'computed' && !await needsNone(path)) await compute();
  signal?.throwIfAborted();
  const reply = await answer(method, path, body, signal);
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}

// keep has the service worker keep the engine, too, when the page has come to rest: then it computes without a network.
async function keep() {
  await controlled();
  const here = name === FONT ? null : await first();
  if (engines.length && !here?.refused && !navigator.connection?.saveData) await fetch(engines[0][1], { priority: 'low' });
}

if ('serviceWorker' in navigator) keep().catch(() => {}); // then it works with a network only
