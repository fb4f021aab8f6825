// Trays of sliding blocks: their rules, and how they are drawn.

import { svg } from './board.js';
import { CELL, STEPS, key, outline } from './shapes.js';

const FRAME = 14; // around the cells

// What counts as one move.
export const METRICS = [
  { name: 'steps', counts: 'one piece by one cell' },
  { name: 'lines', counts: 'one piece by any number of cells in one direction' },
  { name: 'moves', counts: 'one piece along any path' },
  { name: 'supersteps', counts: 'one or several pieces together by one cell' },
  { name: 'superlines', counts: 'one or several pieces together by any number of cells in one direction' },
  { name: 'supermoves', counts: 'one or several pieces together along any path' },
];

// A Tray knows the rules. A position is the offset of each piece from its cells at the start; moves
// of pieces are sets of their numbers, in order.
export class Tray {
  constructor(board) {
    Object.assign(this, board);
    this.names = board.pieces.map((p) => p.piece).join('');
    this.floor = new Set(board.cells.map(([r, c]) => key(r, c)));
    this.blocked = new Set(board.walls.flatMap(({ cell: [r, c], side }) => {
      const [u, v] = side === 'right' ? [r, c + 1] : [r + 1, c];
      return [`${r},${c},${u},${v}`, `${u},${v},${r},${c}`];
    }));
    this.gate = new Map(board.gates.map(({ cell: [r, c], piece }) => [key(r, c), piece]));
    this.begin = board.pieces.map(() => [0, 0]);
  }

  cellsOf(at, i) {
    const [dr, dc] = at[i];
    return this.pieces[i].cells.map(([r, c]) => [r + dr, c + dc]);
  }

  owners(at) {
    const all = new Map();
    at.forEach((_, i) => this.cellsOf(at, i).forEach(([r, c]) => all.set(key(r, c), i)));
    return all;
  }

  text(at) {
    const owners = this.owners(at);
    const rows = Array.from({ length: this.rows }, () => '');
    for (const [r, c] of this.cells) rows[r] = rows[r].padEnd(c, '#') + (this.names[owners.get(key(r, c))] ?? '.');
    return rows.map((row) => row || '#').join('/');
  }

  // read returns the position of a text that text wrote, or null.
  read(text) {
    const where = new Map();
    const at = this.pieces.map(() => null);
    text.split('/').forEach((row, r) => [...row].forEach((name, c) => {
      const i = this.names.indexOf(name);
      if (i < 0) return;
      const [first] = this.pieces[i].cells;
      at[i] ??= [r - first[0], c - first[1]];
      where.set(key(r, c), i);
    }));
    return at.every(Boolean) && this.text(at) === text ? at : null;
  }

  // may reports whether a piece may take a step, whatever other pieces are there.
  may(at, i, way) {
    const { piece, axis } = this.pieces[i];
    const [dr, dc] = STEPS[way];
    if (axis === 'horizontal' && dr || axis === 'vertical' && dc) return false;
    const cells = this.cellsOf(at, i);
    const next = cells.map(([r, c]) => [r + dr, c + dc]);
    const there = new Set(next.map(([r, c]) => key(r, c)));
    return next.every(([r, c], k) => this.floor.has(key(r, c)) && !this.blocked.has(`${cells[k][0]},${cells[k][1]},${r},${c}`)
      && (!this.gate.has(key(r, c)) || this.gate.get(key(r, c)) === piece)
      && !(there.has(key(r, c + 1)) && this.blocked.has(`${r},${c},${r},${c + 1}`))
      && !(there.has(key(r + 1, c)) && this.blocked.has(`${r},${c},${r + 1},${c}`)));
  }

  // push returns the pieces that move when one takes a step, or null. Only some metrics move several.
  push(at, i, way) {
    const owners = this.owners(at);
    const [dr, dc] = STEPS[way];
    const set = new Set([i]);
    for (const j of set) {
      if (!this.may(at, j, way)) return null;
      for (const [r, c] of this.cellsOf(at, j)) {
        const other = owners.get(key(r + dr, c + dc));
        if (other !== undefined && !set.has(other)) {
          if (!this.metric.together) return null;
          set.add(other);
        }
      }
    }
    return [...set].sort((a, b) => a - b);
  }

