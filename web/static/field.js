// The board of Lunar Lockout: its rules, and how it looks.

import { svg } from './board.js';
import { CELL, STEPS, outline } from './shapes.js';

const PAD = CELL / 7; // around the cells
const RIM = 1.5;
const LOOKS = 6; // colours of letters

const key = ([row, col]) => `${row},${col}`;
export const across = (way) => (way === 'U' || way === 'D' ? 'LR' : 'UD'); // the directions after a turn

// A Field knows the board and the rules. A position is the names of the pieces and their cells, null for those
// that have left.
export class Field {
  constructor(board) {
    Object.assign(this, board);
    this.floor = new Set(this.cells.map(key));
    this.pads = new Set(this.exits.map(key));
  }

  isLetter(name) { return this.letter_names.includes(name); }

  // read returns the position of a drawing, or null. A number piece that is drawn as o gets a free name.
  read(text) {
    const free = [...this.number_names].filter((name) => !text.includes(name));
    const rows = text.replace(/o/g, () => free.shift() ?? '?').split('/');
    const at = { names: '', cells: [] };
    const places = new Map(); // by row: the cells
    for (const cell of this.cells) places.set(cell[0], [...(places.get(cell[0]) ?? []), cell]);
    for (let row = 0; row < Math.max(rows.length, this.rows); row++) {
      const own = places.get(row) ?? [];
      if (rows[row]?.length !== own.length) return null;
      for (const [i, name] of [...rows[row]].entries()) {
        const isExit = this.pads.has(key(own[i]));
        if (name === '.' || name === '+' && isExit) continue;
        const letter = this.isLetter(name);
        if (!letter && !this.number_names.includes(name) || at.names.includes(name) || letter && isExit) return null;
        at.names += name;
        at.cells.push(own[i]);
      }
    }
    return at;
  }

  // text draws a position, as the server does.
  text({ names, cells }) {
    const pieces = new Map(cells.flatMap((cell, i) => (cell ? [[key(cell), names[i]]] : [])));
    let row = 0;
    return this.cells.map((cell) => {
      const rows = '/'.repeat(cell[0] - row);
      [row] = cell;
      return rows + (pieces.get(key(cell)) ?? (this.pads.has(key(cell)) ? '+' : '.'));
    }).join('');
  }

  solved({ names, cells }) { return cells.every((cell, i) => !cell || !this.isLetter(names[i])); }

  // stop returns where a piece stops that slides from its cell, or null if it cannot.
  stop(at, i, way) {
    if (!at.cells[i] || this.solved(at)) return null;
    const others = new Set(at.cells.flatMap((cell, j) => (cell && j !== i ? [key(cell)] : [])));
    const [dr, dc] = STEPS[way];
    let [row, col] = at.cells[i];
    for (let moved = false; ; moved = true) {
      const next = [row + dr, col + dc];
      if (!this.floor.has(key(next))) return null;
      if (others.has(key(next))) return moved ? [row, col] : null;
      [row, col] = next;
    }
  }

  leaves(at, i, cell) { return this.isLetter(at.names[i]) && this.pads.has(key(cell)); }

  after(at, i, way) {
    const to = this.stop(at, i, way);
    return { names: at.names, cells: at.cells.map((cell, j) => (j === i ? (this.leaves(at, i, to) ? null : to) : cell)) };
  }

  // onward lists how the last move can go on: the steps, and the position after them.
  onward(at, { set: [i], path }) {
    const found = [{ at, path: '', way: path.at(-1) }];
    const seen = new Set();
    for (const one of found) {
      for (const way of across(one.way)) {
        const to = this.stop(one.at, i, way);
        if (!to || seen.has(way + key(to))) continue;
        seen.add(way + key(to));
        found.push({ at: this.after(one.at, i, way), path: one.path + way, way });
      }
    }
    return found.slice(1);
  }
}

