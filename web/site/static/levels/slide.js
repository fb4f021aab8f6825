// Levels of sliding blocks.

import { svg } from '../../../static/board.js';
import { boardOf, read } from '../../../static/drawing.js';
import { spell } from '../../../static/shapes.js';
import { block, called, frame, ground, looks, rails, rods, targets } from '../../../static/tray.js';

// draw draws pieces of a board in some cells.
function draw(d, pieces, marks) {
  const colours = looks(d);
  const el = frame(d, { class: 'board tray' });
  const all = pieces.map(({ piece, cells }) => ({ cells, i: d.names.indexOf(piece) }));
  el.append(ground(d, marks), ...all.map(({ cells, i }) => svg('g', { class: `k${colours[i]}` }, ...rods(cells))),
    ...all.map(({ cells, i }) => svg('g', { class: `block k${colours[i]}` }, ...block(d, i, cells))), ...rails(d));
  return el;
}

export function picture(_, { text }) {
  const d = boardOf(read(text));
  return draw(d, d.pieces, targets(d));
}

// goal draws the first goal, if the board does not mark it.
export function goal({ text }) {
  const d = boardOf(read(text));
  return targets(d).length ? null : draw(d, d.goals[0], []);
}

export function aim({ text }) {
  const d = boardOf(read(text));
  const wanted = [...new Set(d.goals[0].map(({ piece }) => piece))].sort();
  const where = targets(d).length ? 'marked' : d.goals.length > 1 ? `shown, or one of ${d.goals.length - 1} others` : 'shown';
  return wanted.length > 6 ? `Bring the pieces to the places ${where}.` : `Bring ${called(d, wanted.join(''))} to the place ${where}.`;
}

export function moves(texts, { text }) {
  const tray = boardOf(read(text));
  return texts.map((move) => `${called(tray, move[0])} ${spell(move.slice(1))}`);
}
