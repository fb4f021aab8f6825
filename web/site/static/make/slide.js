// Drawings of sliding blocks to begin with in the editor, and texts that draw some.

import { rushHour } from '../../../static/drawing.js';
import { npuzzle, templates as drawings } from '../../../static/templates.js';
import { picture } from '../levels/slide.js';
import { at } from '../paint.js';

const EDITOR = 'slide/rushhour1'; // a small puzzle that the editor opens with: drawings are solved beside it
const edit = (drawing) => at({ space: EDITOR, view: 'edit', drawing });

const tray = (text) => picture(null, { text });
const blocks = 'tray:\nAABB.\nACC.D\nE.CDD\nEEFF.\n.....\ngoal:\n.....\n.....\n.....\n...AA\n...A.\n';
const klotski = 'tray:\nBAAC\nBAAC\nDEEF\nDghF\ni..j\ngoal:\n....\n....\n....\n.AA.\n.AA.\n';
const [cars, khun, eight, fifteen, empty] = drawings;
const sizes = [[2, 3], [3, 4], [5, 5]].map(([rows, cols]) => ({ name: `${rows}×${cols}`, href: edit(npuzzle(rows, cols)) }));

export const templates = [
  { name: cars.name, about: 'Drag the red car to its place, then draw the other cars: one stroke for each.', href: edit(cars.text), art: () => tray(rushHour('BCDDEoBCFoEGBoFAAGHHHIoGooJIKKLLJMMo')) },
  { name: khun.name, about: 'Klotski and Huarong Dao: draw the blocks around the large one, which has to come out at the bottom.', href: edit(khun.text), art: () => tray(klotski) },
  { name: eight.name, about: 'Drag tiles onto each other until they stand as in your puzzle.', href: edit(eight.text), art: () => tray(eight.text) },
  { name: fifteen.name, about: 'The same with fifteen tiles, or with another number of rows and columns:', href: edit(fifteen.text), art: () => tray(fifteen.text), more: sizes },
  { name: 'Sliding blocks of any shape', about: 'Begin with an empty tray. Draw pieces and walls, and say where a piece should end up.', href: edit(empty.text), art: () => tray(blocks) },
];

const EDITED = { go: 'Open it in the editor' };

export function reading(text) {
  const line = /^\d+\s+([A-Za-z.]{36})\s+\d+\s*$/.exec(text); // of a list of boards: moves, board, positions
  const board = line ? line[1] : text.replaceAll('/', '');
  const plain = board.replace(/\s+/g, '');
  const cars = rushHour(board);
  if (/^[A-Zox.]{34,38}$/.test(plain) && !/\n/.test(text) && plain.length !== 36) return { told: `A Rush Hour board has 36 characters, and this one has ${plain.length}.` };
  if (cars && !plain.includes('.') && !plain.includes('o')) return { told: 'No cell of this board is empty, so nothing can move.' };
  if (cars) return { ...EDITED, told: 'This is a Rush Hour level. The editor shows how it is solved.', href: edit(cars) };
  const isTray = /^[0-9A-Za-z.#]+(\/|\n)/.test(text) || /^(tray|title|rushhour|floors):/m.test(text) || /^[0-9A-F]{9}$/i.test(text);
  return isTray ? { ...EDITED, told: 'This is a tray of sliding blocks. The editor shows how it is solved.', href: edit(text) } : null;
}
