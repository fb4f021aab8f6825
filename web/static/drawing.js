// A drawing is a puzzle of sliding blocks that can be changed: its tray, its goals, and what is said of its pieces.
// It is read from the text that the program writes, and written as a text that the program reads.

import { key } from './shapes.js';
import { partsOf } from './tray.js';

export const MOST = 16; // rows and columns of a drawing
const NAMES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz123456789';
export const isName = (ch) => ch.length === 1 && /[0-9A-Za-z]/.test(ch);

// empty returns a drawing of empty cells.
export function empty(rows, cols) {
  return { rows, cols, at: Array.from({ length: rows }, () => Array(cols).fill('.')), goals: [], none: false, gate: null, walls: [], axes: {}, cars: false, parts: '', distinct: '', alike: [] };
}

// cellsOf returns the cells that have a character, in order.
export function cellsOf(d, name, at = d.at) {
  return at.flatMap((row, r) => row.flatMap((ch, c) => (ch === name ? [[r, c]] : [])));
}

// names lists the pieces, in the order of their first cells.
export const names = (d) => [...new Set(d.at.flat())].filter(isName);

export const free = (d) => [...NAMES].find((name) => !d.at.flat().includes(name)) ?? null;

// moved returns the cells of a piece after a move by some rows and columns.
export const moved = (d, name, [dr, dc]) => cellsOf(d, name).map(([r, c]) => [r + dr, c + dc]);

const inside = (d, [r, c]) => r >= 0 && c >= 0 && r < d.rows && c < d.cols;

// fits reports whether cells are free for a piece to stand in.
export const fits = (d, name, cells) => cells.every((cell) => inside(d, cell) && ['.', name].includes(d.at[cell[0]][cell[1]]));

// partner returns the piece of the same shape that stands in exactly these cells: it can change places with another.
export function partner(d, name, cells) {
  const other = inside(d, cells[0]) ? d.at[cells[0][0]][cells[0][1]] : '.';
  if (!isName(other) || other === name) return null;
  const own = cellsOf(d, other);
  return own.length === cells.length && own.every(([r, c], i) => r === cells[i][0] && c === cells[i][1]) ? other : null;
}

// wanted reports whether cells are free for a goal to want a piece there.
export function wanted(d, goal, name, cells) {
  const taken = new Set(Object.entries(goal?.wants ?? {}).flatMap(([other, by]) => (other === name ? [] : moved(d, other, by))).map(([r, c]) => key(r, c)));
  return cells.every((cell) => inside(d, cell) && d.at[cell[0]][cell[1]] !== '#' && !taken.has(key(...cell)));
}

const list = (text) => text.trim().split(/\s+/).join('');
const lengthwise = (cells) => (cells.every(([r]) => r === cells[0][0]) ? 'horizontal' : cells.every(([, c]) => c === cells[0][1]) ? 'vertical' : '');

