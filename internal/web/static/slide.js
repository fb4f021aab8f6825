// Sliding blocks: pieces are dragged through a tray to their goal. Distances to it are exact.

import { ask } from './api.js';
import { svg, cellName } from './board.js';
import { make, calm, isolate } from './player.js';
import { state, save } from './url.js';

const $ = (id) => document.getElementById(id);
const comma = (n) => BigInt(n).toLocaleString('en');
const CELL = 40;
const FRAME = 14; // around the cells
const STEPS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };
const BACK = { U: 'D', D: 'U', L: 'R', R: 'L' };
const WORDS = { U: 'up', D: 'down', L: 'left', R: 'right' };
const LONGEST = 1500; // of the moves in the URL

const plural = (n, one, many = `${one}s`) => `${comma(n)} ${n === 1 ? one : many}`;
const key = (row, col) => `${row},${col}`;

// spell says a path in words, such as "down 2, right".
const spell = (path) => (path.match(/(.)\1*/g) ?? []).map((run) => WORDS[run[0]] + (run.length > 1 ? ` ${run.length}` : '')).join(', ');

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

// outline returns the path around cells, with its edges moved inwards.
function outline(cells, { top, right = top, bottom = top, left = top }) {
  const has = new Set(cells.map(([r, c]) => key(r, c)));
  const edges = new Map(); // by where they begin: the interior lies on the right
  const add = (r, c, way, dr, dc) => {
    const list = edges.get(key(r, c)) ?? [];
    list.push({ r, c, way, to: [r + dr, c + dc] });
    edges.set(key(r, c), list);
  };
  for (const [r, c] of cells) {
    if (!has.has(key(r - 1, c))) add(r, c, 0, 0, 1);
    if (!has.has(key(r, c + 1))) add(r, c + 1, 1, 1, 0);
    if (!has.has(key(r + 1, c))) add(r + 1, c + 1, 2, 0, -1);
    if (!has.has(key(r, c - 1))) add(r + 1, c, 3, -1, 0);
  }
  const least = Math.min(top, right, bottom, left);
  const [convex, concave] = [Math.max(0, 0.17 * CELL - least), 0.06 * CELL + least];
  let d = '';
  for (const first of [...edges.values()].flat()) {
    if (first.used) continue;
    const corners = [];
    for (let e = first, way = first.way; !e.used;) {
      e.used = true;
      if (e.way !== way) corners.push({ r: e.r, c: e.c, from: way, to: e.way });
      way = e.way;
      const next = edges.get(key(...e.to)).filter((f) => !f.used || f === first);
      const along = next.find((f) => (f.way - way + 4) % 4 === 1); // cells that only share a corner stay apart
      e = along ?? next[0];
      if (e === first && e.way !== way) corners.push({ r: e.r, c: e.c, from: way, to: e.way });
    }
    const points = corners.map(({ r, c, from, to }) => {
      const [x, y] = [c * CELL, r * CELL];
      const of = (w) => ({ 0: [0, top], 1: [-right, 0], 2: [0, -bottom], 3: [left, 0] })[w];
      const [a, b] = [of(from), of(to)];
      return { x: x + a[0] + b[0], y: y + a[1] + b[1], round: (to - from + 4) % 4 === 1 ? convex : concave };
    });
    const near = (p, q) => {
      const long = Math.hypot(q.x - p.x, q.y - p.y) || 1;
      const share = Math.min(p.round, long / 2) / long;
      return `${(p.x + (q.x - p.x) * share).toFixed(2)} ${(p.y + (q.y - p.y) * share).toFixed(2)}`;
    };
    points.forEach((p, i) => {
      const [before, next] = [points.at(i - 1), points[(i + 1) % points.length]];
      d += `${i ? 'L' : 'M'}${near(p, before)}Q${p.x.toFixed(2)} ${p.y.toFixed(2)} ${near(p, next)}`;
    });
    d += 'Z';
  }
  return d;
}

