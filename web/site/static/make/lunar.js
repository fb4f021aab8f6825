// Problems of Lunar Lockout that people paint, and texts that draw some.

import { Pad, svg } from '../../../static/board.js';
import { at, painted, picture } from '../paint.js';

const CELL = 40;
const LETTERS = 'XYZWVU';
const NUMBERS = '123456789';
const isLetter = (ch) => LETTERS.includes(ch);
const isNumber = (ch) => NUMBERS.includes(ch);

// A LunarPad is a board of Lunar Lockout with the landing pad in its middle.
class LunarPad extends Pad {
  show(cells) {
    const { shape } = this;
    if (!this.laid) {
      this.laid = true;
      const half = CELL / 2 - 1.6;
      const middle = shape.at[(shape.at.length - 1) / 2];
      const rect = (at, rx, kind) => svg('rect', { x: at, y: at, width: shape.width - 2 * at, height: shape.height - 2 * at, rx, class: kind });
      this.el.firstElementChild.replaceWith(svg('g', { class: 'ground' }, rect(0, 14, 'edge'), rect(1.5, 13, 'wood'),
        ...shape.at.flatMap(([x, y]) => [['shade', 0], ['hole', 1.2]].map(([kind, up]) => svg('rect', { x: x - half, y: y - half + up, width: 2 * half, height: 2 * half - up, rx: 6.4, class: kind }))),
        ...[[12.4, 'pad'], [9.2, 'hole'], [4.4, 'pad']].map(([r, kind]) => svg('circle', { cx: middle[0], cy: middle[1], r, class: kind }))));
    }
    this.layer.replaceChildren(...[...cells].flatMap((ch, i) => {
      if (ch === '.') return [];
      const round = isLetter(ch);
      const part = (r, y, kind) => (round ? svg('circle', { r, cy: y, class: kind }) : svg('rect', { x: -r * 0.85, y: y - r * 0.85, width: 1.7 * r, height: 1.7 * r, rx: 4, class: kind }));
      return [svg('g', { class: `block ${round ? `saucer s${LETTERS.indexOf(ch)}` : 'robot'}`, transform: `translate(${shape.at[i].join(' ')})` },
        part(16.4, 1.4, 'cast'), part(16.4, 0, 'side'), part(15.2, -0.8, 'light'), part(14.6, -0.2, 'face'), svg('text', { class: 'name', 'aria-hidden': 'true' }, ch))];
    }));
    this.cells = cells;
    this.describe();
  }
}

const lunar = {
  Pad: LunarPad,
  palette: [['X', 'Round piece'], ['1', 'Helper'], ['.', 'Empty']],
  kind: (ch) => (isLetter(ch) ? 'X' : isNumber(ch) ? '1' : '.'),
  take: (ch, all) => (ch === '.' ? '.' : [...(ch === 'X' ? LETTERS : NUMBERS)].find((name) => !all.includes(name))),
  tell: (ch) => (isLetter(ch) ? `round piece ${ch}` : isNumber(ch) ? `helper ${ch}` : 'empty'),
  cleared: (rows) => rows.map((row) => '.'.repeat(row.length)),
  refuses: (ch, cell, cells) => (ch === 'X' && cell === (cells.length - 1) / 2 ? 'A round piece that comes to the landing pad leaves at once: put it on another cell.' : ''),
  missing(rows) {
    const all = [...rows.join('')];
    if (!all.some(isLetter)) return 'There is no round piece yet: these have to come to the landing pad.';
    if (!all.some(isNumber)) return 'There is no helper yet: a piece slides until it meets another one.';
    return '';
  },
  ready: 'Play it: Hint shows the next move, and Solve the shortest solution.',
  play: (rows) => ({ space: 'lunar/5x5:1-2', at: rows.join('/') }),
};

export const boards = {
  lunar: { title: 'Lunar Lockout, 5×5', of: lunar, rows: ['X...1', '.....', '.....', '.....', '2...3'] },
};

export const templates = [
  { name: boards.lunar.title, about: 'Place the round pieces and the helpers.', href: painted('lunar'), art: () => picture({ ...boards.lunar, rows: ['1...2', '..X..', '.....', '.Y...', '3...4'] }) },
];

export function reading(text) {
  if (/^lunar:/m.test(text)) return { told: 'This is a board of Lunar Lockout.', href: at({ space: 'lunar', drawn: text }) };
  const lines = text.split(/[\n/]/).map((line) => line.trim()).filter(Boolean);
  const all = lines.join('');
  if (lines.length !== 5 || !lines.every((line) => /^[A-Z1-9o.+]{5}$/.test(line)) || !/[A-Z]/.test(all) || /([A-Z1-9]).*\1/.test(all)) return null;
  return { told: 'This is a problem of Lunar Lockout.', href: at({ space: 'lunar/5x5:1-2', at: lines.join('/').replaceAll('+', '.') }) };
}
