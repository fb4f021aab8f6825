// Painting a board of pegs or a problem of Lunar Lockout: a grid of cells, a palette, and what is still missing. Nothing is
// computed: the page that plays the board does that.

import { Pad, Shape, ground, svg } from '../../static/board.js';
import { make } from '../../static/dom.js';

const CELL = 40;
const LETTERS = 'XYZWVU';
const NUMBERS = '123456789';
const isLetter = (ch) => LETTERS.includes(ch);
const isNumber = (ch) => NUMBERS.includes(ch);

// cellsOf lists the cells of rows, each a text with a character for each cell.
const cellsOf = (rows) => rows.flatMap((row, r) => [...row].map((_, c) => [r, c]));

// A PegPad is a board of pegs on which some cells may be no part of the board.
class PegPad extends Pad {
  show(cells) {
    const off = [...cells].map((ch) => ch === '#');
    if (off.join() !== this.off) {
      this.off = off.join();
      const { shape } = this;
      const kept = shape.cells.flatMap((_, i) => (off[i] ? [] : [i]));
      const part = Object.assign(Object.create(Shape.prototype), shape, { cells: kept.map((i) => shape.cells[i]), at: kept.map((i) => shape.at[i]) });
      part.number = new Map(part.cells.map(([row, col], i) => [`${row},${col}`, i]));
      for (const [side, k] of [['width', 0], ['height', 1]]) part[side] -= Math.max(...shape.at.map((at) => at[k])) - Math.max(...part.at.map((at) => at[k]));
      this.el.firstElementChild.replaceWith(kept.length ? ground(part) : svg('g'));
    }
    [...cells].forEach((ch, i) => this.set(i, ch === 'o' ? 'o' : '.'));
    this.mark('no-cell', off.flatMap((is, i) => (is ? [i] : [])), { behind: true, r: 5 });
    this.cells = cells;
    this.describe();
  }
}

// A LunarPad is a board of Lunar Lockout with the landing pad in its middle.
class LunarPad extends Pad {
  show(cells) {
    const { shape } = this;
    if (!this.laid) {
      this.laid = true;
      const half = CELL / 2 - 1.6;
      const middle = shape.at[(shape.at.length - 1) / 2];
      const rect = (at, rx, kind) => svg('rect', { x: at, y: at, width: shape.width - 2 * at, height: shape.height - 2 * at, rx, class: kind });
      this.el.firstElementChild.replaceWith(svg('g', { class: 'ground' }, rect(0, 14, 'edge'), rect(1.5, 13, 'wood'),
        ...shape.at.flatMap(([x, y]) => [['shade', 0], ['hole', 1.2]].map(([kind, up]) => svg('rect', { x: x - half, y: y - half + up, width: 2 * half, height: 2 * half - up, rx: 6.4, class: kind }))),
        ...[[12.4, 'pad'], [9.2, 'hole'], [4.4, 'pad']].map(([r, kind]) => svg('circle', { cx: middle[0], cy: middle[1], r, class: kind }))));
    }
    this.layer.replaceChildren(...[...cells].flatMap((ch, i) => {
      if (ch === '.') return [];
      const round = isLetter(ch);
      const part = (r, y, kind) => (round ? svg('circle', { r, cy: y, class: kind }) : svg('rect', { x: -r * 0.85, y: y - r * 0.85, width: 1.7 * r, height: 1.7 * r, rx: 4, class: kind }));
      return [svg('g', { class: `block ${round ? `saucer s${LETTERS.indexOf(ch)}` : 'robot'}`, transform: `translate(${shape.at[i].join(' ')})` },
        part(16.4, 1.4, 'cast'), part(16.4, 0, 'side'), part(15.2, -0.8, 'light'), part(14.6, -0.2, 'face'), svg('text', { class: 'name', 'aria-hidden': 'true' }, ch))];
    }));
    this.cells = cells;
    this.describe();
  }
}