// heart returns a point well inside a piece, in cells.
function heart(cells) {
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
function partsOf(cells) {
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
function rods(cells) {
  const parts = partsOf(cells);
  const d = parts.slice(1).map((part, n) => {
    const pairs = part.flatMap((a) => parts.slice(0, n + 1).flat().map((b) => ({ a, b, far: Math.hypot(a[0] - b[0], a[1] - b[1]) })));
    const { a, b } = pairs.reduce((p, q) => (q.far < p.far ? q : p));
    return `M${(a[1] + 0.5) * CELL} ${(a[0] + 0.5) * CELL}L${(b[1] + 0.5) * CELL} ${(b[0] + 0.5) * CELL}`;
  }).join('');
  return d ? [svg('path', { d, class: 'rod rim' }), svg('path', { d, class: 'rod' })] : [];
}

// looks returns the number of the colour of each piece: 0 if a goal names it, else one for its shape.
function looks(tray) {
  const apart = tray.pieces.some((p) => !p.goal);
  const shapes = new Map();
  return tray.pieces.map((p) => {
    if (apart && p.goal) return 0;
    const shape = p.cells.map(([r, c]) => key(r - p.cells[0][0], c - p.cells[0][1])).join(' ');
    if (!shapes.has(shape)) shapes.set(shape, shapes.size);
    return 1 + shapes.get(shape) % 5;
  });
}

// targets returns the places where goals want pieces, unless these are nearly everywhere.
function targets(tray) {
  if (tray.goals.length > 4 || tray.pieces.every((p) => p.goal)) return [];
  const all = new Map(tray.goals.flat().map((w) => [w.piece + JSON.stringify(w.cells), w]));
  return [...all.values()];
}

const [GAP, BEVEL, DEPTH, LINE] = [0.03 * CELL, 0.04 * CELL, 0.06 * CELL, 0.025 * CELL];

// ground draws the tray under the pieces.
function ground(tray, marks) {
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
function rails(tray) {
  const d = tray.walls.map(({ cell: [r, c], side }) => (side === 'right'
    ? `M${(c + 1) * CELL} ${r * CELL}v${CELL}` : `M${c * CELL} ${(r + 1) * CELL}h${CELL}`)).join('');
  return d ? [svg('path', { d, class: 'rail edge' }), svg('path', { d, class: 'rail inner' })] : [];
}

// block draws a piece.
function block(tray, i, cells, look) {
  const side = GAP + LINE;
  return [
    svg('path', { d: outline(cells, { top: GAP, right: GAP, bottom: 0, left: GAP }), class: 'cast' }),
    svg('path', { d: outline(cells, { top: GAP }), class: 'side' }),
    svg('path', { d: outline(cells, { top: side, bottom: GAP + DEPTH }), class: 'light' }),
    svg('path', { d: outline(cells, { top: side + BEVEL, right: side, bottom: GAP + DEPTH, left: side }), class: 'face' }),
    ...partsOf(cells).map((part) => {
      const [row, col] = heart(part);
      return svg('text', { x: col * CELL, y: row * CELL, class: 'name', 'aria-hidden': 'true' }, tray.pieces[i].piece);
    }),
  ];
}

function frame(tray, attributes) {
  const [w, h] = [tray.cols * CELL + 2 * FRAME, tray.rows * CELL + 2 * FRAME];
  return svg('svg', { viewBox: `${-FRAME} ${-FRAME} ${w} ${h}`, ...attributes });
}

const shift = (el, x, y) => el.setAttribute('transform', `translate(${x} ${y})`);

export function slideView({ space, fault }) {
  const tray = new Tray(space.board);
  const colours = looks(tray);
  const noHints = tray.no_hints;
  const unit = tray.metric.name.replace(/^super/, '').replace(/s$/, ''); // move, step, line
  let base = tray.begin; // where the moves begin
  let played = []; // { set, path }: moves of the metric
  let trail = [base]; // before each of them, and after the last
  let undone = [];
  let url = null; // what of the URL this shows
  let known = new Map(); // by text: what the server said of a position
  let asking = null;
  let hinted = null;
  let moving = null;
  let auto = null;
  let picked = null;
  let focus = 0;
  let drag = null;

  const at = () => trail[trail.length - 1];
  const place = (cells) => cellName(Math.min(...cells.map(([r]) => r)), Math.min(...cells.map(([, c]) => c)));

  // The board.
  const marks = targets(tray);
  const board = frame(tray, { class: 'board tray', role: 'group', 'aria-label': 'The tray' });
  const blocks = tray.pieces.map((p, i) => svg('g', { class: `block k${colours[i]}${p.goal ? ' wanted-piece' : ''}`, role: 'button', tabindex: -1, 'data-piece': p.piece },
    ...block(tray, i, p.cells), svg('path', { d: outline(p.cells, { top: GAP + 0.5 }), class: 'ring' })));
  const joints = tray.pieces.map((p, i) => svg('g', { class: `k${colours[i]}` }, ...rods(p.cells)));
  const brackets = svg('g', { class: 'marks' }, ...marks.map((t) => svg('path', { d: outline(t.cells, { top: 0.1 * CELL }), class: 'bracket' })));
  const arrow = svg('g', { class: 'marks' });
  board.append(ground(tray, marks), ...joints, ...blocks, ...rails(tray), brackets, arrow);
  $('slide-board').append(board);

  // The goal, small.
  if (tray.goals.length) {
    const small = frame(tray, { class: 'board tray small-tray', role: 'img', 'aria-label': 'The goal' });
    small.append(ground(tray, []), ...tray.goals[0].map((w) => svg('g', { class: `k${colours[tray.names.indexOf(w.piece)]}` }, ...rods(w.cells))), ...tray.goals[0].map((w) => {
      const i = tray.names.indexOf(w.piece);
      return svg('g', { class: `block k${colours[i]}` }, ...block(tray, i, w.cells));
    }), ...rails(tray));
    $('slide-goal').append(small);
  }
  const wanted = [...new Set((tray.goals[0] ?? []).map((w) => w.piece))].sort();
  $('slide-goal-told').textContent = !tray.goals.length ? 'This puzzle has no goal: move as you like.'
    : `Bring ${wanted.length > 6 ? 'the pieces to these places' : `${wanted.join(', ')} to ${wanted.length > 1 ? 'these places' : 'this place'}`}`
      + `${tray.goals.length > 1 ? `, or reach another of ${tray.goals.length} goals` : ''}. `
      + `One ${unit} is ${tray.metric.counts}.`;
  $('slide-unit').textContent = `${unit}s made`;
  $('slide-best').textContent = tray.length === null ? '–' : comma(tray.length);

  // draw shows a position; the pieces of a set are on their way.
  function draw(position, set = [], dy = 0, dx = 0) {
    position.forEach(([r, c], i) => {
      const go = set.includes(i);
      for (const el of [joints[i], blocks[i]]) shift(el, (c + (go ? dx : 0)) * CELL, (r + (go ? dy : 0)) * CELL);
    });
  }

  function tell(i) {
    const ways = Object.keys(STEPS).filter((way) => tray.push(at(), i, way));
    return `Piece ${tray.pieces[i].piece}, ${place(tray.cellsOf(at(), i))}${tray.pieces[i].goal && tray.pieces.some((p) => !p.goal) ? ', the goal names it' : ''}`
      + `, ${ways.length ? `slides ${ways.map((way) => WORDS[way]).join(', ')}` : 'cannot slide'}`;
  }

  // refresh draws the position and all texts about it.
  function refresh() {
    const here = at();
    if (!moving && !drag) draw(here);
    blocks.forEach((el, i) => {
      el.setAttribute('aria-label', tell(i));
      el.setAttribute('aria-pressed', i === picked);
      el.setAttribute('tabindex', i === focus ? 0 : -1);
      el.classList.toggle('picked', i === picked);
      el.classList.toggle('hinted', Boolean(hinted?.set.includes(i)));
    });
    drawArrow();
    const won = tray.solved(here);
    const told = known.get(tray.text(here));
    const shown = state.hints === 'on' && !noHints;
    $('slide-made').textContent = comma(played.length);
    $('slide-left').textContent = won ? '0' : !shown ? '–' : told ? (told.distance === null ? '∞' : comma(told.distance)) : '…';
    $('slide-undo').disabled = !played.length;
    $('slide-restart').disabled = !played.length && base === tray.begin;
    $('slide-redo').disabled = !undone.length;
    $('slide-hint').disabled = $('slide-solve').disabled = won || Boolean(noHints) || told?.distance === null;
    $('slide-solve').textContent = auto ? 'Stop' : 'Solve';
    $('slide-board').classList.toggle('is-won', won);
    $('slide-map-panel').hidden = !shown || !map;
    drawMap(told?.distance);
    verdict(won, told, shown);
  }

  function verdict(won, told, shown) {
    const say = (text, kind = '') => {
      const el = $('slide-verdict');
      el.className = `verdict ${kind}`;
      if (el.textContent !== text) el.textContent = text;
    };
    const whole = base === tray.begin && tray.length !== null;
    let more = told?.distance != null && whole ? played.length + told.distance - tray.length : 0;
    // If the last move can go on along a shortest solution, both are one.
    if (more > 0 && told.moves?.some((m) => m.keeps && joins(played.at(-1), made(m)))) more--;
    if (won) {
      say(`Solved${whole || played.length ? ` in ${plural(played.length, unit)}` : ''}.${!whole ? '' : played.length <= tray.length ? ' No solution is shorter!' : ` The shortest has ${comma(tray.length)}.`}`, 'won');
    } else if (hinted) {
      say(`Best: ${hinted.text}. Hint again makes the ${unit}.`);
    } else if (!tray.goals.length) say('');
    else if (noHints) say(`There are no hints: ${noHints}.`);
    else if (!shown) say('');
    else if (told?.distance === null) say('No goal can be reached from here.', 'bad');
    else if (told) say(`${plural(told.distance, unit)} left if played best.${more > 0 ? ` That is ${plural(more, unit)} more than the shortest solution.` : ''}`, more > 0 ? '' : 'good');
    else if (asking) say('Working out the distance of every position…');
  }

  // Where one is.
  let map = null; // how many positions are at each distance
  function drawMap(distance) {
    if (!map || $('slide-map-panel').hidden) return;
    const [w, h] = [360, 84];
    const most = Math.max(...map);
    const slot = w / map.length;
    const bars = map.map((n, d) => svg('rect', { x: (d * slot + slot * 0.08).toFixed(2), y: (h - Math.max(1.5, n / most * h)).toFixed(2),
      width: (slot * 0.84).toFixed(2), height: Math.max(1.5, n / most * h).toFixed(2), class: d === distance ? 'bar here' : 'bar' }));
    const x = (Math.max(0, distance ?? 0) + 0.5) * slot;
    const label = `${comma(map[distance] ?? 0)} of ${plural(map.reduce((a, b) => a + b, 0), 'position')} are ${distance ? `${plural(distance, unit)} from` : 'at'} a goal${map.length > 1 ? `; the farthest are ${plural(map.length - 1, unit)} away` : ''}.`;
    $('slide-map').replaceChildren(svg('svg', { viewBox: `0 -4 ${w} ${h + 16}`, class: 'chart', role: 'img', 'aria-label': label }, ...bars,
      ...(distance === undefined ? [] : [svg('path', { d: `M${x} ${h + 3}l5 8h-10z`, class: 'pointer' })]),
    ), make('p', { class: 'ends small', 'aria-hidden': 'true' }, make('span', {}, 'goal'), make('span', {}, String(map.length - 1))));
    if (distance !== undefined) $('slide-map-told').textContent = label;
  }

  function drawArrow() {
    arrow.replaceChildren();
    if (!hinted || auto) return;
    const [row, col] = heart(partsOf(tray.cellsOf(at(), hinted.set[0]))[0]);
    const points = [[col * CELL, row * CELL]];
    for (const way of hinted.path) {
      const [x, y] = points.at(-1);
      points.push([x + STEPS[way][1] * CELL, y + STEPS[way][0] * CELL]);
    }
    const [[x, y], [u, v]] = [points.at(-1), points.at(-2)];
    const [first] = hinted.path; // the line begins beside the name
    points[0] = [points[0][0] + STEPS[first][1] * 15, points[0][1] + STEPS[first][0] * 15];
    const [dx, dy] = [(x - u) / CELL, (y - v) / CELL];
    const line = points.slice(0, -1).concat([[x - dx * 8, y - dy * 8]]).map(([a, b], i) => `${i ? 'L' : 'M'}${a} ${b}`).join('');
    const head = `M${x + dx * 6} ${y + dy * 6}L${x - dx * 9 - dy * 9} ${y - dy * 9 + dx * 9}L${x - dx * 9 + dy * 9} ${y - dy * 9 - dx * 9}Z`;
    for (const kind of ['rim', '']) arrow.append(svg('path', { d: line, class: `way ${kind}` }), svg('path', { d: head, class: `way-head ${kind}` }));
  }

  // joins reports whether a move and one after it count as one.
  function joins(last, { set, path }) {
    if (!last || last.set.join() !== set.join()) return false;
    return { step: false, line: [path[0], BACK[path[0]]].includes(last.path[0]), any: true }[tray.metric.path];
  }

  // take adds a step to the moves. A step of the same pieces belongs to the last move if the metric
  // counts both as one; a way back shortens it.
  function take(set, way) {
    const next = tray.after(at(), set, way);
    const last = played.at(-1);
    if (!joins(last, { set, path: way })) {
      played.push({ set, path: way });
      trail.push(next);
      return;
    }
    const text = tray.text(next);
    let here = trail.at(-2);
    for (let n = 0; n <= last.path.length; n++) {
      if (tray.text(here) === text) {
        last.path = last.path.slice(0, n);
        break;
      }
      if (n === last.path.length) {
        last.path += way;
        break;
      }
      here = tray.after(here, set, last.path[n]);
    }
    trail.pop();
    if (last.path) trail.push(next);
    else played.pop();
  }

  // run makes steps.
  function run(steps) {
    undone = [];
    for (const { set, way } of steps) take(set, way);
    changed();
  }

  function changed() {
    hinted = null;
    const slides = played.map(({ set, path }) => `${set.map((i) => tray.names[i]).join('')}_${path}`).join('-');
    const from = base === tray.begin ? '' : tray.text(base);
    url = slides.length > LONGEST ? { at: tray.text(at()), slides: '' } : { at: from, slides };
    save(url);
    refresh();
    if (state.hints === 'on') check();
  }

  // fly shows a move on its way from a position; it ends in the present one.
  function fly(before, { set, path }) {
    moving = null;
    if (calm.matches) return Promise.resolve();
    const mine = moving = {};
    const began = performance.now();
    const last = Math.min(600, 130 + 90 * path.length) / (auto ? state.speed : 1);
    return new Promise((done) => {
      const paint = (now) => {
        if (moving !== mine) {
          done();
          return;
        }
        const t = Math.min(1, Math.max(0, now - began) / last);
        const gone = t * t * (3 - 2 * t) * path.length;
        const whole = Math.min(path.length - 1, Math.floor(gone));
        let [r, c] = [0, 0];
        for (let n = 0; n <= whole; n++) {
          const share = n < whole ? 1 : gone - whole;
          r += STEPS[path[n]][0] * share;
          c += STEPS[path[n]][1] * share;
        }
        draw(before, set, r, c);
        if (t < 1) requestAnimationFrame(paint);
        else {
          moving = null;
          draw(at());
          done();
        }
      };
      paint(began);
    });
  }

  const made = ({ pieces, path }) => ({ set: [...pieces].map((name) => tray.names.indexOf(name)), path, text: `${[...pieces].join(' and ')} ${spell(path)}` });

  // go makes a move of the server.
  function go(move) {
    const before = at();
    stop({ keep: true });
    const flown = fly(before, move);
    run([...move.path].map((way) => ({ set: move.set, way })));
    return flown;
  }

  // check asks for the distance of the position, and of those after each move. One question is
  // asked at a time: the first takes longest.
  async function check() {
    const text = tray.text(at());
    if (noHints || known.get(text)?.solution !== undefined) return known.get(text);
    if (asking) return asking.then(check, () => undefined);
    const slow = setTimeout(refresh, 250);
    asking = patiently(() => ask('api/hint', { pattern: text, target: '' }));
    try {
      const told = await asking;
      known.set(text, told);
      map = told.to_goal.length ? told.to_goal : null;
      for (const m of told.moves) if (!known.has(m.pattern)) known.set(m.pattern, { distance: m.distance });
      fault(null);
    } catch (err) {
      fault(err);
    } finally {
      clearTimeout(slow);
      asking = null;
    }
    refresh();
    return known.get(text);
  }

  // patiently asks again while the server is busy.
  async function patiently(question) {
    for (let tries = 0; ; tries++) {
      try {
        return await question();
      } catch (err) {
        if (err.status !== 503 || tries === 5) throw err;
        await new Promise((done) => { setTimeout(done, 700); });
      }
    }
  }

  async function best() {
    const here = at();
    const told = await check();
    return here === at() ? told?.solution?.moves.map(made) : undefined;
  }

  function stop({ keep = false } = {}) {
    moving = null;
    picked = null;
    if (!keep) auto = null;
  }

  function undo() {
    if (!played.length) return;
    stop();
    const move = played.pop();
    const before = trail.pop();
    undone.push(move);
    const back = { set: move.set, path: [...move.path].reverse().map((way) => BACK[way]).join('') };
    fly(before, back);
    changed();
  }

  function redo() {
    if (!undone.length) return;
    stop();
    const move = undone.pop();
    const before = at();
    played.push(move);
    trail.push([...move.path].reduce((here, way) => tray.after(here, move.set, way), before));
    fly(before, move);
    changed();
  }

  function restart() {
    stop();
    base = tray.begin;
    trail = [base];
    played = [];
    undone = [];
    changed();
  }

  async function hint() {
    const move = hinted;
    if (move) {
      auto = null;
      go(move);
      return;
    }
    stop();
    const moves = await best();
    if (!moves?.length) return;
    [hinted] = moves;
    focus = hinted.set[0];
    refresh();
  }

  // solve plays on to the goal.
  async function solve() {
    if (auto) {
      stop();
      refresh();
      return;
    }
    stop();
    const mine = auto = {};
    refresh();
    const moves = await best();
    for (const move of moves ?? []) {
      if (auto !== mine || !tray.fits(at(), move.set, move.path[0])) break;
      const rest = new Promise((done) => { setTimeout(done, (calm.matches ? 320 : 60) / state.speed); });
      await go(move);
      await rest;
    }
    if (auto === mine) {
      auto = null;
      refresh();
    }
  }

  // Keys on a piece: arrows go to other pieces, or slide the piece that is picked.
  function beside(i, way) {
    const [dr, dc] = STEPS[way];
    const middle = (j) => heart(tray.cellsOf(at(), j));
    const [r, c] = middle(i);
    let [found, least] = [i, Infinity];
    tray.pieces.forEach((_, j) => {
      const [u, v] = middle(j);
      const along = (u - r) * dr + (v - c) * dc;
      const across = Math.abs((u - r) * dc) + Math.abs((v - c) * dr);
      if (j !== i && along > 0.1 && along + 2 * across < least) [found, least] = [j, along + 2 * across];
    });
    return found;
  }

  function onKey(event, i) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' }[event.key];
    if (way && picked === i) {
      const set = tray.push(at(), i, way);
      if (set) {
        const before = at();
        auto = moving = null;
        fly(before, { set, path: way });
        run([{ set, way }]);
      } else {
        blocks[i].classList.add('stuck-block');
        setTimeout(() => blocks[i].classList.remove('stuck-block'), 300);
      }
    } else if (way) {
      focus = beside(i, way);
      refresh();
      blocks[focus].focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      auto = null;
      picked = picked === i ? null : i;
      refresh();
    } else if (event.key === 'Escape' && picked !== null) {
      picked = null;
      refresh();
    } else return;
    event.preventDefault();
  }

  // Dragging. A piece follows the pointer from cell to cell, along one direction at a time.
  function toCells(event) {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    return [p.y / CELL, p.x / CELL];
  }

  function grab(event, i) {
    if (event.button !== 0 || drag) return;
    event.preventDefault();
    auto = moving = null;
    focus = i;
    const [r, c] = at()[i];
    const [y, x] = toCells(event);
    drag = { i, id: event.pointerId, y, x, r, c, here: at(), steps: [], far: false, was: picked };
    board.setPointerCapture(event.pointerId);
    blocks[i].focus({ preventScroll: true });
    blocks[i].classList.add('held');
    refresh();
    draw(at());
  }

  function follow(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const [y, x] = toCells(event);
    const goal = [drag.r + y - drag.y, drag.c + x - drag.x];
    const off = () => [goal[0] - drag.here[drag.i][0], goal[1] - drag.here[drag.i][1]];
    const ways = () => {
      const [dr, dc] = off();
      const all = [{ way: dr > 0 ? 'D' : 'U', far: Math.abs(dr) }, { way: dc > 0 ? 'R' : 'L', far: Math.abs(dc) }];
      return all.sort((a, b) => b.far - a.far);
    };
    if (Math.hypot(y - drag.y, x - drag.x) > 0.12) drag.far = true;
    for (let more = true; more;) {
      more = false;
      for (const { way, far } of ways()) {
        if (far <= 0.5) continue;
        const last = drag.steps.at(-1);
        if (last?.way === BACK[way]) { // back: the step is undone, with what was pushed
          drag.here = tray.after(drag.here, last.set, way);
          drag.steps.pop();
        } else {
          const set = tray.push(drag.here, drag.i, way);
          if (!set) continue;
          drag.here = tray.after(drag.here, set, way);
          drag.steps.push({ set, way });
        }
        more = true;
        break;
      }
    }
    for (const { way, far } of ways()) {
      const last = drag.steps.at(-1);
      const set = last?.way === BACK[way] ? last.set : tray.push(drag.here, drag.i, way);
      if (!set || far < 0.02) continue;
      const share = Math.min(0.5, far);
      draw(drag.here, set, STEPS[way][0] * share, STEPS[way][1] * share);
      return;
    }
    draw(drag.here);
  }

  function drop(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { i, steps, far, was } = drag;
    drag = null;
    blocks[i].classList.remove('held');
    if (steps.length) {
      picked = null;
      run(steps);
      return;
    }
    if (!far && event.type === 'pointerup') {
      const ways = Object.keys(STEPS).filter((way) => tray.push(at(), i, way));
      if (ways.length === 1) { // a click is enough
        const [step] = ways.map((way) => ({ set: tray.push(at(), i, way), way }));
        fly(at(), { set: step.set, path: step.way });
        run([step]);
        return;
      }
      picked = was === i ? null : i;
    }
    refresh();
  }

  blocks.forEach((el, i) => {
    el.addEventListener('pointerdown', (event) => grab(event, i));
    el.addEventListener('keydown', (event) => onKey(event, i));
    el.addEventListener('focus', () => {
      if (focus === i && (picked === null || picked === i)) return;
      focus = i;
      if (picked !== i) picked = null;
      refresh();
    });
  });
  board.addEventListener('pointermove', follow);
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) board.addEventListener(name, drop);

  const runs = { undo, redo, hint, solve, restart };
  for (const [id, f] of Object.entries(runs)) $(`slide-${id}`).addEventListener('click', f);
  $('slide-hints').disabled = Boolean(noHints);
  $('slide-hints').addEventListener('change', () => {
    save({ hints: $('slide-hints').checked ? 'on' : 'off' });
    refresh();
    if (state.hints === 'on') check();
  });
  $('slide-speed').addEventListener('change', () => save({ speed: Number($('slide-speed').value) }));

  // load shows what the URL says, as far as it is valid.
  function load() {
    stop();
    base = (state.at && tray.read(state.at)) || tray.begin;
    trail = [base];
    played = [];
    undone = [];
    for (const move of state.slides ? state.slides.split('-') : []) {
      const [names, path] = move.split('_');
      const set = [...names].map((name) => tray.names.indexOf(name));
      if (set.includes(-1)) break;
      const ok = [...path].every((way) => {
        if (!tray.fits(at(), set, way)) return false;
        take(set, way);
        return true;
      });
      if (!ok) break; // the URL is from another file
    }
    changed();
  }

  return {
    enter() {
      document.title = `Play ${isolate(space.space)} – Pagoda`;
      $('slide-hints').checked = state.hints === 'on' && !noHints;
      $('slide-speed').value = String(state.speed);
      if (!url || state.at !== url.at || state.slides !== url.slides) load();
      else refresh();
    },
    leave() {
      stop();
      draw(at());
    },
    key(event) {
      const name = { u: 'undo', y: 'redo', h: 'hint', s: 'solve', r: 'restart' }[event.key.toLowerCase()];
      if (!name) return false;
      if (!$(`slide-${name}`).disabled) runs[name]();
      return true;
    },
  };
}
