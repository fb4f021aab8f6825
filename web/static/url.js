// The state of the page is its URL. Unknown or invalid parts of a URL are ignored, and the page says so.

import { chosen as chosenLanguage, valid as validLanguage } from './language.js';
import { chosen, valid } from './theme.js';

export const MAX_LETTERS = 100;

const oneOf = (...values) => (text) => (values.includes(text) ? text : null);
const whole = (most) => (text) => (/^\d{1,4}$/.test(text) && Number(text) <= most ? Number(text) : null);
const section = (view) => document.querySelector(`.view[id="${CSS.escape(view)}"]`);
const cells = (chars) => (text) => (new RegExp(`^[${chars}]{1,64}$`).test(text) ? text : null);

// By name: the default, and a function that reads the value, null if it is not valid.
export const known = {
  view: ['', (text) => (section(text) ? text : null)],
  text: ['PAGODA', (text) => [...text.replace(/[\u0000-\u001f\u007f]/g, ' ')].slice(0, 1000).join('')],
  show: ['solved', oneOf('puzzle', 'solved')],
  speed: [1, (text) => ({ 0.5: 0.5, 1: 1, 2: 2, 4: 4 })[text] ?? null],
  step: [null, whole(99)],
  theme: [chosen(), valid],
  lang: [chosenLanguage(), validLanguage],
  target: ['', cells('o.')],
  jumps: ['', (text) => (/^\d{1,3}s?(-\d{1,3}s?){0,63}$/.test(text) ? text : null)], // s: it was shown
  ghost: ['on', oneOf('on', 'off')],
  tell: ['on', oneOf('on', 'off')],
  pattern: ['', cells('o.?')],
  pick: ['', cells('o.')],
  slides: ['', (text) => (text.length <= 2000 && /^[0-9A-Za-z]+_[UDLR]+s?(-[0-9A-Za-z]+_[UDLR]+s?)*$/.test(text) ? text : null)], // s: it was shown
  at: ['', (text) => (/^[0-9A-Za-z.,@#/]{1,1000}$/.test(text) ? text : null)],
  drawing: ['', (text) => (text.length <= 2000 ? text : null)],
  seed: [null, (text) => (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : null)],
  moves: ['', (text) => (/^[UDLR]{1,10000}$/i.test(text) ? text : null)], // small letters: they were shown
  aim: ['', (text) => (/^[\w:.> -]{1,80}$/.test(text) ? text : null)],
  hints: ['on', oneOf('on', 'off')],
  log: ['off', oneOf('on', 'off')],
};

// The names that every view uses. Those of one view are in its section.
export const everywhere = ['theme', 'lang'];

export const state = {};

// ignored lists the parts of the query string that are unknown or not valid.
export function ignored() {
  return [...new URLSearchParams(location.search)].filter(([name, text]) => !Object.hasOwn(known, name) || text !== '' && known[name][1](text) === null).map(([name]) => name);
}

// read takes the state from the query string.
export function read() {
  const params = new URLSearchParams(location.search);
  for (const [name, [value, parse]] of Object.entries(known)) {
    const text = params.get(name);
    state[name] = (text === null ? null : parse(text)) ?? value;
  }
  return state;
}

// resume takes parts of the state from elsewhere, as far as they are valid.
export function resume(parts) {
  for (const [name, part] of Object.entries(parts)) if (Object.hasOwn(known, name)) state[name] = known[name][1](String(part)) ?? known[name][0];
}

// search writes the state of a view as a query string, without defaults.
export function search(values = state) {
  const params = new URLSearchParams();
  const view = values.view || 'word';
  if (view !== 'word') params.set('view', view);
  for (const name of [...section(view)?.dataset.url.split(' ') ?? [], ...everywhere]) {
    if (values[name] !== undefined && values[name] !== null && values[name] !== known[name][0]) params.set(name, values[name]);
  }
  const text = params.toString();
  return text ? `?${text}` : location.pathname;
}

let pending = 0;

// save puts changes into the URL after a while: browsers limit how often it may change.
export function save(changes = {}) {
  Object.assign(state, changes);
  clearTimeout(pending);
  pending = setTimeout(() => {
    pending = 0;
    history.replaceState(null, '', search());
  }, 150);
}

// flush saves at once.
export function flush() {
  if (!pending) return;
  clearTimeout(pending);
  pending = 0;
  history.replaceState(null, '', search());
}

// go changes to another view, as a new entry of the history.
export function go(changes) {
  flush();
  Object.assign(state, changes);
  history.pushState(null, '', search());
}