// jumps reports whether a peg can jump somewhere.
function jumps(rows, triangular) {
  const at = (r, c) => rows[r]?.[c];
  return cellsOf(rows).some(([r, c]) => at(r, c) === 'o' && [[0, 1], [1, 0], ...(triangular ? [[1, 1]] : [])]
    .some(([dr, dc]) => [1, -1].some((way) => at(r + way * dr, c + way * dc) === 'o' && at(r + 2 * way * dr, c + 2 * way * dc) === '.')));
}

const pegs = {
  Pad: PegPad,
  palette: [['o', 'Peg'], ['.', 'Hole'], ['#', 'No cell']],
  kind: (ch) => ('o#'.includes(ch) ? ch : '.'),
  take: (ch) => ch,
  names: { o: 'peg', '.': 'hole', '#': 'no cell' },
  tell: (ch) => pegs.names[ch],
  cleared: (rows) => rows.map((row) => row.replaceAll('o', '.')),
  missing(rows, triangular) {
    const all = rows.join('');
    if (!all.includes('o')) return 'There is no peg yet: paint some.';
    if (!all.includes('.')) return 'There is no hole, so no peg can jump: paint one.';
    if (all.split('o').length === 2) return 'One peg is left already: paint more.';
    return jumps(rows, triangular) ? '' : 'No peg can jump: a jump needs two pegs and a hole behind them, in one line.';
  },
  ready: 'Play it: Hint and Solve show the way from there.',
  play: (rows, triangular) => ({ space: 'peg', drawn: `${triangular ? 'lattice: triangular\n' : ''}${rows.join('\n')}` }),
};

const lunar = {
  Pad: LunarPad,
  palette: [['X', 'Round piece'], ['1', 'Helper'], ['.', 'Empty']],
  kind: (ch) => (isLetter(ch) ? 'X' : isNumber(ch) ? '1' : '.'),
  // take returns the character that a cell gets, undefined if there is no more of its kind.
  take: (ch, all) => (ch === '.' ? '.' : [...(ch === 'X' ? LETTERS : NUMBERS)].find((name) => !all.includes(name))),
  tell: (ch) => (isLetter(ch) ? `round piece ${ch}` : isNumber(ch) ? `helper ${ch}` : 'empty'),
  cleared: (rows) => rows.map((row) => '.'.repeat(row.length)),
  refuses: (ch, cell, cells) => (ch === 'X' && cell === (cells.length - 1) / 2 ? 'A round piece that comes to the landing pad leaves at once: put it on another cell.' : ''),
  missing(rows) {
    const all = [...rows.join('')];
    if (!all.some(isLetter)) return 'There is no round piece yet: these have to come to the landing pad.';
    if (!all.some(isNumber)) return 'There is no helper yet: a piece slides until it meets another one.';
    return '';
  },
  ready: 'Play it: Hint shows the next move, and Solve the shortest solution.',
  play: (rows) => ({ space: 'lunar/5x5:1-2', at: rows.join('/') }),
};

const square = (rows, cols) => Array.from({ length: rows }, (_, r) => [...'o'.repeat(cols)].map((ch, c) => (r === rows >> 1 && c === cols >> 1 ? '.' : ch)).join(''));
const triangle = (n) => Array.from({ length: n }, (_, r) => (r ? 'o'.repeat(r + 1) : '.'));

// The boards to begin with, by the name in the address.
export const boards = {
  lunar: { title: 'Lunar Lockout, 5×5', of: lunar, rows: ['X...1', '.....', '.....', '.....', '2...3'] },
  english: { title: 'English peg board', of: pegs, rows: ['##ooo##', '##ooo##', 'ooooooo', 'ooo.ooo', 'ooooooo', '##ooo##', '##ooo##'], sizes: true },
  square: { title: 'Square peg board', of: pegs, rows: square(5, 5), sizes: true },
  triangle: { title: 'Triangular peg board', of: pegs, rows: triangle(5), triangular: true, sizes: true },
};

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
    else play.href = `./?${new URLSearchParams(of.play(rows, triangular))}`;
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
