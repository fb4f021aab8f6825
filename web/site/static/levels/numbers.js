// Levels of number tiles.

import { svg } from '../../../static/board.js';
import { grid, tile } from '../../../static/numbers.js';
import { CELL } from '../../../static/shapes.js';

// picture draws a board with the tile that is to be reached.
export function picture({ rows, cols }, { goal }) {
  const el = grid(rows, cols);
  el.append(svg('g', { transform: `translate(${CELL / 2} ${CELL / 2})` }, tile(goal.number, goal)));
  return el;
}

export const aim = () => 'Join tiles until this one is there.';
