// Pictures of levels.

import { Board, Shape, svg } from '../../static/board.js';
import { boardOf, read } from '../../static/drawing.js';
import { Field, picture as field } from '../../static/field.js';
import { grid, tile } from '../../static/numbers.js';
import { CELL } from '../../static/shapes.js';
import { block, frame, ground, looks, rails, rods, targets } from '../../static/tray.js';

const known = new Map(); // shapes and fields by the name of the board

// picture draws a level: where it begins, and for pegs where it is to end.
export function picture({ boards }, level) {
  const el = level.text ? tray(level.text) : onBoard(boards, level);
  el.setAttribute('aria-hidden', 'true');
  el.removeAttribute('role');
  return el;
}

function tray(text) {
  const d = boardOf(read(text));
  const colours = looks(d);
  const el = frame(d, { class: 'board tray' });
  el.append(ground(d, targets(d)), ...d.pieces.map((p, i) => svg('g', { class: `k${colours[i]}` }, ...rods(p.cells))),
    ...d.pieces.map((p, i) => svg('g', { class: `block k${colours[i]}` }, ...block(d, i, p.cells))), ...rails(d));
  return el;
}

function onBoard(boards, { board, pattern, target, goal }) {
  if (goal) return tiles(boards[board], goal);
  if (boards[board].kind === 'lunar') {
    if (!known.has(board)) known.set(board, new Field(boards[board]));
    return field(known.get(board), pattern);
  }
  if (!known.has(board)) known.set(board, new Shape(boards[board]));
  const drawn = new Board(known.get(board));
  const ends = [...target].flatMap((c, i) => (c === 'o' ? [i] : []));
  drawn.show(ends.length > 1 ? target : pattern); // a letter, or the game that leaves one peg
  if (ends.length === 1) {
    drawn.mark('wanted', ends.filter((i) => pattern[i] === 'o'), { r: 4 });
    drawn.mark('missing-peg', ends.filter((i) => pattern[i] !== 'o'), { behind: true, r: 14 });
  }
  return drawn.el;
}

// tiles draws a board of number tiles, with the tile that is to be reached.
function tiles({ rows, cols }, goal) {
  const el = grid(rows, cols);
  el.append(svg('g', { transform: `translate(${CELL / 2} ${CELL / 2})` }, tile(goal.number, goal)));
  return el;
}
