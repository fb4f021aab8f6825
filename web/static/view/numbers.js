// Number tiles: 2048 and Threes, with the exact chance of each slide.

import { ask, patiently } from '../api.js';
import { keep, keepPlace, place as placeOf, record, some, stars, forgetting } from '../best.js';
import { svg, cellName } from '../board.js';
import { $, calm, capital, isolate, make } from '../dom.js';
import { Finish } from '../finish.js';
import { site } from '../home.js';
import { levelLine } from '../level.js';
import { grid, tile } from '../numbers.js';
import { CELL, KEYS, STEPS, WORDS as WAYS } from '../shapes.js';
import { state, save, resume } from '../url.js';
import { absent, awaited, onProgress } from '../waiting.js';

const comma = (n) => Math.round(n).toLocaleString('en');
const plural = (n, one) => `${comma(n)} ${n === 1 ? one : `${one}s`}`;
const LETTERS = Object.fromEntries(Object.entries(WAYS).map(([letter, way]) => [way, letter]));
const LONGEST = 10000; // moves in the URL
const PAR = 100; // of results: a game that lost nothing. Each per cent of the chance that a game lost is one more.
const SWIPE = 22; // pixels that a pointer goes before it slides

// random returns random numbers from 0 to 1 for move n of a game: a link brings the same tiles everywhere, so these
// must never change. It is the generator sfc32 of Chris Doty-Humphrey.
export function random(seed, n) {
  let [a, b, c, d] = [seed | 0, n | 0, 0x9e3779b9 | 0, 1];
  const next = () => {
    const t = (a + b | 0) + d | 0;
    d = d + 1 | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + t | 0;
    return t >>> 0;
  };
  for (let k = 0; k < 15; k++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

// pick draws one of some things by their chances.
function pick(all, draw) {
  let share = draw();
  for (const one of all) {
    share -= one.chance;
    if (share < 0) return one;
  }
  return all.at(-1); // the chances add up to a little less than 1
}

// A Game knows the rules. A state has cells, the numbers of the tiles row by row, 0 for none. In Threes it also has the
// bag before the next tile is drawn, and that tile: 1, 2, 3, + for a bonus tile, or null if it is not shown.
export class Game {
  constructor(board) {
    Object.assign(this, board);
    this.threes = board.game === 'threes';
    this.size = this.rows * this.cols;
  }

  // join returns the tile that one makes on another, or 0.
  join(on, tile) {
    if (!on) return tile;
    if (this.threes && on + tile === 3) return 3;
    return on === tile && (!this.threes || tile >= 3) && tile < this.largest ? 2 * tile : 0;
  }

  // worth is what a tile of Threes counts in the score.
  worth(tile) { return tile < 3 ? 0 : 3 ** (Math.log2(tile / 3) + 1); }

  // lines returns the cells of the lines, from the side to which they slide.
  lines(way) {
    const upright = way === 'U' || way === 'D';
    return Array.from({ length: upright ? this.cols : this.rows }, (_, l) => {
      const cells = Array.from({ length: upright ? this.rows : this.cols }, (__, i) => (upright ? i * this.cols + l : l * this.cols + i));
      return way === 'D' || way === 'R' ? cells.reverse() : cells;
    });
  }

  // glide returns from where to where the tiles of a line go, by their places; two that join go to one place.
  glide(line) {
    const all = [];
    if (this.threes) { // by one step, from the first tile on that can
      const first = line.findIndex((tile, i) => i > 0 && tile && this.join(line[i - 1], tile));
      line.forEach((tile, i) => { if (tile) all.push([i, first > 0 && i >= first ? i - 1 : i]); });
      return all;
    }
    let [end, open] = [0, 0]; // the next place, and the tile before it, if it has not joined
    line.forEach((tile, i) => {
      if (!tile) return;
      if (open && this.join(open, tile)) {
        all.push([i, end - 1]);
        open = 0;
      } else {
        all.push([i, end]);
        end += 1;
        open = tile;
      }
    });
    return all;
  }

  // slide returns what a slide makes of cells, or null if nothing moves: the cells, the gain of the score, from where to
  // where each tile glides, the cells in which two have joined, and the last cells of the lines that moved.
  slide(before, way) {
    const cells = before.map(() => 0);
    const [glides, joined, moved] = [[], [], []];
    let gain = 0;
    for (const line of this.lines(way)) {
      for (const [i, k] of this.glide(line.map((cell) => before[cell]))) {
        const [from, to] = [line[i], line[k]];
        const [tile, on] = [before[from], cells[to]];
        cells[to] = this.join(on, tile);
        glides.push({ tile, from, to });
        if (on) {
          joined.push(to);
          gain += this.threes ? this.worth(cells[to]) - this.worth(on) - this.worth(tile) : cells[to];
        }
      }
      if (line.some((cell) => cells[cell] !== before[cell])) moved.push(line.at(-1));
    }
    return moved.length ? { cells, gain, glides, joined, moved } : null;
  }

  won(cells) { return this.target > 0 && Math.max(...cells) >= this.target; }

  // ways lists the slides that can be made.
  ways(at) { return this.won(at.cells) ? [] : Object.keys(WAYS).filter((way) => this.slide(at.cells, way)); }

  // nexts lists the tiles that a bag can bring, with their chances.
  nexts(bag, highest) {
    const bonus = this.bonus && highest >= 48 ? 1 / 21 : 0;
    const left = this.bag ? bag : [1, 1, 1];
    const all = left[0] + left[1] + left[2];
    return [...(bonus ? [{ next: '+', chance: bonus }] : []),
      ...left.map((n, i) => ({ next: i + 1, chance: (1 - bonus) * n / all })).filter((one) => one.chance > 0)];
  }

  // without takes a tile out of a bag, which is filled again when it is empty.
  without(bag, next) {
    if (!this.bag || next === '+') return bag;
    const left = bag.map((n, i) => n - (i + 1 === next ? 1 : 0));
    return left.some(Boolean) ? left : [this.bag, this.bag, this.bag];
  }

  // entries lists the tiles that may come after a slide, with their chances: cell, tile, and the bag that is left.
  entries(at, slid) {
    if (!this.threes) {
      const empty = slid.cells.flatMap((tile, cell) => (tile ? [] : [cell]));
      return empty.flatMap((cell) => [[2, 1 - this.p4], [4, this.p4]].filter(([, p]) => p > 0).map(([tile, p]) => ({ cell, tile, chance: p / empty.length })));
    }
    const highest = Math.max(...at.cells);
    return (this.hidden ? this.nexts(at.bag, highest) : [{ next: at.next, chance: 1 }]).flatMap(({ next, chance }) => {
      const tiles = next === '+' ? [] : [next];
      if (next === '+') for (let tile = 6; tile <= highest / 8; tile *= 2) tiles.push(tile);
      const share = chance / (tiles.length * slid.moved.length);
      return slid.moved.flatMap((cell) => tiles.map((tile) => ({ cell, tile, chance: share, bag: this.without(at.bag, next) })));
    });
  }

  // shown draws the next tile of a state, if the player sees it.
  shown(at, draw) {
    if (!this.threes || this.hidden) return { next: null, ...at };
    return { ...at, next: pick(this.nexts(at.bag, Math.max(...at.cells)), draw).next };
  }

  // deal draws the start of a game.
  deal(draw) {
    const drawn = this.start && this.read(this.start);
    if (drawn) return this.shown(drawn, draw);
    const at = { cells: Array.from({ length: this.size }, () => 0), bag: this.threes ? [this.bag, this.bag, this.bag] : null };
    for (let n = this.threes ? Math.floor(9 * this.size / 16) : Math.min(2, this.size); n > 0; n--) {
      const empty = at.cells.flatMap((tile, cell) => (tile ? [] : [cell]));
      const cell = empty[Math.floor(draw() * empty.length)];
      if (this.threes) {
        const { next } = pick(this.nexts(at.bag, 0), draw);
        at.cells[cell] = next;
        at.bag = this.without(at.bag, next);
      } else at.cells[cell] = draw() < this.p4 ? 4 : 2;
    }
    return this.shown(at, draw);
  }

  // move makes a slide, and draws what comes: null if nothing moves. If the slide wins 2048, nothing comes.
  move(at, way, draw) {
    const slid = this.won(at.cells) ? null : this.slide(at.cells, way);
    if (!slid) return null;
    if (!this.threes && this.won(slid.cells)) return { ...slid, after: { cells: slid.cells, bag: null, next: null } };
    const came = pick(this.entries(at, slid), draw);
    const after = this.shown({ cells: slid.cells.map((tile, cell) => (cell === came.cell ? came.tile : tile)), bag: came.bag ?? null }, draw);
    return { ...slid, came, after };
  }

  // score returns the score of cells, when slides have gained as much.
  score(cells, gains) { return this.threes ? cells.reduce((sum, tile) => sum + this.worth(tile), 0) : gains; }

  // text writes a state as the commands do.
  text(at) {
    const rows = Array.from({ length: this.rows }, (_, r) => at.cells.slice(r * this.cols, (r + 1) * this.cols).map((tile) => tile || '.').join(','));
    const full = !this.threes || at.bag.every((n) => n === this.bag);
    return rows.join('/') + (full ? '' : `@${at.bag.map((n, i) => String(i + 1).repeat(n)).join('')}`);
  }

  // read returns the state of a text that text wrote, without the next tile, or null.
  read(text) {
    const [board, left] = text.split('@');
    const cells = board.split(/[,/]/).map((cell) => (cell === '.' ? 0 : Number(cell)));
    const bag = !this.threes ? null : left ? [1, 2, 3].map((tile) => left.split(tile).length - 1) : [this.bag, this.bag, this.bag];
    const numbers = new Set(this.tiles.map((tile) => tile.number));
    const fits = cells.length === this.size && cells.some(Boolean) && cells.every((tile) => !tile || numbers.has(tile)) && (!bag || bag.every((n) => n <= this.bag));
    return fits && this.text({ cells, bag }) === text ? { cells, bag } : null;
  }
}

// percent writes a chance with some digits. Of one that is nearly 1, it shows how far it is from 1.
function percent({ value, complement }, digits = 4) {
  if (complement === 0) return '100 %';
  if (!value) return '0 %';
  const p = 100 * value;
  if (complement !== undefined && complement < 1e-3) {
    const places = 1 - Math.floor(Math.log10(100 * complement));
    return places > 8 ? '>99.9999 %' : `${p.toFixed(places)} %`;
  }
  if (p < 1e-4) return '<0.0001 %';
  return `${p < 0.1 ? p.toFixed(1 - Math.floor(Math.log10(p))) : p.toPrecision(digits)} %`;
}

// write writes what is worth something for an objective.
function write(of, worth, digits = 4) {
  if (!worth) return '–';
  if (worth.value === null) return '∞';
  if (of.kind === 'chance') return percent(worth, digits);
  if (Number.isInteger(worth.value)) return comma(worth.value);
  return worth.value.toPrecision(digits + (worth.value >= 1e4 ? 2 : 1));
}

// apart writes several of them with so many digits that those that differ look different, but not more than fit.
function apart(of, worths) {
  const differ = new Set(worths.map(({ value }) => value?.toPrecision(12))).size;
  const texts = [4, 5, 6].map((digits) => worths.map((worth) => write(of, worth, digits)));
  return texts.find((all) => new Set(all).size >= differ) ?? texts.at(-1);
}

const title = ({ name, kind, tile }) => (name === 'score' ? 'Score' : kind === 'chance' && !name.includes('>') ? `Tile ${tile}` : name.replace('>', ', then '));

const either = (words) => (words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words[0]);

const arrows = { U: 'M12 4l7 8h-4.5v8h-5v-8H5z', D: 'M12 20l-7-8h4.5V4h5v8H19z', L: 'M4 12l8-7v4.5h8v5h-8V19z', R: 'M20 12l-8 7v-4.5H4v-5h8V5z' };

export const views = (tools) => ({ numbers: tilesView(tools) });

export const told = () => 'Slide the tiles with the arrow keys.';

function tilesView({ space, title: called, fault, toast }) {
  const game = new Game(space.board);
  const { no_hints: noHints } = game;
  const looks = new Map(game.tiles.map((tile) => [tile.number, tile]));
  let seed = 0;
  let base = ''; // the text of the board where the game begins, if it is not dealt
  let trail = []; // turns: { at, gains, way, came, shown }: shown by Hint or Play best
  let undone = []; // turns that were taken back, the last one first
  const finish = new Finish($('numbers'), { again: restart, toast });
  let byHand = false; // the last slide was made here, by hand
  let flown = null; // ends when the last slide has been shown
  let url = null; // what of the URL this shows
  const known = new Map(); // by text: what the server said of a state
  const learning = new Map(); // by text: requests under way
  let checking = false;
  let hinted = null;
  const pointed = new Set(); // boards of which the best slide was shown: it counts as shown, whoever makes it
  let auto = null;
  let moving = null;
  let drag = null;

  const now = () => trail[trail.length - 1];

  // The aim is an objective: that of the URL, or else the target, or the greatest tile that is more likely than not. The goal
  // is the tile that is celebrated: the target, which ends the game, or else the tile of the usual aim.
  let objectives = [];
  let [usual, points, goal, ofGoal] = [null, -1, 0, -1];
  let aims = []; // their elements
  const aimed = () => objectives.indexOf(objectives.find((o) => o.name === state.aim) ?? usual);

  // adopt takes the objectives. A board may come before them.
  function adopt(all) {
    objectives = all;
    const chances = objectives.filter((o) => o.kind === 'chance');
    usual = chances.find((o) => o.tile === game.target) ?? chances.filter((o) => o.value >= 0.5).sort((a, b) => b.tile - a.tile)[0] ?? objectives[0] ?? null;
    points = objectives.findIndex((o) => o.name === 'score');
    goal = game.target || usual?.tile || (!game.threes && game.size >= 16 ? 2048 : 0);
    ofGoal = objectives.findIndex((o) => o.kind === 'chance' && o.tile === goal);
    aims = objectives.map(aimOf);
    $('numbers-aims').replaceChildren(...aims.map(({ label }) => label));
    $('numbers-aims-panel').hidden = !objectives.length;
  }

  // What was said of a turn: the slides that can be made with the tile that is next.
  const told = (turn) => known.get(game.text(turn.at));
  const slides = (turn) => told(turn)?.cases?.find((c) => c.next === String(turn.at.next ?? ''))?.moves ?? [];

  // worthOf returns what a turn is worth for an objective, undefined if it is not known. The values of 2048 are what is
  // still to come: the score so far belongs to it.
  function worthOf(turn, o) {
    const said = told(turn);
    const of = objectives[o];
    if (!said || said.unknown) return undefined;
    let worth = slides(turn).find((m) => m.best[o])?.values[o] ?? said.values[o];
    if (!worth && of.kind === 'chance' && Math.max(...turn.at.cells) >= of.tile) worth = { value: 1, complement: 0 };
    if (!worth && of.kind === 'score') worth = { value: 0 };
    return worth && withGains(worth, of, turn.gains);
  }
  const withGains = (worth, of, gains) => (of.kind === 'score' && !game.threes && worth.value !== null ? { value: worth.value + gains } : worth);

  // lossOf returns what the move after a turn has lost for an objective: undefined if it is not known yet, NaN if it never
  // will be.
  const lossOf = (i, o) => (told(trail[i])?.unknown ? NaN : slides(trail[i]).find((m) => LETTERS[m.move] === trail[i + 1].way)?.loss[o]);

  // The board.
  const board = grid(game.rows, game.cols);
  board.setAttribute('role', 'img');
  const place = (cell) => [(cell % game.cols) * CELL, Math.floor(cell / game.cols) * CELL];
  const nameOf = (cell) => cellName(Math.floor(cell / game.cols), cell % game.cols);
  const pieces = svg('g', {});
  const arrow = svg('g', { class: 'marks' });
  board.append(pieces, arrow);
  $('numbers-board').append(board);

  // put draws a tile in a cell; what it returns can be animated.
  function put(number, cell) {
    const [x, y] = place(cell);
    const inner = tile(number, looks.get(number));
    pieces.append(svg('g', { transform: `translate(${x + CELL / 2} ${y + CELL / 2})`, 'data-cell': nameOf(cell) }, inner));
    return inner;
  }

  let drawn = null;
  function draw(cells) {
    if (drawn === cells) return; // a tile may still be growing
    drawn = cells;
    pieces.replaceChildren();
    cells.forEach((number, cell) => { if (number) put(number, cell); });
  }

  // fly shows a slide, and then the tile that comes.
  function fly({ glides, joined, came, after }) {
    moving?.();
    if (calm.matches) {
      draw(after.cells);
      return Promise.resolve();
    }
    const time = 120 / (auto ? state.speed : 1);
    return new Promise((done) => {
      const end = () => {
        if (moving !== end) return;
        moving = null;
        draw(now().at.cells);
        done();
      };
      moving = end;
      drawn = null;
      pieces.replaceChildren();
      let longest = null;
      for (const { tile: number, from, to } of glides) {
        const inner = put(number, from);
        const [[x, y], [u, v]] = [place(from), place(to)];
        if (from !== to) longest = inner.animate([{ transform: 'none' }, { transform: `translate(${u - x}px, ${v - y}px)` }], { duration: time, easing: 'ease-in-out', fill: 'forwards' });
      }
      longest.finished.then(() => {
        if (moving !== end) return;
        end();
        const grown = (cell, from) => {
          const inner = pieces.querySelector(`[data-cell="${nameOf(cell)}"] .num`);
          inner?.animate([{ transform: `scale(${from})` }, { transform: `scale(${from < 1 ? 1.06 : 1})`, offset: 0.7 }, { transform: 'none' }], { duration: 1.3 * time, easing: 'ease-out' });
        };
        for (const cell of joined) grown(cell, 1.14);
        if (came) grown(came.cell, 0.2);
      }, () => {});
    });
  }

  // The buttons of the four slides.
  const ways = {};
  for (const letter of 'LUDR') {
    const worth = make('span', { class: 'way-worth' });
    const bar = make('span', { class: 'way-bar' });
    const button = make('button', { type: 'button', class: 'way-button', 'data-way': letter, onclick: () => slide(letter) },
      svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: arrows[letter] })), worth, make('span', { class: 'way-line' }, bar));
    ways[letter] = { button, worth, bar };
    $('numbers-ways').append(button);
  }

  // aimOf makes the elements of an aim.
  function aimOf(o) {
    const input = make('input', { type: 'radio', name: 'aim', value: o.name });
    const worth = make('span', { class: 'aim-worth' });
    const bar = make('span', { class: 'way-bar' });
    input.addEventListener('change', () => {
      hinted = auto = null;
      save({ aim: o === usual ? '' : o.name });
      refresh();
    });
    // After a click, arrow keys slide again; who has come by keys goes on among the aims.
    input.addEventListener('click', (event) => { if (event.detail) input.blur(); });
    const label = make('label', { class: 'aim' }, input, make('span', { class: 'aim-name' }, title(o)), make('span', { class: 'way-line' }, bar), worth);
    return { input, worth, bar, label };
  }
  adopt(game.objectives);
  $('numbers-told').textContent = `${game.threes ? 'Slide all tiles by one step. 1 and 2 join to 3, and then equal tiles join. The tile that is next comes in at the far side of a line that moved.'
    : 'Slide all tiles to one side. Two equal tiles that meet become one of twice the value. Then a tile comes in a random empty cell: '
      + `a 2${game.p4 > 0 && game.p4 < 1 ? `, or a 4 with chance ${Number((100 * game.p4).toPrecision(6))} %` : ''}.`} `
    + (game.target ? `You win with a tile ${comma(game.target)}.` : 'The game ends when no slide changes the board.');

  function say(text, kind = '') {
    const el = $('numbers-verdict');
    el.className = `verdict ${kind}`;
    if (el.textContent !== text) el.textContent = text;
  }

  // refresh draws the state and all texts about it.
  function refresh() {
    const turn = now();
    const o = aimed();
    const aim = objectives[o];
    const said = told(turn);
    const shown = state.hints === 'on' && objectives.length > 0;
    const possible = game.ways(turn.at);
    const moves = slides(turn);
    const best = moves.filter((m) => m.best[o]);
    if (!moving) draw(turn.at.cells);
    board.setAttribute('aria-label', `The board: ${turn.at.cells.map((n, cell) => `${nameOf(cell)} ${n || 'empty'}`).join(', ')}${turn.at.next ? `; the next tile is ${turn.at.next === '+' ? 'a bonus tile' : turn.at.next}` : ''}`);
    drawNext(turn.at.next);
    const score = game.score(turn.at.cells, turn.gains);
    $('numbers-score').textContent = comma(score);
    $('numbers-record').textContent = comma(record(space.kept, byHand && !base && !helped(trail.length - 1) ? score : 0));
    const here = shown && aim ? worthOf(turn, o) : undefined;
    $('numbers-chance-name').textContent = !aim ? 'chance' : aim.kind === 'chance' ? `chance of ${comma(aim.tile)}` : aim.kind === 'score' ? 'expected score' : title(aim);
    $('numbers-chance').textContent = !shown ? '–' : here ? write(aim, here) : said?.unknown ? '?' : '…';
    $('numbers-chance').dataset.value = here?.value ?? '';
    const lost = losses(o);
    $('numbers-cost').textContent = !shown ? '–' : lost === undefined ? '…' : Number.isNaN(lost) ? '?' : write(aim, { value: lost });
    const worths = shown ? moves.map((m) => withGains(m.values[o], aim, turn.gains)) : [];
    const texts = apart(aim, worths);
    for (const name of ['chance', 'cost']) $(`numbers-${name}`).classList.toggle('long', $(`numbers-${name}`).textContent.length > 7);
    for (const [letter, { button, worth, bar }] of Object.entries(ways)) {
      const move = moves.find((m) => LETTERS[m.move] === letter);
      const value = worths[moves.indexOf(move)];
      button.disabled = !possible.includes(letter);
      button.classList.toggle('is-best', Boolean(hinted && move?.best[o]));
      worth.textContent = texts[moves.indexOf(move)] ?? '';
      worth.classList.toggle('long', worth.textContent.length > 8);
      button.dataset.value = value?.value ?? '';
      bar.style.width = value?.value ? `${100 * Math.min(1, share(value, here))}%` : '0';
      const loss = value && !move.best[o] ? `, ${aim.kind === 'chance' ? percent({ value: move.loss[o] }) : write(aim, { value: move.loss[o] })} less than the best` : '';
      button.setAttribute('aria-label', `Slide ${WAYS[letter]}${value ? `: ${worth.textContent}${loss}` : ''}`);
      button.title = value?.value != null ? `${WAYS[letter]}: ${value.value}${value.complement !== undefined ? `, which is 1 − ${value.complement}` : ''}` : WAYS[letter];
    }
    $('numbers-ways').classList.toggle('bare', !shown);
    aims.forEach(({ input, worth, bar, label }, i) => {
      input.checked = i === o;
      const value = shown ? worthOf(turn, i) : undefined;
      label.classList.toggle('bare', !shown || objectives[i].kind !== 'chance');
      worth.textContent = shown ? (value ? write(objectives[i], value) : said?.unknown ? '?' : '…') : '';
      bar.style.width = `${100 * (value?.value ?? 0)}%`;
    });
    drawArrow(best);
    $('numbers-forget').hidden = !some();
    $('numbers-undo').disabled = trail.length < 2;
    $('numbers-redo').disabled = !undone.length;
    $('numbers-hint').disabled = $('numbers-best').disabled = !possible.length || Boolean(noHints) || Boolean(said?.unknown);
    $('numbers-best').textContent = auto ? 'Stop' : 'Play best';
    drawStory(shown ? o : -1);
    judge(turn, possible, best, said, shown, o);
    celebrate();
  }

  // reached is the turn at which the goal was reached, -1 if it was not.
  const reached = () => (goal ? trail.findIndex(({ at }) => Math.max(...at.cells) >= goal) : -1);

  // celebrate shows the panel when the goal is reached, and keeps the result. A board of one's own has none.
  function celebrate() {
    const n = reached();
    const last = trail.length - 1;
    const over = noHints && last > 0 && n !== last && !game.ways(now().at).length; // nobody knows what was possible
    if (n < 1 && !over) {
      finish.hide();
      return;
    }
    if (auto) return;
    if (over) {
      const score = game.score(now().at.cells, now().gains);
      finish.show({
        key: `${seed} ${last}`, id: space.kept, title: score && score === record(space.kept) ? 'Your best score!' : 'The game is over',
        told: `Score ${comma(score)}, ${plural(last, 'move')}, greatest tile ${Math.max(...now().at.cells)}.`, stars: null, moves: last, next: null, goesOn: false, fresh: byHand, after: flown,
      });
      return;
    }
    const lost = ofGoal < 0 ? NaN : losses(ofGoal, n);
    const result = PAR + (lost >= 0 ? Math.ceil(100 * Math.min(1, lost) - 1e-9) : 100);
    const counts = !base && !helped(n) && lost !== undefined;
    if (counts && byHand) keep(space.kept, result);
    if (lost === undefined) check();
    const starred = counts ? stars(result, PAR) : null;
    finish.show({
      key: `${seed} ${n}`, id: space.kept, title: helped(n) ? `${goal}, with help` : starred === 3 ? `${goal}, played best!` : `${goal}!`, told: summary(n, lost),
      stars: starred, moves: result, next: null, goesOn: !game.target && game.ways(now().at).length > 0, fresh: byHand, after: flown,
    });
  }

  // helped says how many of the first moves are not one's own.
  function helped(n) {
    const given = trail.slice(1, n + 1).filter((turn) => turn.shown).length;
    if (!given) return '';
    return given === n ? ' All of them were shown.' : ` ${comma(given)} of them ${given === 1 ? 'was' : 'were'} shown.`;
  }

  // summary says how the goal was reached in so many moves, which lost so much of the chance.
  function summary(n, lost) {
    const made = `Reached ${goal} in ${plural(n, 'move')}.`;
    if (helped(n)) return made + helped(n);
    if (lost === 0) return `${made} No slide lost any of the chance!`;
    return lost > 0 ? `${made} Your slides lost ${percent({ value: lost }, 2)} of the chance.` : made;
  }

  // share is how long the bar of a value is.
  const share = ({ value }, here) => (here?.value > 0 && objectives[aimed()].kind !== 'chance' ? value / Math.max(value, here.value) : value);

  // losses adds up what the first moves have lost for an objective, undefined if that is not known.
  function losses(o, n = trail.length - 1) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const loss = lossOf(i, o);
      if (loss === undefined) return undefined;
      sum += loss ?? Infinity;
    }
    return sum;
  }

  function judge(turn, possible, best, said, shown, o) {
    const aim = objectives[o];
    const highest = Math.max(...turn.at.cells);
    const made = plural(trail.length - 1, 'move');
    if (game.won(turn.at.cells)) say(`Won! There is a ${highest}, after ${made}.`, 'won');
    else if (!possible.length) say(`No slide changes the board: the game is over after ${made}, with a ${highest}.`, goal && highest >= goal ? 'won' : 'bad');
    else if (said?.unknown) say(`Nothing is known about this board: ${said.unknown}.`, 'bad');
    else if (hinted) say(`Best: ${either(best.map((m) => m.move))}. Hint again makes the move.`);
    else if (noHints) say(trail.length > 1 ? '' : site ? 'Slide with the arrow keys, or swipe: your best score counts.' : `There are no chances here: ${noHints}.`);
    else if ((learning.size || absent()) && awaited()) say(awaited());
    else if (!shown) say('');
    else if (trail.length === 1) say(`Slide with the arrow keys, or drag the board.${aim.kind === 'chance' && said ? ` The best play makes a ${comma(aim.tile)} with chance ${write(aim, worthOf(turn, o))}.` : ''}`);
    else {
      const loss = lossOf(trail.length - 2, o);
      const before = slides(trail.at(-2)).filter((m) => m.best[o]).map((m) => m.move);
      const way = WAYS[turn.way];
      if (loss === undefined || Number.isNaN(loss)) say('');
      else if (aim.kind === 'chance' && highest >= aim.tile) say(`There is a ${comma(aim.tile)}! Go on, or choose a higher tile.`, 'good');
      else if (loss === 0 && !before.includes(way)) say(`${capital(way)} costs nothing but what breaks a tie: ${either(before)} was better.`);
      else if (loss === 0) say(before.length > 1 ? `${capital(either(before))}: no slide is better.` : `${capital(way)} was the best slide.`, 'good');
      else say(`${capital(way)} cost ${loss === null ? 'everything' : write(aim, { value: loss })}: ${either(before)} was better.`, 'bad');
    }
  }

  // drawNext shows the next tile of Threes.
  function drawNext(next) {
    $('numbers-next').hidden = !game.threes || game.hidden;
    if (!next) {
      $('numbers-next-tile').replaceChildren();
      return;
    }
    $('numbers-next-tile').replaceChildren(svg('svg', { viewBox: `${-CELL / 2} ${-CELL / 2} ${CELL} ${CELL}`, role: 'img', 'aria-label': next === '+' ? 'a bonus tile' : String(next) }, tile(next, looks.get(next))));
  }

  // drawArrow shows the best slide on the board.
  function drawArrow(best) {
    arrow.replaceChildren();
    if (!hinted || auto) return;
    for (const { move } of best) {
      const [dy, dx] = STEPS[LETTERS[move]];
      const [x, y] = [(game.cols / 2) * CELL * (1 + dx) + 2 * dx, (game.rows / 2) * CELL * (1 + dy) + 2 * dy];
      const d = `M${x + dx * 9} ${y + dy * 9}L${x - dx * 2 - dy * 10} ${y - dy * 2 - dx * 10}L${x - dx * 2 + dy * 10} ${y - dy * 2 + dx * 10}Z`;
      arrow.append(svg('path', { d, class: 'way-head rim' }), svg('path', { d, class: 'way-head' }));
    }
  }

  // drawStory draws what the game was worth before each move. Moves that lose something are marked.
  function drawStory(o) {
    const box = $('numbers-story-panel');
    const all = o < 0 ? [] : trail.map((turn) => worthOf(turn, o));
    const worths = all.map((worth) => worth?.value);
    box.hidden = worths.length < 2 || worths.some((v) => v == null);
    if (box.hidden) return;
    const aim = objectives[o];
    $('numbers-story-title').textContent = aim.kind === 'chance' ? 'The chance, move by move' : 'What the board is worth, move by move';
    const [w, h] = [360, 92];
    const most = aim.kind === 'chance' || aim.kind === 'discount' ? 1 : Math.max(...worths);
    const x = (i) => 3 + (w - 6) * i / (worths.length - 1);
    const y = (v) => h - 3 - (h - 6) * (most ? v / most : 0);
    const line = worths.map((v, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join('');
    const wrong = worths.flatMap((_, i) => (i + 1 < worths.length && lossOf(i, o) !== 0 ? [i] : []));
    const label = `${plural(worths.length - 1, 'move')}, ${wrong.length ? `${comma(wrong.length)} not the best` : 'all of them best'}: from ${write(aim, all[0])} to ${write(aim, all.at(-1))}.`;
    $('numbers-story').replaceChildren(svg('svg', { viewBox: `0 0 ${w} ${h}`, class: 'chart', role: 'img', 'aria-label': label },
      svg('path', { d: `M3 ${h - 3}H${w - 3}M3 3H${w - 3}`, class: 'story-axis' }),
      svg('path', { d: `${line}L${x(worths.length - 1)} ${h - 3}L3 ${h - 3}Z`, class: 'story-area' }), svg('path', { d: line, class: 'story-line' }),
      ...wrong.map((i) => svg('circle', { cx: x(i), cy: y(worths[i]), r: 3.4, class: 'story-wrong' })),
      svg('circle', { cx: x(worths.length - 1), cy: y(worths.at(-1)), r: 4, class: 'story-now' })));
    $('numbers-story-told').textContent = label;
  }

  // changed shows and keeps the present game, and asks about it. Of a game that a link has brought, no place is kept.
  function changed({ loaded = false } = {}) {
    hinted = null;
    const moves = trail.slice(1).map(({ way, shown }) => (shown ? way.toLowerCase() : way)).join('');
    url = moves.length > LONGEST ? { seed, at: game.text(now().at), moves: '' } : { seed, at: base, moves };
    save(url);
    if (!loaded) keepPlace(space.kept, moves && game.ways(now().at).length ? url : {});
    refresh();
    if (state.hints === 'on') check();
  }

  // take makes a move, if it can be made.
  function take(way, shown = false) {
    const { at, gains } = now();
    const made = game.move(at, way, random(seed, trail.length));
    if (!made) return null;
    trail.push({ at: made.after, gains: gains + made.gain, way, came: made.came, shown });
    return made;
  }

  // announce says for those who do not see it what a move has done.
  function announce(way, { cells, joined, came, after }) {
    const made = joined.map((cell) => `${cells[cell]} made in ${nameOf(cell)}`);
    $('numbers-said').textContent = `${capital(WAYS[way])}. ${[...made, ...(came ? [`${came.tile} came in ${nameOf(came.cell)}`] : [])].join(', ')}.${after.next ? ` Next ${after.next === '+' ? 'is a bonus tile' : after.next}.` : ''}`;
  }

  // slide makes a move of the player, or of the best play.
  function slide(way, { machine = false, shown = machine, again = false } = {}) {
    if (!machine) auto = null;
    const made = take(way, shown || pointed.has(game.text(now().at)));
    if (!made) {
      if (!machine) refresh();
      return Promise.resolve();
    }
    if (undone.at(-1)?.way === way) undone.pop();
    else undone = [];
    if (reached() < trail.length - 1) finish.close(); // it goes on
    byHand = !shown && !again;
    flown = fly(made);
    announce(way, made);
    changed();
    return flown;
  }

  // learn asks about a state, once.
  function learn(pattern) {
    if (!learning.has(pattern)) {
      learning.set(pattern, patiently(() => ask('api/hint', { pattern, target: '' })).then((said) => known.set(pattern, said), (err) => {
        if (err.status !== 400) throw err;
        known.set(pattern, { unknown: err.message }); // it does not take the board for one of the game
      }).finally(() => learning.delete(pattern)));
    }
    return learning.get(pattern);
  }

  // check asks about all states of the game that are not known yet, the last ones first, one at a time.
  async function check() {
    if (checking || noHints) return;
    checking = true;
    try {
      for (;;) {
        const turn = trail.findLast((one) => !told(one));
        if (!turn) break;
        await learn(game.text(turn.at));
        fault(null);
        refresh();
      }
    } catch (err) {
      if (!absent()) fault(err);
    } finally {
      checking = false;
    }
  }

  // choose returns the best slide: of those that are equally good, the one with the highest score.
  function choose() {
    const o = aimed();
    const all = slides(now()).filter((m) => m.best[o]);
    return all.reduce((a, m) => (a && (points < 0 || a.values[points].value >= m.values[points].value) ? a : m), null);
  }

  // best waits for it.
  async function best() {
    const turn = now();
    try {
      await learn(game.text(turn.at));
    } catch (err) {
      if (!absent()) fault(err);
    }
    return turn === now() ? choose() : null;
  }

  function stop() {
    auto = null;
    moving?.();
  }

  function undo() {
    if (trail.length < 2) return;
    stop();
    undone.push(trail.pop());
    byHand = false;
    $('numbers-said').textContent = 'The move is taken back.';
    changed();
  }

  function redo() {
    const turn = undone.at(-1);
    if (turn) slide(turn.way, { shown: turn.shown, again: true });
  }

  function restart() {
    stop();
    [seed] = crypto.getRandomValues(new Uint32Array(1));
    base = '';
    begin();
    $('numbers-said').textContent = 'A new game.';
    changed();
  }

  // begin deals the start.
  function begin() {
    const deal = random(seed, 0);
    const drawn = base && game.read(base);
    trail = [{ at: drawn ? game.shown(drawn, deal) : game.deal(deal), gains: 0, way: '', came: null, shown: false }];
    undone = [];
  }

  async function hint() {
    if (hinted) {
      slide(LETTERS[hinted.move], { shown: true });
      return;
    }
    stop();
    hinted = told(now()) ? choose() : await best();
    if (hinted) pointed.add(game.text(now().at));
    refresh();
  }

  // watch plays on with the best moves, until it is stopped.
  async function watch() {
    if (auto) {
      stop();
      refresh();
      return;
    }
    stop();
    hinted = null;
    const mine = auto = {};
    refresh();
    while (auto === mine && game.ways(now().at).length) {
      const move = told(now()) ? choose() : await best();
      if (!move || auto !== mine) break;
      const rest = new Promise((done) => { setTimeout(done, 420 / state.speed); });
      await slide(LETTERS[move.move], { machine: true });
      await rest;
    }
    if (auto === mine) {
      auto = null;
      refresh();
    }
  }

  // Dragging the board slides it, once for each time.
  board.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY };
    board.setPointerCapture(event.pointerId);
  });
  board.addEventListener('pointermove', (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE) return;
    drag = null;
    slide(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'R' : 'L') : dy > 0 ? 'D' : 'U');
  });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) board.addEventListener(name, () => { drag = null; });

  const runs = { undo, redo, hint, best: watch, restart };
  for (const [id, f] of Object.entries(runs)) $(`numbers-${id}`).addEventListener('click', f);
  $('numbers-hints').disabled = Boolean(noHints);
  $('numbers').classList.toggle('no-hints', Boolean(noHints));
  $('numbers-record-box').hidden = !noHints;
  forgetting($('numbers-forget'), refresh);
  onProgress(() => { if (learning.size) refresh(); });
  $('numbers-hints').addEventListener('change', () => {
    save({ hints: $('numbers-hints').checked ? 'on' : 'off' });
    refresh();
    if (state.hints === 'on') check();
  });
  $('numbers-speed').addEventListener('change', () => save({ speed: Number($('numbers-speed').value) }));

  // load shows what the URL says, as far as it is valid.
  function load() {
    stop();
    seed = state.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
    base = state.at && game.read(state.at) ? state.at : '';
    begin();
    for (const way of state.moves) if (!take(way.toUpperCase(), way >= 'a')) break; // the URL is from another file
    byHand = false;
    changed({ loaded: true });
  }

  return {
    enter({ first }) {
      if (first && state.seed === null && !state.at && !state.moves) resume(placeOf(space.kept));
      document.title = `${isolate(called)} – Pagoda`;
      levelLine('numbers', space.space);
      $('numbers-hints').checked = state.hints === 'on' && !noHints;
      $('numbers-speed').value = String(state.speed);
      if (!url || state.seed !== url.seed || state.at !== url.at || state.moves !== url.moves) load();
      else refresh();
    },
    leave() { stop(); },
    computed({ board: { objectives: all } }) { // the board came before them
      if (objectives.length) return;
      adopt(all);
      refresh();
    },
    share: () => ({ rows: () => [[board]], frame: 290, board: () => board, goal: null, told: [$('numbers-told').textContent] }),
    key(event) {
      const way = KEYS[event.key];
      if (way) {
        slide(way);
        return true;
      }
      const name = { u: 'undo', y: 'redo', h: 'hint', s: 'best', r: 'restart' }[event.key.toLowerCase()];
      if (!name) return false;
      if (!$(`numbers-${name}`).disabled) runs[name]();
      return true;
    },
  };
}
