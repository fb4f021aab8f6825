// Levels of peg solitaire.

import { Board, Shape, cellName, jumpOf } from '../../../static/board.js';

const shapes = new Map(); // by their boards

// picture draws where a level begins, and where it is to end.
export function picture(board, { pattern, target }) {
  if (!shapes.has(board)) shapes.set(board, new Shape(board));
  const drawn = new Board(shapes.get(board));
  const ends = [...target].flatMap((c, i) => (c === 'o' ? [i] : []));
  drawn.show(ends.length > 1 ? target : pattern); // a letter, or the game that leaves one peg
  if (ends.length === 1) {
    drawn.mark('wanted', ends.filter((i) => pattern[i] === 'o'), { r: 4 });
    drawn.mark('missing-peg', ends.filter((i) => pattern[i] !== 'o'), { behind: true, r: 14 });
  }
  return drawn.el;
}

export const aim = ({ target }) => (target.split('o').length === 2 ? 'Leave one peg, in the marked hole.' : 'Begin with all holes full but the middle one, and leave these pegs.');

export const moves = (texts) => texts.map(jumpOf).map(({ from, to }) => `${cellName(...from)}–${cellName(...to)}`);

export const note = 'Holes have the names of their columns, a, b, c from the left, and of their rows, 1, 2, 3 from the top.';
