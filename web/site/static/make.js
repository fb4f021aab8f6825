// Make your own: templates of levels, a painter of boards, and a field for levels as text.

import { $, make } from '../../static/dom.js';
import { rushHour } from '../../static/drawing.js';
import { kept } from '../../static/kept.js';
import { npuzzle, templates } from '../../static/templates.js';
import { boards, paint, picture } from './paint.js';
import { picture as level } from './pictures.js';

const EDITOR = 'slide/rushhour1'; // a small puzzle that the editor opens with: drawings are solved beside it

// at returns an address of the page that plays.
const at = (values) => `./?${new URLSearchParams(values)}`;
const edit = (drawing) => at({ space: EDITOR, view: 'edit', drawing });
const painted = (name) => `make.html?${new URLSearchParams({ paint: name })}`;

// tray draws a tray.
const tray = (text) => level({}, { text });

const heart = { of: boards.square.of, rows: ['.o.o.', 'ooooo', 'ooooo', '.ooo.', '..o..'] };
const blocks = 'tray:\nAABB.\nACC.D\nE.CDD\nEEFF.\n.....\ngoal:\n.....\n.....\n.....\n...AA\n...A.\n';
const klotski = 'tray:\nBAAC\nBAAC\nDEEF\nDghF\ni..j\ngoal:\n....\n....\n....\n.AA.\n.AA.\n';
const [cars, khun, eight, fifteen, empty] = templates;
const sizes = [[2, 3], [3, 4], [5, 5]];

const tiles = [
  { name: cars.name, about: 'Drag the red car to its place, then draw the other cars: one stroke for each.', href: edit(cars.text), art: () => tray(rushHour('BCDDEoBCFoEGBoFAAGHHHIoGooJIKKLLJMMo')) },
  { name: khun.name, about: 'Klotski and Huarong Dao: draw the blocks around the large one, which has to come out at the bottom.', href: edit(khun.text), art: () => tray(klotski) },
  { name: eight.name, about: 'Drag tiles onto each other until they stand as in your puzzle.', href: edit(eight.text), art: () => tray(eight.text) },
  { name: fifteen.name, about: 'The same with fifteen tiles, or with another number of rows and columns:', href: edit(fifteen.text), art: () => tray(fifteen.text), more: sizes },
  { name: 'Sliding blocks of any shape', about: 'Begin with an empty tray. Draw pieces and walls, and say where a piece should end up.', href: edit(empty.text), art: () => tray(blocks) },
  { name: boards.lunar.title, about: 'Place the round pieces and the helpers.', href: painted('lunar'), art: () => picture({ ...boards.lunar, rows: ['1...2', '..X..', '.....', '.Y...', '3...4'] }) },
  { name: boards.english.title, about: 'Peg solitaire: paint pegs and holes as they stand on your board.', href: painted('english'), art: () => picture(boards.english) },
  { name: boards.triangle.title, about: 'Peg solitaire on 15 holes, or on another number of rows.', href: painted('triangle'), art: () => picture(boards.triangle) },
  { name: boards.square.title, about: 'Peg solitaire on any board of up to 8 by 8 cells.', href: painted('square'), art: () => picture(boards.square) },
  { name: 'Draw a pattern', about: 'Draw pegs, and see the nearest pattern that can be reached, played jump by jump.', href: at({ view: 'draw' }), art: () => picture(heart) },
];

$('make-list').append(...tiles.map(({ name, about, href, art, more = [] }) => make('li', { class: 'own' },
  make('a', { class: 'own-link', href }, make('div', { class: 'own-picture' }, art()), make('span', { class: 'own-name' }, name), make('span', { class: 'small' }, about)),
  ...(more.length ? [make('p', { class: 'own-more small' }, ...more.map(([rows, cols]) => make('a', { href: edit(npuzzle(rows, cols)) }, `${rows}×${cols}`)))] : []))));

// The puzzle that was played last can be changed, if it is of those that the page of puzzles can draw.
const last = new URLSearchParams(kept('last'));
const view = { slide: 'edit', play: 'draw' }[last.get('view')];
if (view && last.has('space')) {
  $('make-last').hidden = false;
  $('make-last').firstChild.href = at([['view', view], ...['space', 'drawn', 'metric'].flatMap((name) => (last.has(name) ? [[name, last.get(name)]] : []))]);
}

// The painter, in place of the templates.
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

// reading says what a text is, and where it is opened; null if it is nothing that the page knows.
function reading(text) {
  const lines = text.split(/[\n/]/).map((line) => line.trim()).filter(Boolean);
  const all = lines.join('');
  if (rushHour(text.replaceAll('/', ''))) return { told: 'This is a Rush Hour level. The editor shows how it is solved.', href: edit(rushHour(text.replaceAll('/', ''))) };
  const numbers = /^(2048|threes)\b/i.exec(text);
  if (numbers) return { told: 'This is a board of number tiles.', href: at({ space: numbers[1].toLowerCase(), drawn: text }) };
  if (/^lunar:/m.test(text)) return { told: 'This is a board of Lunar Lockout.', href: at({ space: 'lunar', drawn: text }) };
  if (lines.length === 5 && lines.every((line) => /^[A-Z1-9o.+]{5}$/.test(line)) && /[A-Z]/.test(all) && !/([A-Z1-9]).*\1/.test(all)) {
    return { told: 'This is a problem of Lunar Lockout.', href: at({ space: 'lunar/5x5:1-2', at: lines.join('/').replaceAll('+', '.') }) };
  }
  if (/^lattice:/.test(text) || /^[o.*#\s/]+$/.test(text) && all.includes('o') && lines.length > 1) return { told: 'This is a board of pegs.', href: at({ space: 'peg', drawn: text.replaceAll('/', '\n') }) };
  if (/^[0-9A-Za-z.#]+(\/|\n)/.test(text) || /^(tray|title|rushhour|floors):/m.test(text) || /^[0-9A-F]{9}$/i.test(text)) return { told: 'This is a tray of sliding blocks. The editor shows how it is solved.', href: edit(text) };
  return null;
}

const ways = { edit: 'Open it in the editor', play: 'Play it' };
function tell() {
  const text = $('make-text').value.replace(/\r/g, '').replace(/^\s*\n|\s+$/g, '');
  const found = text ? reading(text) : null;
  $('make-go').disabled = !found;
  $('make-go').textContent = found?.href.includes('view=edit') ? ways.edit : ways.play;
  $('make-told').textContent = !text ? '' : found ? found.told : 'This is no level that the page knows.';
  return found;
}
$('make-text').addEventListener('input', tell);
$('make-paste').addEventListener('submit', (event) => {
  event.preventDefault();
  const found = tell();
  if (found) location.href = found.href;
});
tell();
