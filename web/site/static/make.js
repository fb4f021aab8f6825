// Make your own: templates of levels, a painter of boards, and a field for levels as text. What there is of a puzzle, a script
// of make knows, by the name of the view that plays it. Each may export
//
//   templates      to begin with: { name, about, href, art, more }: art draws a picture, more are others: { name, href }
//   boards         that people paint, by their names in the address, see paint.js: { title, of, rows, triangular, sizes }
//   reading(text)  what a text is, and where it is opened: { told, href, go }, without href if it lacks something; null if it is
//                  nothing of this puzzle

import { $, make } from '../../static/dom.js';
import { kept } from '../../static/kept.js';
import { at, paint } from './paint.js';

const pages = globalThis.PAGODA_PAGES; // what plays the puzzles, see puzzle.Page
const scripts = await Promise.all(pages.map(({ view }) => import(`./make/${view}.js`)));

// The first script that takes a text reads it: sliding blocks, which take many, come last. Their templates come first.
$('make-list').append(...scripts.toReversed().flatMap(({ templates = [] }) => templates).map(({ name, about, href, art, more = [] }) => make('li', { class: 'own' },
  make('a', { class: 'own-link', href }, make('div', { class: 'own-picture' }, art()), make('span', { class: 'own-name' }, name), make('span', { class: 'small' }, about)),
  ...(more.length ? [make('p', { class: 'own-more small' }, ...more.map((other) => make('a', { href: other.href }, other.name)))] : []))));

// The puzzle that was played last can be changed, if it is of those that the page of puzzles can draw.
const last = new URLSearchParams(kept('last'));
const page = pages.find(({ view }) => view === last.get('view'));
const view = page?.edit ?? page?.draw;
if (view && last.has('space')) {
  $('make-last').hidden = false;
  $('make-last').firstChild.href = at([['view', view], ...['space', 'drawn', 'metric'].flatMap((name) => (last.has(name) ? [[name, last.get(name)]] : []))]);
}

// The painter, in place of the templates.
const boards = Object.assign({}, ...scripts.map((script) => script.boards));
const params = new URLSearchParams(location.search);
const board = Object.hasOwn(boards, params.get('paint') ?? '') ? boards[params.get('paint')] : null;
if (board) {
  const drawn = params.get('rows')?.split('/') ?? [];
  const fits = drawn.length >= 3 && drawn.length <= 8 && drawn.every((row, r) => row.length === (board.triangular ? r + 1 : drawn[0].length) && row.length <= 8 && [...row].every((ch) => board.of.kind(ch) !== '.' || ch === '.'))
    && (board.sizes || drawn.length === board.rows.length && drawn[0].length === board.rows[0].length);
  document.title = `${board.title} – Pagoda`;
  document.querySelector('h1').textContent = board.title;
  $('make-lead').replaceChildren(make('a', { href: 'make.html' }, 'All templates'));
  $('make-text').closest('section').hidden = $('make-last').hidden = true;
  $('make-list').replaceWith(paint({ ...board, rows: fits ? drawn : board.rows }, (rows) => {
    if (rows.join('/') === board.rows.join('/')) params.delete('rows');
    else params.set('rows', rows.join('/'));
    history.replaceState(null, '', `?${params}`);
  }));
}

function tell() {
  const text = $('make-text').value.replace(/\r/g, '').replace(/^\s*\n|\s+$/g, '');
  const found = text ? scripts.reduce((known, { reading }) => known ?? reading?.(text) ?? null, null) : null;
  $('make-go').disabled = !found?.href;
  $('make-go').textContent = found?.go ?? 'Play it';
  $('make-told').textContent = !text ? '' : found ? found.told : 'This is no level that the page knows.';
  return found;
}
$('make-text').addEventListener('input', tell);
$('make-paste').addEventListener('submit', (event) => {
  event.preventDefault();
  const found = tell();
  if (found?.href) location.href = found.href;
});
tell();
