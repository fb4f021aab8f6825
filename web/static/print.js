// Print: a word is a poster, a puzzle is a card. Other views are printed as they are, without what one presses.

import { isolate, make } from './dom.js';
import { wrap } from './word.js';

// What is free of a page, in millimetres: of A4 and of Letter, within margins of 12.
const [LONG, SHORT] = [255, 186];
const TEXT = 34; // how high the texts of a poster are
const GAP = 3; // between letters
const SMALL = 22; // how wide letters are at least, if words are to stay whole

// still copies a board, without what is for keys and screen readers.
function still(board) {
  const copy = board.cloneNode(true);
  for (const el of [copy, ...copy.querySelectorAll('[tabindex], [role]')]) for (const name of ['id', 'tabindex', 'role', 'aria-label']) el.removeAttribute(name);
  copy.setAttribute('class', 'board');
  return copy;
}

// poster is a page of letters, as large as they can be with whole words. It lies if they are larger then.
function poster({ title, letters, draw, about }) {
  const [, , w, h] = draw(letters[0]).getAttribute('viewBox').split(' ').map(Number);
  let best = { worth: 0 };
  for (const [lies, wide, high] of [[true, LONG, SHORT], [false, SHORT, LONG]]) {
    for (let columns = 1; columns <= letters.length; columns++) {
      const rows = wrap(letters, columns);
      const longest = Math.max(...rows.map((row) => row.length));
      const size = Math.min((wide - GAP * (longest - 1)) / longest, ((high - TEXT - GAP * (rows.length - 1)) / rows.length) * w / h);
      const whole = rows.flat().length + rows.length - 1 === letters.length; // each row ends at a blank
      const worth = Math.min(size, whole ? Infinity : SMALL) + size / 1000;
      if (worth > best.worth) best = { worth, size, rows, lies };
    }
  }
  const boards = make('div', { class: 'poster-letters' }, ...best.rows.map((row) => make('div', {}, ...row.map(draw))));
  boards.style.setProperty('--size', `${best.size.toFixed(2)}mm`);
  const called = make('h1', { translate: 'no' }, isolate(title));
  called.style.setProperty('font-size', `${Math.min(12, 1.5 * (best.lies ? LONG : SHORT) / title.length).toFixed(1)}mm`);
  return make('article', { class: `poster${best.lies ? ' lies' : ''}` }, boards, called, make('p', {}, about));
}

// card is a puzzle: its board from the beginning, the goal, and what else there is to say.
function card({ title, board, goal, told, source }) {
  return make('article', { class: 'print-card' }, make('h1', {}, title),
    make('div', { class: 'print-board' }, still(board()),
      make('div', { class: 'print-told' }, ...(goal ? [make('h2', {}, 'Goal'), still(goal)] : []), ...told.filter(Boolean).map((text) => make('p', {}, text)))),
    make('p', { class: 'print-source' }, ...(source ? [source, make('br')] : []), make('bdi', { translate: 'no' }, address())));
}

// address is where the puzzle is, from its beginning.
export function address() {
  const at = new URL(location.href);
  for (const name of ['slides', 'jumps', 'moves', 'step', 'embed']) at.searchParams.delete(name);
  return at.href;
}

// solved is a solution: a list of moves, or pictures with what they show.
const solved = ({ heading, moves }) => make('section', { class: 'print-solution' }, make('h2', {}, heading),
  make('ol', { class: moves[0]?.board ? 'strip' : 'print-moves' }, ...moves.map(({ board, text }, i) => make('li', {}, ...(board ? [board, make('span', {}, `${i + 1}. ${text}`)] : [text])))));

let solutions = []; // that are wanted on the sheet
let sheet = null;

function clear() {
  sheet?.remove();
  sheet = null;
  document.body.classList.remove('has-sheet');
}

// watch lays a sheet when one prints, of what the page shows then.
export function watch(shared) {
  addEventListener('beforeprint', () => {
    clear();
    const what = shared();
    if (!what.letters && !what.board) return;
    sheet = make('div', { class: 'sheet' }, what.letters ? poster(what) : card(what), ...solutions.map(solved));
    document.body.append(sheet);
    document.body.classList.add('has-sheet');
  });
  addEventListener('afterprint', clear);
}

// print prints what the page shows, with solutions: [{ heading, moves: [{ text, board }] }], where boards may be absent.
export function print(wanted = []) {
  solutions = wanted;
  try {
    globalThis.print();
  } finally {
    solutions = [];
  }
}