// read returns the drawing of a text that the program writes, or null if it has what cannot be drawn here: several
// floors, or a tray that is too large.
export function read(text) {
  const blocks = []; // { heading, value, rows }
  for (const line of text.split('\n')) {
    const head = /^([a-z]+):\s*(.*)$/.exec(line);
    if (head) blocks.push({ heading: head[1], value: head[2], rows: head[2] ? head[2].split('/') : [] });
    else if (line && blocks.length) blocks.at(-1).rows.push(line);
  }
  const tray = blocks.find((b) => b.heading === 'tray');
  if (!tray || blocks.some((b) => ['floors', 'upright'].includes(b.heading))) return null;
  const cols = Math.max(0, ...tray.rows.map((row) => row.length));
  if (!tray.rows.length || !cols || tray.rows.length > MOST || cols > MOST) return null;
  const d = empty(tray.rows.length, cols);
  const grid = (rows) => d.at.map((row, r) => row.map((_, c) => rows[r]?.[c] ?? '#'));
  d.at = grid(tray.rows);
  const first = Object.fromEntries(names(d).map((name) => [name, cellsOf(d, name)[0]]));
  for (const { heading, value, rows } of blocks) {
    if (heading === 'gate') d.gate = grid(rows);
    else if (heading === 'walls') {
      d.walls.push(...[...value.matchAll(/\((\d+),(\d+)\) (\w+)/g)].map(([, r, c, side]) => ({ cell: [Number(r), Number(c)], side })));
    } else if (heading === 'horizontal' || heading === 'vertical') for (const name of list(value)) d.axes[name] = heading;
    else if (heading === 'rushhour') d.cars = true;
    else if (heading === 'parts' || heading === 'distinct') d[heading] += list(value);
    else if (heading === 'alike') d.alike.push(list(value));
    else if (heading === 'goal' && value === '-') d.none = true;
    else if (heading === 'goal' || heading === 'anywhere') {
      const at = grid(rows);
      const wants = {};
      for (const name of names({ at })) {
        if (!first[name]) continue;
        const [r, c] = cellsOf(d, name, at)[0];
        wants[name] = [r - first[name][0], c - first[name][1]];
      }
      d.goals.push({ heading, wants });
    }
  }
  const all = names(d);
  d.cars ||= all.length > 0 && all.every((name) => cellsOf(d, name).length > 1 && d.axes[name] && d.axes[name] === lengthwise(cellsOf(d, name)));
  if (d.cars) d.axes = {};
  return d;
}

