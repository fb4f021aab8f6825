// Boards of pegs that people paint, and texts that draw some.

import { Pad, Shape, ground, svg } from '../../../static/board.js';
import { at, cellsOf, painted, picture } from '../paint.js';

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

const square = (rows, cols) => Array.from({ length: rows }, (_, r) => [...'o'.repeat(cols)].map((ch, c) => (r === rows >> 1 && c === cols >> 1 ? '.' : ch)).join(''));
const triangle = (n) => Array.from({ length: n }, (_, r) => (r ? 'o'.repeat(r + 1) : '.'));

export const boards = {
  english: { title: 'English peg board', of: pegs, rows: ['##ooo##', '##ooo##', 'ooooooo', 'ooo.ooo', 'ooooooo', '##ooo##', '##ooo##'], sizes: true },
  square: { title: 'Square peg board', of: pegs, rows: square(5, 5), sizes: true },
  triangle: { title: 'Triangular peg board', of: pegs, rows: triangle(5), triangular: true, sizes: true },
};

const heart = { of: pegs, rows: ['.o.o.', 'ooooo', 'ooooo', '.ooo.', '..o..'] };

export const templates = [
  { name: boards.english.title, about: 'Peg solitaire: paint pegs and holes as they stand on your board.', href: painted('english'), art: () => picture(boards.english) },
  { name: boards.triangle.title, about: 'Peg solitaire on 15 holes, or on another number of rows.', href: painted('triangle'), art: () => picture(boards.triangle) },
  { name: boards.square.title, about: 'Peg solitaire on any board of up to 8 by 8 cells.', href: painted('square'), art: () => picture(boards.square) },
  { name: 'Draw a pattern', about: 'Draw pegs, and see the nearest pattern that can be reached, played jump by jump.', href: at({ view: 'draw' }), art: () => picture(heart) },
];

export function reading(text) {
  const rows = text.trim().replace(/^lattice:.*\n/, '').split(/[\n/]/).map((row) => row.trim());
  const isBoard = /^lattice:/.test(text) || /^[o.*#\s/]+$/.test(text) && text.includes('o') && text.trim().split(/[\n/]/).filter((line) => line.trim()).length > 1;
  const lacks = isBoard && pegs.missing(rows.map((row) => row.replaceAll('*', 'o')), /^lattice:\s*tri/.test(text));
  if (lacks) return { told: lacks };
  return isBoard ? { told: 'This is a board of pegs.', href: at({ space: 'peg', drawn: text.replaceAll('/', '\n') }) } : null;
}
