// Levels of Lunar Lockout.

import { Field, picture as problem } from '../../../static/field.js';
import { spell } from '../../../static/shapes.js';

const fields = new Map(); // by their boards

export function picture(board, { pattern }) {
  if (!fields.has(board)) fields.set(board, new Field(board));
  return problem(fields.get(board), pattern);
}

export const aim = () => 'Bring the round pieces onto the landing pad.';

export const moves = (texts) => texts.map((move) => `${move[0]} ${spell(move.slice(1))}`);