// rushHour returns the text of a drawing of a Rush Hour board in 36 characters (or 25 or 49), row by row: capital letters are
// cars, o or . is an empty cell, x a wall. Car X gets out, or A if no X lies in a row. It returns null for other texts.
export function rushHour(text) {
  const board = text.replace(/\s+/g, '').replaceAll('o', '.').replaceAll('x', '#');
  const side = Math.sqrt(board.length);
  if (![5, 6, 7].includes(side) || !/^[A-Z.#]+$/.test(board)) return null;
  const rows = Array.from({ length: side }, (_, r) => board.slice(r * side, (r + 1) * side));
  const red = ['X', 'A'].find((name) => rows.some((row) => row.includes(name + name)));
  if (!red) return null;
  const row = rows.findIndex((one) => one.includes(red));
  const goal = rows.map((_, r) => (r === row ? red.repeat(rows[r].split(red).length - 1).padStart(side, '.') : '.'.repeat(side)));
  return `tray:\n${rows.join('\n')}\nrushhour:\ngoal:\n${goal.join('\n')}\n`;
}

// missing says what a drawing lacks, before there is anything to solve; it returns an empty text if nothing is missing.
export function missing(d) {
  const all = names(d);
  if (!all.length) return d.cars ? 'Draw the cars: one stroke over some cells is a car.' : 'Draw a piece to begin: one stroke over some cells is a piece.';
  if (!d.at.flat().includes('.')) return 'No cell is empty, so nothing can move. Choose Empty, and clear a cell.';
  for (const name of all) {
    const cells = cellsOf(d, name);
    if (partsOf(cells).length > 1 && !/[*]/.test(d.parts) && !d.parts.includes(name)) return `Piece ${name} is in several parts. Join them, or remove it.`;
    if (d.cars && (cells.length < 2 || !lengthwise(cells))) return `Car ${name} has to be straight, and at least two cells long.`;
  }
  const goals = d.goals.filter((goal) => Object.keys(goal.wants).length);
  if (!goals.length && !d.none) return d.cars ? 'Which car has to get out? Choose Goal, and drag it to the exit.' : 'There is no goal yet. Choose Goal, and drag a piece to where it should end up.';
  const [goal] = goals;
  if (goals.length !== 1 || goal.heading !== 'goal') return ''; // one of several is enough
  for (const [name, [dr, dc]] of Object.entries(goal.wants)) {
    if (!wanted(d, goal, name, moved(d, name, [dr, dc]))) return `The goal of piece ${name} does not fit there. Choose Goal, and drag it to another place.`;
    const axis = d.cars ? lengthwise(cellsOf(d, name)) : d.axes[name];
    if (axis === 'horizontal' && dr) return `Piece ${name} moves left and right only, and its goal is in another row.`;
    if (axis === 'vertical' && dc) return `Piece ${name} moves up and down only, and its goal is in another column.`;
  }
  if (Object.values(goal.wants).every(([dr, dc]) => !dr && !dc)) {
    return tiles(d) ? 'It is solved already. Choose Move, and drag tiles onto each other until it looks like yours.' : 'It is solved already. Choose Move, and drag a piece away from its goal.';
  }
  return '';
}

// tiles reports whether a drawing is an n-puzzle: different tiles of one cell, and one empty cell.
export const tiles = (d) => names(d).length > 1 && d.at.flat().filter((ch) => ch === '.').length === 1 && names(d).every((name) => cellsOf(d, name).length === 1);

// thinWalls lists the thin walls that stand between two cells of a drawing.
const thinWalls = (d) => d.walls.filter(({ cell: [r, c], side }) => [[r, c], side === 'right' ? [r, c + 1] : [r + 1, c]].every((cell) => inside(d, cell) && d.at[cell[0]][cell[1]] !== '#'));

// write returns the text of a drawing.
export function write(d) {
  const rows = (at) => at.map((row) => row.join('').replace(/#+$/, '') || '#').join('\n');
  const lines = ['tray:', rows(d.at)];
  const all = names(d);
  const say = (heading, letters) => {
    const there = [...letters].filter((name) => name === '*' || all.includes(name));
    if (there.length) lines.push(`${heading}: ${there.join(' ')}`);
  };
  const walls = thinWalls(d);
  if (walls.length) lines.push(`walls: ${walls.map(({ cell: [r, c], side }) => `(${r},${c}) ${side}`).join(', ')}`);
  if (d.gate) {
    const at = d.at.map((row, r) => row.map((ch, c) => (ch === '#' ? '#' : all.includes(d.gate[r]?.[c]) ? d.gate[r][c] : '.')));
    if (at.flat().some(isName)) lines.push('gate:', rows(at));
  }
  say('parts', d.parts);
  if (d.cars) lines.push('rushhour:');
  else for (const axis of ['horizontal', 'vertical']) say(axis, all.filter((name) => d.axes[name] === axis));
  say('distinct', d.distinct);
  for (const group of d.alike) say('alike', group);
  if (d.none) lines.push('goal: -');
  for (const { heading, wants } of d.goals) {
    const at = d.at.map((row) => row.map((ch) => (ch === '#' ? '#' : '.')));
    for (const name of all) if (wants[name]) for (const cell of moved(d, name, wants[name])) if (inside(d, cell)) at[cell[0]][cell[1]] = name;
    if (at.flat().some(isName)) lines.push(`${heading}:`, rows(at));
  }
  return `${lines.join('\n')}\n`;
}

// resized returns a drawing with another number of rows and columns, at the end of each.
export function resized(d, rows, cols) {
  const next = structuredClone(d);
  next.at = Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => d.at[r]?.[c] ?? '.'));
  Object.assign(next, { rows, cols });
  for (const goal of next.goals) for (const [name, by] of Object.entries(goal.wants)) if (!moved(next, name, by).every((cell) => inside(next, cell))) delete goal.wants[name];
  return next;
}

// boardOf returns what tray.js needs to draw it, as the API has it.
export function boardOf(d) {
  const cells = d.at.flatMap((row, r) => row.flatMap((ch, c) => (ch === '#' ? [] : [[r, c]])));
  const named = new Set(d.goals.flatMap((goal) => Object.keys(goal.wants)));
  const pieces = names(d).map((piece) => ({ piece, cells: cellsOf(d, piece), goal: named.has(piece) }));
  const goals = d.goals.map((goal) => pieces.filter(({ piece }) => goal.wants[piece]).map(({ piece }) => ({ piece, cells: moved(d, piece, goal.wants[piece]) })));
  const gates = d.gate ? cells.flatMap(([r, c]) => (isName(d.gate[r]?.[c] ?? '.') ? [{ cell: [r, c], piece: d.gate[r][c] }] : [])) : [];
  return { rows: d.rows, cols: d.cols, cells, walls: thinWalls(d), gates, pieces, goals, names: pieces.map((p) => p.piece).join('') };
}
