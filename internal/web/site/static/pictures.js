// Pictures of levels.

import { Board, Shape, svg } from '../../static/board.js';
import { boardOf, read } from '../../static/drawing.js';
import { Field, picture as field } from '../../static/field.js';
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
function tiles({ rows, cols }, { number, light, dark }) {
  const [side, frame, gap] = [40, 8, 2];
  const el = svg('svg', { viewBox: `${-frame} ${-frame} ${cols * side + 2 * frame} ${rows * side + 2 * frame}`, class: 'board numbers' },
    svg('rect', { x: -frame, y: -frame, width: cols * side + 2 * frame, height: rows * side + 2 * frame, rx: 8, class: 'edge' }));
  const square = (row, col, kind) => svg('rect', { x: col * side + gap, y: row * side + gap, width: side - 2 * gap, height: side - 2 * gap, rx: 4, class: kind });
  for (let n = 0; n < rows * cols; n++) el.append(square(Math.floor(n / cols), n % cols, 'hole'));
  const tile = svg('g', { class: 'num' }, square(0, 0, ''),
    svg('text', { x: side / 2, y: side / 2, 'font-size': Math.min(0.46 * side, 1.5 * (side - 2 * gap) / String(number).length).toFixed(1) }, String(number)));
  tile.style.setProperty('--face', `light-dark(${light[0]}, ${dark[0]})`);
  tile.style.setProperty('--ink', `light-dark(${light[1]}, ${dark[1]})`);
  el.append(tile);
  return el;
}
