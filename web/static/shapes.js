// A grid of cells: its ways, and shapes on it as SVG paths.

import { svg } from './board.js';

export const CELL = 40;

// The four ways, by their letters.
export const STEPS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };
export const BACK = { U: 'D', D: 'U', L: 'R', R: 'L' };
export const KEYS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
export const WORDS = { U: 'up', D: 'down', L: 'left', R: 'right' };

// spell says a path in words, such as "down 2, right".
export const spell = (path) => (path.match(/(.)\1*/g) ?? []).map((run) => WORDS[run[0]] + (run.length > 1 ? ` ${run.length}` : '')).join(', ');

export const key = (row, col) => `${row},${col}`;

// outline returns the path around cells, with its edges moved inwards.
export function outline(cells, { top, right = top, bottom = top, left = top }) {
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
  const [convex, concave] = [Math.max(0, 0.17 * CELL - least), Math.max(0, 0.06 * CELL + least)];
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

// walked returns how far one is on a path after so many cells, a part of one included: [rows, columns].
export const walked = (path, gone) => [0, 1].map((k) => [...path].reduce((sum, way, n) => sum + STEPS[way][k] * Math.min(1, Math.max(0, gone - n)), 0));

// toCells returns where an event is on a board, [row, column] in cells.
export function toCells(board, event) {
  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return [p.y / CELL, p.x / CELL];
}

// wayArrow draws an arrow along points, [row, column] in cells. It begins beside the first of them.
export function wayArrow(cells) {
  const points = cells.map(([row, col]) => [col * CELL, row * CELL]);
  const toward = ([x, y], [u, v]) => [(u - x) / (Math.hypot(u - x, v - y) || 1), (v - y) / (Math.hypot(u - x, v - y) || 1)];
  const [fx, fy] = toward(points[0], points[1]);
  points[0] = [points[0][0] + fx * 15, points[0][1] + fy * 15];
  const [x, y] = points.at(-1);
  const [dx, dy] = toward(points.at(-2), points.at(-1));
  const line = points.slice(0, -1).concat([[x - dx * 8, y - dy * 8]]).map(([a, b], i) => `${i ? 'L' : 'M'}${a} ${b}`).join('');
  const head = `M${x + dx * 6} ${y + dy * 6}L${x - dx * 9 - dy * 9} ${y - dy * 9 + dx * 9}L${x - dx * 9 + dy * 9} ${y - dy * 9 - dx * 9}Z`;
  return ['rim', ''].flatMap((kind) => [svg('path', { d: line, class: `way ${kind}` }), svg('path', { d: head, class: `way-head ${kind}` })]);
}
