// Boards, as SVG.

const NS = 'http://www.w3.org/2000/svg';
const CELL = 40; // from one cell to the next
const EDGE = CELL / 2 + 9; // from the middle of an outer cell to the end of the picture
const RADIUS = CELL / 2 + 8;

export function svg(name, attributes = {}, ...children) {
  const el = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

// cellName names a cell as the commands do with --cells d4, and as all of them read it: the letter of its column
// and the number of its row, from 1.
export function cellName(row, col) {
  let letters = '';
  for (let c = col; c >= 0; c = Math.floor(c / 26) - 1) letters = String.fromCharCode(97 + (c % 26)) + letters;
  return letters + (row + 1);
}

// A Shape is the cells of a board and its jumps, as the API has them.
export class Shape {
  constructor({ lattice, cells, jumps }) {
    this.triangular = lattice === 'triangular';
    this.cells = cells;
    this.jumps = jumps.map(([from, over, to], number) => ({ from, over, to, number }));
    const places = cells.map(([row, col]) => [col - (this.triangular ? row / 2 : 0), row * (this.triangular ? Math.sqrt(3) / 2 : 1)]);
    const left = Math.min(...places.map(([x]) => x));
    this.at = places.map(([x, y]) => [(x - left) * CELL + EDGE, y * CELL + EDGE]);
    this.width = Math.max(...this.at.map(([x]) => x)) + EDGE;
    this.height = Math.max(...this.at.map(([, y]) => y)) + EDGE;
    this.number = new Map(cells.map(([row, col], i) => [`${row},${col}`, i]));
  }

  // read returns a character for each cell of a pattern in rows.
  read(pattern) { return pattern.replace(/[/#\s]/g, ''); }

  fits(cells) { return cells.length === this.cells.length; }

  jump({ from, over, to }) {
    const [f, o, t] = [from, over, to].map(([row, col]) => this.number.get(`${row},${col}`));
    return this.jumps.find((j) => j.from === f && j.over === o && j.to === t);
  }

  // legal returns the jumps that can be made.
  legal(cells) {
    return this.jumps.filter((j) => cells[j.from] === 'o' && cells[j.over] === 'o' && cells[j.to] === '.');
  }

  after(cells, jump) {
    const next = [...cells];
    next[jump.from] = next[jump.over] = '.';
    next[jump.to] = 'o';
    return next.join('');
  }

  // beside returns the cell that lies in a direction, or the cell itself.
  beside(cell, dx, dy) {
    const [x, y] = this.at[cell];
    let best = cell;
    let least = Infinity;
    this.at.forEach(([u, v], i) => {
      const along = (u - x) * dx + (v - y) * dy;
      const across = Math.abs((u - x) * dy - (v - y) * dx);
      if (along < 1 || across > along * 1.01) return;
      if (along + 2 * across < least) [best, least] = [i, along + 2 * across];
    });
    return best;
  }

  // tell names a cell of the board.
  tell(cell) { return cellName(...this.cells[cell]); }
}

// jumpOf reads a jump that a build has written: the row and column from which it goes, and those to which, such as 2000.
export function jumpOf(text) {
  const [r, c, row, col] = [...text].map(Number);
  return { from: [r, c], over: [(r + row) / 2, (c + col) / 2], to: [row, col] };
}

export const pegs = (cells) => [...cells].filter((c) => c === 'o').length;

// ground draws the board under the cells: one bar for each longest row of neighbours.
export function ground(shape) {
  const g = svg('g', { class: 'ground' });
  const sides = [0, 1].map((k) => 1 + Math.max(...shape.cells.map((c) => c[k])));
  const whole = !shape.triangular && shape.cells.length === sides[0] * sides[1];
  const directions = shape.triangular ? [[0, 1], [1, 0], [1, 1]] : [[0, 1], [1, 0]];
  for (const layer of ['edge', 'wood']) {
    const r = layer === 'edge' ? RADIUS + 1 : RADIUS - 0.25;
    if (whole) {
      const at = EDGE - r;
      g.append(svg('rect', { x: at, y: at, width: shape.width - 2 * at, height: shape.height - 2 * at, rx: 0.72 * r, class: layer }));
      continue;
    }
    for (const [dr, dc] of directions) {
      shape.cells.forEach(([row, col], first) => {
        if (shape.number.has(`${row - dr},${col - dc}`)) return;
        let last = first;
        for (let k = 1; shape.number.has(`${row + k * dr},${col + k * dc}`); k++) last = shape.number.get(`${row + k * dr},${col + k * dc}`);
        const [[x1, y1], [x2, y2]] = [shape.at[first], shape.at[last]];
        if (shape.triangular) {
          g.append(svg('line', { x1, y1, x2: x2 + 0.01, y2, class: `${layer} bar`, 'stroke-width': 2 * r }));
        } else {
          g.append(svg('rect', { x: x1 - r, y: y1 - r, width: x2 - x1 + 2 * r, height: y2 - y1 + 2 * r, rx: 0.72 * r, class: layer }));
        }
      });
    }
  }
  const holes = (r, dy) => shape.at.map(([x, y]) => `M${x - r} ${y + dy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join('');
  g.append(svg('path', { d: holes(0.27 * CELL, 0), class: 'shade' }), svg('path', { d: holes(0.24 * CELL, 1.2), class: 'hole' }));
  return g;
}

function peg() {
  return svg('g', { class: 'peg' },
    svg('circle', { cy: 1.6, r: 15.2, class: 'cast' }),
    svg('circle', { r: 15.2, class: 'side' }),
    svg('circle', { cy: -0.8, r: 14.2, class: 'body' }),
    svg('circle', { cx: -4.8, cy: -6, r: 3, class: 'shine' }));
}

const moveTo = (el, [x, y], scale = 1) => el.setAttribute('transform', scale === 1 ? `translate(${x} ${y})` : `translate(${x} ${y}) scale(${scale})`);

// A Board shows a position, or a jump under way.
export class Board {
  constructor(shape, { label = '' } = {}) {
    this.shape = shape;
    this.shown = []; // by cell: what is drawn
    this.pegs = [];
    this.el = svg('svg', { viewBox: `0 0 ${shape.width} ${shape.height}`, class: 'board', role: 'img' });
    this.title = label;
    this.under = svg('g', { class: 'marks' });
    this.layer = svg('g');
    this.over = svg('g', { class: 'marks' });
    this.flyer = peg();
    this.flyer.classList.add('flyer');
    this.flyer.style.display = 'none';
    this.el.append(ground(shape), this.under, this.layer, this.over, this.flyer);
  }

  set title(text) { this.el.setAttribute('aria-label', text); }

  // set draws one cell: o a peg, . a hole, ? either, x a peg that is being taken.
  set(i, what, scale = 1) {
    const key = scale === 1 ? what : `${what}${scale}`;
    if (this.shown[i] === key) return;
    this.shown[i] = key;
    let el = this.pegs[i];
    if (what === '.') {
      if (el) el.style.display = 'none';
      return;
    }
    if (!el) {
      el = this.pegs[i] = peg();
      this.layer.append(el);
    }
    el.style.display = '';
    el.classList.toggle('any', what === '?');
    el.classList.toggle('taken', what === 'x');
    moveTo(el, this.shape.at[i], scale);
  }

  // show draws a position, or with a jump the share t of it.
  show(cells, jump = null, t = 0) {
    const flying = jump && t > 0 && t < 1;
    if (jump && t >= 1) cells = this.shape.after(cells, jump);
    this.cells = cells;
    for (let i = 0; i < cells.length; i++) {
      if (flying && i === jump.from) this.set(i, '.');
      else if (flying && i === jump.over) {
        const rest = Math.min(1, 1.8 * (1 - t));
        if (rest > 0.15) this.set(i, 'x', Math.round(rest * 50) / 50);
        else this.set(i, '.');
      } else this.set(i, cells[i]);
    }
    if (!flying) {
      if (this.flew) this.flyer.style.display = 'none';
      this.flew = false;
      return;
    }
    const share = t * t * (3 - 2 * t);
    const height = Math.sin(Math.PI * t);
    const [[x, y], [u, v]] = [this.shape.at[jump.from], this.shape.at[jump.to]];
    if (!this.flew) this.flyer.style.display = '';
    this.flew = true;
    moveTo(this.flyer, [x + (u - x) * share, y + (v - y) * share - 0.32 * height * CELL], 1 + 0.14 * height);
  }

  // mark puts shapes of a class at cells, in front of the pegs or behind them.
  mark(name, cells, { behind = false, r = 17.5 } = {}) {
    const layer = behind ? this.under : this.over;
    layer.querySelectorAll(`.${name}`).forEach((el) => el.remove());
    for (const i of cells) layer.append(svg('circle', { class: name, cx: this.shape.at[i][0], cy: this.shape.at[i][1], r }));
  }

  // arrow shows a jump.
  arrow(jump) {
    this.over.querySelectorAll('.arrow').forEach((el) => el.remove());
    if (!jump) return;
    this.over.append(...arrow(this.shape, jump));
  }
}

// arrow draws a jump.
function arrow(shape, jump) {
  const [[x1, y1], [x2, y2]] = [shape.at[jump.from], shape.at[jump.to]];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, across) => `${x1 + along * ux - across * uy},${y1 + along * uy + across * ux}`;
  const points = [at(0, -2.6), at(length - 13, -2.6), at(length - 13, -8), at(length, 0), at(length - 13, 8), at(length - 13, 2.6), at(0, 2.6)].join(' ');
  return [svg('polygon', { class: 'arrow rim', points }), svg('polygon', { class: 'arrow', points })];
}

const FAR = 6; // pixels that a pointer goes before it drags

// A Pad is a board whose cells are buttons. The arrow keys go from one to the next. It draws strokes, if drag is given;
// else its cells are pressed, and its pegs can be carried: take says whether one can be taken, and drop where it is put.
export class Pad extends Board {
  constructor(shape, { press, tell, drag = null, take = null, drop = null, label }) {
    super(shape);
    this.el.setAttribute('role', 'group');
    this.title = label;
    this.tell = tell;
    this.buttons = shape.at.map(([x, y], i) => {
      const el = svg('g', { class: 'cell', role: 'button', tabindex: -1, 'data-cell': i },
        svg('rect', { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, class: 'touch' }),
        svg('circle', { cx: x, cy: y, r: 18.5, class: 'ring' }));
      el.addEventListener('keydown', (event) => this.key(event, i, press));
      el.addEventListener('focus', () => this.rove(i));
      return el;
    });
    this.el.append(...this.buttons);
    this.rove(0);
    const cellOf = (event) => {
      const el = document.elementFromPoint(event.clientX, event.clientY)?.closest('.cell');
      return el && this.el.contains(el) ? Number(el.dataset.cell) : null;
    };
    if (!drag) {
      this.el.addEventListener('click', (event) => {
        const cell = event.target.closest('.cell');
        if (cell) press(Number(cell.dataset.cell));
      });
      if (take) this.carry(cellOf, take, drop);
      return;
    }
    // A stroke draws over all cells that it crosses.
    this.el.classList.add('drawn');
    let last = null;
    this.el.addEventListener('pointerdown', (event) => {
      const cell = cellOf(event);
      if (cell === null || event.button !== 0) return;
      event.preventDefault();
      this.buttons[cell].focus({ preventScroll: true });
      this.el.setPointerCapture(event.pointerId);
      last = cell;
      drag(cell, true);
    });
    this.el.addEventListener('pointermove', (event) => {
      if (last === null) return;
      const cell = cellOf(event);
      if (cell === null || cell === last) return;
      last = cell;
      drag(cell, false);
    });
    for (const end of ['pointerup', 'pointercancel']) this.el.addEventListener(end, () => { last = null; });
  }

  // carry lets a peg follow the pointer, once it has gone so far that it is no click.
  carry(cellOf, take, drop) {
    let held = null;
    this.el.addEventListener('pointerdown', (event) => {
      const cell = cellOf(event);
      if (cell !== null && event.button === 0 && !held) held = { cell, id: event.pointerId, x: event.clientX, y: event.clientY };
    });
    this.el.addEventListener('pointermove', (event) => {
      if (event.pointerId !== held?.id) return;
      if (!this.carried) {
        if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
        if (!take(held.cell)) {
          held = null;
          return;
        }
        this.el.setPointerCapture(event.pointerId);
      }
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.el.getScreenCTM().inverse());
      this.carried = { cell: held.cell, at: [x, y] };
      this.lift();
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      this.el.addEventListener(name, (event) => {
        if (event.pointerId !== held?.id) return;
        const { carried } = this;
        held = this.carried = null;
        if (carried) drop(carried.cell, name === 'pointerup' ? this.near(carried.at) : carried.cell);
      });
    }
  }

  // near returns the cell that is nearest to a point, or -1 if none is near.
  near([x, y]) {
    const far = this.shape.at.map(([u, v]) => Math.hypot(u - x, v - y));
    return far.findIndex((d) => d < CELL && d === Math.min(...far));
  }

  // lift draws the peg that is carried.
  lift() {
    this.set(this.carried.cell, '.');
    this.flyer.style.display = '';
    this.flew = true;
    moveTo(this.flyer, this.carried.at, 1.14);
  }

  rove(cell) {
    if (this.focused !== undefined) this.buttons[this.focused].setAttribute('tabindex', -1);
    this.focused = cell;
    this.buttons[cell].setAttribute('tabindex', 0);
  }

  key(event, cell, press) {
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      press(cell);
    } else if (directions[event.key]) {
      event.preventDefault();
      this.buttons[this.shape.beside(cell, ...directions[event.key])].focus();
    }
  }

  show(cells, jump, t) {
    super.show(cells, jump, t);
    if (this.carried) this.lift();
    this.describe();
  }

  describe() {
    this.cells.split('').forEach((c, i) => {
      const label = `${this.shape.tell(i)}: ${this.tell(c, i)}`;
      if (this.buttons[i].getAttribute('aria-label') !== label) this.buttons[i].setAttribute('aria-label', label);
    });
  }
}

// thumbnail draws a position small, with a jump if one is named: dots only.
export function thumbnail(shape, cells, jump = null) {
  const el = svg('svg', { viewBox: `0 0 ${shape.width} ${shape.height}`, class: 'thumb', 'aria-hidden': 'true' });
  [...cells].forEach((c, i) => {
    const [cx, cy] = shape.at[i];
    el.append(svg('circle', { cx, cy, r: c === 'o' ? 17 : 6, class: c === 'o' ? 'on' : 'off' }));
  });
  if (jump) el.append(...arrow(shape, jump));
  return el;
}