  // fits reports whether a set of pieces can take a step together.
  fits(at, set, way) {
    return set.length > 0 && (set.length === 1 || this.metric.together)
      && set.every((i) => this.push(at, i, way)?.every((j) => set.includes(j)));
  }

  after(at, set, way) {
    const [dr, dc] = STEPS[way];
    return at.map(([r, c], i) => (set.includes(i) ? [r + dr, c + dc] : [r, c]));
  }

  solved(at) {
    const place = (cells) => cells.map(([r, c]) => key(r, c)).sort().join(' ');
    const placed = new Set(at.map((_, i) => `${this.pieces[i].kind}: ${place(this.cellsOf(at, i))}`));
    return this.goals.some((goal) => goal.every((w) => placed.has(`${this.pieces[this.names.indexOf(w.piece)].kind}: ${place(w.cells)}`)));
  }
}

// heart returns a point well inside a piece, in cells.
export function heart(cells) {
  const has = new Set(cells.map(([r, c]) => key(r, c)));
  const mean = [0, 1].map((k) => cells.reduce((sum, cell) => sum + cell[k] + 0.5, 0) / cells.length);
  let [best, least] = [null, Infinity];
  for (const [r, c] of cells) {
    for (const [dr, dc] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      if (![[r + dr, c], [r, c + dc], [r + dr, c + dc]].every(([u, v]) => has.has(key(u, v)))) continue;
      const at = [r + dr / 2 + 0.5, c + dc / 2 + 0.5];
      const off = Math.hypot(at[0] - mean[0], at[1] - mean[1]);
      if (off < least - 1e-9) [best, least] = [at, off];
    }
  }
  return best;
}

// partsOf divides cells into those that edges connect.
export function partsOf(cells) {
  const left = [...cells];
  const parts = [];
  while (left.length) {
    const part = left.splice(0, 1);
    for (const [r, c] of part) {
      for (let k = left.length - 1; k >= 0; k--) if (Math.abs(left[k][0] - r) + Math.abs(left[k][1] - c) === 1) part.push(...left.splice(k, 1));
    }
    parts.push(part);
  }
  return parts;
}

// rods draws what joins each part of a piece, but for the first, with the nearest before it.
export function rods(cells) {
  const parts = partsOf(cells);
  const d = parts.slice(1).map((part, n) => {
    const pairs = part.flatMap((a) => parts.slice(0, n + 1).flat().map((b) => ({ a, b, far: Math.hypot(a[0] - b[0], a[1] - b[1]) })));
    const { a, b } = pairs.reduce((p, q) => (q.far < p.far ? q : p));
    return `M${(a[1] + 0.5) * CELL} ${(a[0] + 0.5) * CELL}L${(b[1] + 0.5) * CELL} ${(b[0] + 0.5) * CELL}`;
  }).join('');
  return d ? [svg('path', { d, class: 'rod rim' }), svg('path', { d, class: 'rod' })] : [];
}

// apart reports whether the pieces of the goal differ from others, or there is but one piece.
const apart = ({ pieces }) => pieces.length === 1 || pieces.some((p) => !p.goal);

// looks returns the number of the colour of each piece: 0 if a goal names it, else one for its shape.
export function looks(tray) {
  const shapes = new Map();
  return tray.pieces.map((p) => {
    if (p.goal && apart(tray)) return 0;
    const shape = p.cells.map(([r, c]) => key(r - p.cells[0][0], c - p.cells[0][1])).join(' ');
    if (!shapes.has(shape)) shapes.set(shape, shapes.size);
    return 1 + shapes.get(shape) % 5;
  });
}