// ground draws the board under the pieces.
export function ground(field) {
  const inner = [];
  for (const [r, c] of field.cells) {
    const [x, y, side] = [c * CELL + 1.6, r * CELL + 1.6, CELL - 3.2];
    inner.push(svg('rect', { x, y, width: side, height: side, rx: 6.4, class: 'shade' }));
    const exit = field.pads.has(key([r, c]));
    inner.push(svg('rect', { x, y: y + 1.2, width: side, height: side - 1.2, rx: 6.4, class: exit ? 'hole target' : 'hole' }));
    if (!exit) continue;
    const [mx, my] = [(c + 0.5) * CELL, (r + 0.5) * CELL + 0.6];
    [12.4, 9.2, 4.4].forEach((radius, i) => inner.push(svg('circle', { cx: mx, cy: my, r: radius, class: i === 1 ? 'hole target' : 'pad' })));
    const [half, long] = [side / 2 - 3.6, 5.2];
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([sx, sy]) => `M${mx + sx * half - sx * long} ${my + sy * (half - 0.6)}h${sx * long}v${-sy * long}`).join('');
    inner.push(svg('path', { d: corners, class: 'pad-corners' }));
  }
  return svg('g', { class: 'ground' },
    svg('path', { d: outline(field.cells, { top: -PAD - RIM }), class: 'edge' }),
    svg('path', { d: outline(field.cells, { top: -PAD }), class: 'wood' }), ...inner);
}

// body draws a piece around the origin: a saucer or a robot, from above.
export function body(field, name) {
  const text = svg('text', { class: 'name', 'aria-hidden': 'true' }, name);
  if (!field.isLetter(name)) {
    const rect = (x, y, kind, up = 0, rx = 3.6) => svg('rect', { x: -x, y: -y - up, width: 2 * x, height: 2 * y, rx, class: kind });
    return [rect(13.8, 13.8, 'cast', -1.4, 4), rect(16.4, 5.2, 'side', 0, 2), rect(13.6, 13.6, 'side', 0, 4), rect(12.4, 12.2, 'light', 0.6, 3.2), rect(12.4, 11.6, 'face', -0.2, 3.2), text];
  }
  const lights = Array.from({ length: 10 }, (_, i) => {
    const turn = 2 * Math.PI * (i + 0.5) / 10;
    return svg('circle', { cx: (12.8 * Math.sin(turn)).toFixed(2), cy: (12.8 * Math.cos(turn) - 0.2).toFixed(2), r: 1.2, class: 'light' });
  });
  return [svg('circle', { r: 16.4, cy: 1.6, class: 'cast' }), svg('circle', { r: 16.4, class: 'side' }), svg('circle', { r: 15.2, cy: -0.8, class: 'light' }),
    svg('circle', { r: 14.6, cy: -0.2, class: 'face' }), ...lights, text];
}

export const look = (field, name) => (field.isLetter(name) ? `saucer s${field.letter_names.indexOf(name) % LOOKS}` : 'robot');

export function ring(field, name) {
  return field.isLetter(name) ? svg('circle', { r: 16.4, class: 'ring' }) : svg('rect', { x: -14.5, y: -14.5, width: 29, height: 29, rx: 5, class: 'ring' });
}

export function frame(field, attributes) {
  const wide = PAD + RIM;
  return svg('svg', { viewBox: `${-wide} ${-wide} ${field.cols * CELL + 2 * wide} ${field.rows * CELL + 2 * wide}`, ...attributes });
}

// thumbnail draws a problem small.
export function thumbnail(field, text) {
  const at = field.read(text);
  const el = svg('svg', { viewBox: `0 0 ${field.cols * CELL} ${field.rows * CELL}`, class: 'thumb lunar-thumb', 'aria-hidden': 'true' });
  el.append(...field.cells.map(([r, c]) => svg('rect', { x: c * CELL + 2, y: r * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 8, class: field.pads.has(key([r, c])) ? 'pad' : 'off' })));
  el.append(...at.cells.map(([r, c], i) => (field.isLetter(at.names[i])
    ? svg('circle', { cx: (c + 0.5) * CELL, cy: (r + 0.5) * CELL, r: 17, class: look(field, at.names[i]) })
    : svg('rect', { x: c * CELL + 5, y: r * CELL + 5, width: CELL - 10, height: CELL - 10, rx: 5, class: 'robot' }))));
  return el;
}

export const put = (el, [row, col], scale = 1) => el.setAttribute('transform', `translate(${(col + 0.5) * CELL} ${(row + 0.5) * CELL})${scale === 1 ? '' : ` scale(${scale})`}`);

// picture draws a problem.
export function picture(field, text) {
  const at = field.read(text);
  const el = frame(field, { class: 'board tray' });
  el.append(ground(field), ...at.cells.map((cell, i) => {
    const piece = svg('g', { class: `block ${look(field, at.names[i])}` }, ...body(field, at.names[i]));
    put(piece, cell);
    return piece;
  }));
  return el;
}
