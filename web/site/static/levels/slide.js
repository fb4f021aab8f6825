// Levels of sliding blocks.

import { svg } from '../../../static/board.js';
import { boardOf, read } from '../../../static/drawing.js';
import { spell } from '../../../static/shapes.js';
import { block, called, frame, ground, looks, rails, rods, targets } from '../../../static/tray.js';

export function picture(_, { text }) {
  const d = boardOf(read(text));
  const colours = looks(d);
  const el = frame(d, { class: 'board tray' });
  el.append(ground(d, targets(d)), ...d.pieces.map((p, i) => svg('g', { class: `k${colours[i]}` }, ...rods(p.cells))),
    ...d.pieces.map((p, i) => svg('g', { class: `block k${colours[i]}` }, ...block(d, i, p.cells))), ...rails(d));
  return el;
}

export function moves(texts, { text }) {
  const tray = boardOf(read(text));
  return texts.map((move) => `${called(tray, move[0])} ${spell(move.slice(1))}`);
}
