// Painting a board: a grid of cells, a palette, and what is still missing. Nothing is computed: the page that plays the board
// does that. What is painted is an object of a script of make:
//
//   Pad                        a board whose cells are pressed, see board.js; show(cells) draws it
//   palette                    what a press can paint: a character and its name
//   kind(ch)                   the character of the palette that stands for another one
//   take(ch, all)              the character that a cell gets, undefined if there is no more of its kind
//   tell(ch)                   says what is in a cell
//   cleared(rows)              the rows without what was painted
//   refuses(ch, cell, cells)   why a cell cannot have a character, or nothing; may be absent
//   missing(rows, triangular)  what the board lacks, or nothing
//   ready                      what is said when nothing is missing
//   play(rows, triangular)     the query of the address at which the board is played

import { Shape } from '../../static/board.js';
import { make } from '../../static/dom.js';

// at returns an address of the page that plays, painted that of a board that is painted here.
export const at = (values) => `./?${new URLSearchParams(values)}`;
export const painted = (name) => `make.html?${new URLSearchParams({ paint: name })}`;

// cellsOf lists the cells of rows, each a text with a character for each cell.
export const cellsOf = (rows) => rows.flatMap((row, r) => [...row].map((_, c) => [r, c]));

const shapeOf = (rows, triangular) => new Shape({ lattice: triangular ? 'triangular' : 'square', cells: cellsOf(rows), jumps: [] });

// picture draws a board small.
export function picture({ of, rows, triangular }) {
  const pad = new of.Pad(shapeOf(rows, triangular), { label: '', tell: () => '', press() {}, drag() {} });
  pad.show(rows.join(''));
  const { el } = pad;
  for (const cell of el.querySelectorAll('.cell, .no-cell')) cell.remove();
  for (const name of ['role', 'aria-label']) el.removeAttribute(name);
  el.setAttribute('aria-hidden', 'true');
  return el;
}

// paint lets people paint a board, whose rows it begins with; saved is called with the rows at each change. It returns the
// element.
export function paint({ title, of, rows: begin, triangular = false, sizes = false }, saved) {
  let rows = begin;
  let undone = [];
  let done = [];
  let pad = null;
  let brush = of.palette[0][0]; // what a press paints
  let stroke = null; // what the stroke under way paints
  let before = null; // the rows before it
  const [least, most] = [3, 8];

  const place = make('div', { class: 'board-frame' });
  const said = make('p', { class: 'verdict', role: 'status' });
  const play = make('a', { class: 'button primary' }, 'Play it');
  const button = (text, run) => make('button', { type: 'button', onclick: run }, text);
  const [undo, redo, clear] = [button('Undo', () => travel(done, undone)), button('Redo', () => travel(undone, done)), button('Clear', () => change(of.cleared(rows)))];
  const tools = make('fieldset', { class: 'segments' }, make('legend', { class: 'hidden' }, 'What a press paints'),
    ...of.palette.map(([ch, name]) => {
      const input = make('input', { type: 'radio', name: 'paint-tool', value: ch, onchange: () => { brush = ch; } });
      input.checked = ch === brush;
      return make('label', {}, input, make('span', {}, name));
    }));
  const stepper = (less, more, told, by) => {
    const minus = make('button', { type: 'button', 'aria-label': less, onclick: () => by(-1) }, '−');
    const plus = make('button', { type: 'button', 'aria-label': more, onclick: () => by(1) }, '+');
    const text = make('span');
    return { el: make('span', { class: 'stepper' }, minus, text, plus), show: (n) => { text.textContent = told(n); minus.disabled = n <= least; plus.disabled = n >= most; } };
  };
  const tall = stepper('One row less', 'One row more', (n) => `${n} rows`, (by) => resize(rows.length + by, rows[0].length));
  const wide = stepper('One column less', 'One column more', (n) => `${n} columns`, (by) => resize(rows.length, rows[0].length + by));

  function resize(height, width) {
    change(Array.from({ length: height }, (_, r) => Array.from({ length: triangular ? r + 1 : width }, (_, c) => rows[r]?.[c] ?? 'o').join('')));
  }

  function change(next) {
    if (next.join() === rows.join()) return;
    done.push(rows);
    undone = [];
    rows = next;
    show();
  }

  function travel(from, to) {
    if (!from.length) return;
    to.push(rows);
    rows = from.pop();
    show();
  }

  // dab paints a cell. A stroke that begins on what the brush paints takes it away.
  function dab(cell, first) {
    const cells = [...rows.join('')];
    if (first) {
      stroke = of.kind(cells[cell]) === brush && brush !== '.' ? '.' : brush;
      before = rows;
      done.push(rows);
    }
    const why = of.refuses?.(stroke, cell, cells);
    if (why) {
      show();
      said.textContent = why;
      return;
    }
    if (of.kind(cells[cell]) !== stroke) {
      const ch = of.take(stroke, cells);
      if (ch === undefined) return;
      cells[cell] = ch;
      let from = 0;
      rows = rows.map((row) => cells.slice(from, from += row.length).join(''));
    }
    show();
  }

  function show() {
    const size = rows.map((row) => row.length).join();
    if (place.dataset.size !== size) {
      place.dataset.size = size;
      pad = new of.Pad(shapeOf(rows, triangular), { label: 'The board that you paint', tell: of.tell, press: (cell) => { dab(cell, true); settle(); }, drag: dab });
      for (const end of ['pointerup', 'pointercancel']) pad.el.addEventListener(end, settle);
      place.replaceChildren(pad.el);
    }
    pad.show(rows.join(''));
    const why = of.missing(rows, triangular);
    said.className = `verdict ${why ? '' : 'good'}`;
    said.textContent = why || of.ready;
    play.classList.toggle('off', Boolean(why));
    play.setAttribute('aria-disabled', Boolean(why));
    play.title = why;
    if (why) play.removeAttribute('href');
    else play.href = at(of.play(rows, triangular));
    tall.show(rows.length);
    wide.show(rows[0].length);
    undo.disabled = !done.length;
    redo.disabled = !undone.length;
    saved(rows);
  }

  // settle ends a stroke: one that has changed nothing is no step of the history.
  function settle() {
    if (before?.join() === rows.join()) done.pop();
    else if (before) undone = [];
    before = null;
    undo.disabled = !done.length;
    redo.disabled = !undone.length;
  }

  show();
  return make('section', { class: 'paint felt', 'aria-label': title }, tools, place, said, make('div', { class: 'actions' }, play, undo, redo, clear),
    ...(sizes ? [make('div', { class: 'edit-size' }, tall.el, ...(triangular ? [] : [wide.el]))] : []));
}