// targets returns the places where goals want pieces, unless these are nearly everywhere.
export function targets(tray) {
  if (tray.goals.length > 4 || !apart(tray)) return [];
  const all = new Map(tray.goals.flat().map((w) => [w.piece + JSON.stringify(w.cells), w]));
  return [...all.values()];
}

export const [GAP, BEVEL, DEPTH, LINE] = [0.03 * CELL, 0.04 * CELL, 0.06 * CELL, 0.025 * CELL];

// ground draws the tray under the pieces.
export function ground(tray, marks) {
  const [w, h] = [tray.cols * CELL, tray.rows * CELL];
  return svg('g', { class: 'ground' },
    svg('rect', { x: -FRAME, y: -FRAME, width: w + 2 * FRAME, height: h + 2 * FRAME, rx: 0.34 * CELL, class: 'edge' }),
    svg('rect', { x: 1.5 - FRAME, y: 1.5 - FRAME, width: w + 2 * FRAME - 3, height: h + 2 * FRAME - 3, rx: 0.3 * CELL, class: 'wood' }),
    svg('path', { d: outline(tray.cells, { top: 0 }), class: 'shade' }),
    svg('path', { d: outline(tray.cells, { top: DEPTH, right: 0, bottom: 0, left: 0 }), class: 'hole' }),
    ...marks.map((t) => svg('path', { d: outline(t.cells, { top: 0.1 * CELL }), class: 'target' })),
    ...tray.gates.map(({ cell: [r, c] }) => svg('path', { d: outline([[r, c]], { top: 0.2 * CELL }), class: 'gate' })),
    ...tray.gates.map(({ cell: [r, c], piece }) => svg('text', { x: (c + 0.5) * CELL, y: (r + 0.5) * CELL, class: 'gate-name' }, piece)));
}

// rails draws the walls between cells.
export function rails(tray) {
  const d = tray.walls.map(({ cell: [r, c], side }) => (side === 'right'
    ? `M${(c + 1) * CELL} ${r * CELL}v${CELL}` : `M${c * CELL} ${(r + 1) * CELL}h${CELL}`)).join('');
  return d ? [svg('path', { d, class: 'rail edge' }), svg('path', { d, class: 'rail inner' })] : [];
}

const NUMBERS = '123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

// numbered reports whether the pieces are the tiles of an n-puzzle. Its texts write 10 as A.
export const numbered = ({ pieces }) => pieces.length > 2 && pieces.every(({ piece, cells }) => cells.length === 1 && NUMBERS.slice(0, pieces.length).includes(piece));

// label is what a piece shows.
export const label = (tray, i) => String(numbered(tray) ? NUMBERS.indexOf(tray.pieces[i].piece) + 1 : tray.pieces[i].piece);

// called names pieces, given by their letters, as the board shows them.
export const called = (tray, letters) => [...letters].map((letter) => label(tray, tray.pieces.findIndex(({ piece }) => piece === letter))).join(' and ');

// block draws a piece.
export function block(tray, i, cells) {
  const side = GAP + LINE;
  return [
    svg('path', { d: outline(cells, { top: GAP, right: GAP, bottom: 0, left: GAP }), class: 'cast' }),
    svg('path', { d: outline(cells, { top: GAP }), class: 'side' }),
    svg('path', { d: outline(cells, { top: side, bottom: GAP + DEPTH }), class: 'light' }),
    svg('path', { d: outline(cells, { top: side + BEVEL, right: side, bottom: GAP + DEPTH, left: side }), class: 'face' }),
    ...partsOf(cells).map((part) => {
      const [row, col] = heart(part);
      return svg('text', { x: col * CELL, y: row * CELL, class: 'name', 'aria-hidden': 'true' }, label(tray, i));
    }),
  ];
}

export function frame(tray, attributes) {
  const [w, h] = [tray.cols * CELL + 2 * FRAME, tray.rows * CELL + 2 * FRAME];
  return svg('svg', { viewBox: `${-FRAME} ${-FRAME} ${w} ${h}`, ...attributes });
}

export const shift = (el, x, y) => el.setAttribute('transform', `translate(${x} ${y})`);
