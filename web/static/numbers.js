// How boards of number tiles are drawn.

import { svg } from './board.js';
import { CELL } from './shapes.js';

const FRAME = CELL / 5; // around the cells, as in pictures
const GAP = CELL / 20; // around a tile
const SIDE = CELL - 2 * GAP; // of a tile

// grid draws an empty board.
export function grid(rows, cols) {
  const [width, height] = [cols * CELL + 2 * FRAME, rows * CELL + 2 * FRAME];
  const el = svg('svg', { viewBox: `${-FRAME} ${-FRAME} ${width} ${height}`, class: 'board numbers' }, svg('rect', { x: -FRAME, y: -FRAME, width, height, rx: FRAME, class: 'edge' }));
  for (let n = 0; n < rows * cols; n++) {
    el.append(svg('rect', { x: (n % cols) * CELL + GAP, y: Math.floor(n / cols) * CELL + GAP, width: SIDE, height: SIDE, rx: CELL / 10, class: 'hole' }));
  }
  return el;
}

// tile draws a tile around the middle of its cell, in the colours of its look, if it has one.
export function tile(number, look) {
  const text = String(number);
  const el = svg('g', { class: 'num' }, svg('rect', { x: -SIDE / 2, y: -SIDE / 2, width: SIDE, height: SIDE, rx: CELL / 10 }),
    svg('text', { 'font-size': Math.min(0.46 * CELL, 1.5 * SIDE / text.length).toFixed(1) }, text));
  if (look) {
    el.style.setProperty('--face', `light-dark(${look.light[0]}, ${look.dark[0]})`);
    el.style.setProperty('--ink', `light-dark(${look.light[1]}, ${look.dark[1]})`);
  }
  return el;
}
