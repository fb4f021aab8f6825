// A game of pieces that slide: its moves are made, taken back and made again; hints come from the server; buttons
// and keys do all that. What a move is and how it looks is up to the view.

import { ask, patiently } from './api.js';
import { some, forgetting } from './best.js';
import { calm, comma, make } from './dom.js';
import { Finish } from './finish.js';
import { site } from './home.js';
import { KEYS, STEPS } from './shapes.js';
import { state, save, resume } from './url.js';
import { absent, awaited, onProgress } from './waiting.js';

const LONGEST = 1500; // of the moves in the URL

// A Game has positions and moves. A move is { set, path, shown }: some pieces, by their numbers and in order; the
// letters of their steps; and whether Hint or Solve has shown a part of it. The rules are an object of the view:
//
//   begin                       the position with which the page begins
//   first(base)                 the position to which a restart goes
//   setUp(base)                 if there is one: other moves begin here, and the pieces may be others
//   text(position)              as the server has it; link(position), read(text): as the URL has it, null if it is not valid
//   id()                        of the puzzle that these moves solve, as results have it; null if it has none
//   names(position)             the letters of the pieces
//   push(position, i, way)      the set that moves when a piece takes a step, or null
//   fits(position, set, way)    can a set take a step
//   after(position, set, way)   the position after a step
//   joins(last, step)           does a step belong to the last move
//   join(before, last, step)    the path of both; empty if the pieces are back where they were
//   best(told)                  the first move of a best solution, from what the server said of the position
//   told(answer)                the server has said something of a position
//   middle(i)                   where a piece is; null if it is gone
//   draw(position)              draws a position at rest
//   flight(before, move)        { length, paint }: paint draws the move when so much of the length is behind
//   moved()                     moves were made, by hand or by Hint and Solve
//   end()                       what the panel after a win shows, or null if it is not won: { id, told, stars, next }
//   place()                     where one was, as parts of the URL
//   keepPlace(parts)            keeps where one is
//   refresh()                   draws what depends on the position
export class Game {
  constructor(prefix, rules, { fault, toast, noHints = '' }) {
    Object.assign(this, { prefix, rules, fault, noHints });
    this.finish = new Finish(document.getElementById(prefix), { again: () => this.restart(), toast });
    this.byHand = false; // the last move was made here, by hand
    this.flown = null; // ends when the last move has been shown
    this.url = null; // what of the URL this shows
    this.known = new Map(); // by text: what the server said of a position
    this.early = new Map(); // by text: what a site knows of it before its engine does
    this.led = null; // where the solution begins that the site was asked for, and when it has come
    this.leading = 0; // questions that wait for it
    this.asking = this.hinted = this.moving = this.auto = this.picked = this.held = null;
    this.waiting = null; // the position of which a hint was wanted
    this.pointed = new Set(); // positions of which the best move was shown: it counts as shown, whoever makes it
    this.focus = 0;
    this.pieces = []; // their elements
    this.reset(rules.begin);
    this.runs = Object.fromEntries(['undo', 'redo', 'hint', 'solve', 'restart'].map((name) => [name, () => this[name]()]));
    for (const [name, run] of Object.entries(this.runs)) this.$(name).addEventListener('click', run);
    this.$('hints').disabled = Boolean(noHints);
    document.getElementById(prefix).classList.toggle('no-hints', Boolean(noHints));
    forgetting(this.$('forget'), () => this.refresh());
    this.whole = false; // the engine of a site knows all
    this.computed = new Promise((done) => {
      onProgress((whole) => {
        this.whole = whole;
        if (whole) {
          done();
          if (state.hints === 'on' && this.url) this.check();
        } else if (this.asking || this.leading) this.refresh();
      });
    });
    this.$('hints').addEventListener('change', () => {
      save({ hints: this.$('hints').checked ? 'on' : 'off' });
      this.refresh();
      if (state.hints === 'on') this.check();
    });
    this.$('speed').append(...[0.5, 1, 2, 4].map((speed) => make('option', { value: speed }, speed < 1 ? '½×' : `${speed}×`)));
    this.$('speed').addEventListener('change', () => save({ speed: Number(this.$('speed').value) }));
  }

  $(name) { return document.getElementById(`${this.prefix}-${name}`); }

  at() { return this.trail.at(-1); }

  // shown reports whether the page says how far the end is.
  get shown() { return state.hints === 'on' && !this.noHints; }

  // told returns what is known of the position.
  get told() { return this.toldOf(this.at()); }

  toldOf(position) {
    const text = this.rules.text(position);
    const told = this.known.get(text);
    return told?.solution !== undefined ? told : this.early.get(text) ?? told;
  }

  reset(base) {
    this.base = base; // where the moves begin
    this.played = [];
    this.trail = [base]; // before each move, and after the last
    this.undone = [];
  }

  // drags lets pieces of a board be dragged. If they land far away, one that a click has just moved is only picked by the next: who
  // clicks where it was to go does not send it back. What is held has i, the piece; far, whether it was dragged and not only
  // clicked; and what begin(event, i) returns. follow(event, held) shows it on its way, drop(event, held) makes its moves and
  // reports whether there are any, and ways(i) lists the ways in which a piece can go.
  drags(board, { begin, follow, drop, ways, lands = false }) {
    let clicked = null; // the piece that the last click moved
    this.grab = (event, i) => {
      if (event.button !== 0 || this.held) return;
      event.preventDefault();
      this.auto = this.moving = null;
      this.focus = i;
      this.held = { i, id: event.pointerId, far: false, was: this.picked, ...begin(event, i) };
      board.setPointerCapture(event.pointerId);
      this.pieces[i].focus({ preventScroll: true });
      this.pieces[i].classList.add('held');
      this.refresh();
      this.rules.draw(this.at());
    };
    board.addEventListener('pointermove', (event) => {
      if (event.pointerId === this.held?.id) follow(event, this.held);
    });
    const end = (event) => {
      const { held } = this;
      if (event.pointerId !== held?.id) return;
      this.held = null;
      this.pieces[held.i].classList.remove('held');
      if (drop(event, held)) return;
      if (!held.far && event.type === 'pointerup') {
        const all = ways(held.i);
        if (all.length === 1 && held.was !== held.i && clicked !== held.i) { // a click is enough
          this.picked = null;
          if (lands) clicked = held.i;
          this.step(held.i, all[0]);
          return;
        }
        clicked = null;
        this.picked = held.was === held.i ? null : held.i;
      }
      this.refresh();
    };
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) board.addEventListener(name, end);
  }

  // attach makes elements the pieces, in their order.
  attach(elements) {
    this.pieces = elements;
    elements.forEach((el, i) => {
      el.addEventListener('pointerdown', (event) => this.grab(event, i));
      el.addEventListener('keydown', (event) => this.onKey(event, i));
      el.addEventListener('focus', () => {
        if (this.focus === i && (this.picked === null || this.picked === i)) return;
        this.focus = i;
        if (this.picked !== i) this.picked = null;
        this.refresh();
      });
    });
  }

  // refresh draws the position and everything about it.
  refresh() {
    const { rules } = this;
    const end = rules.end();
    if (end) this.picked = null;
    if (!this.moving && !this.held) rules.draw(this.at());
    if (!rules.middle(this.focus)) this.focus = Math.max(0, this.pieces.findIndex((_, i) => rules.middle(i)));
    this.pieces.forEach((el, i) => {
      el.setAttribute('aria-pressed', i === this.picked);
      el.setAttribute('tabindex', i === this.focus ? 0 : -1);
      el.classList.toggle('picked', i === this.picked);
      el.classList.toggle('hinted', Boolean(this.hinted?.set.includes(i)));
    });
    this.$('forget').hidden = !some();
    this.$('undo').disabled = !this.played.length;
    this.$('redo').disabled = !this.undone.length;
    this.$('restart').disabled = !this.played.length && this.base === rules.first(this.base);
    this.$('solve').textContent = this.auto ? 'Stop' : 'Solve';
    rules.refresh();
    if (!end) this.finish.hide();
    else this.finish.show({ key: `${rules.text(this.base)} ${this.played.length}`, moves: this.played.length, fresh: this.byHand, after: this.flown, ...end, ...this.credit(end) });
  }

  // credit gives the stars to who has made the moves.
  credit({ stars }) {
    if (this.played.some((m) => m.shown)) return { title: 'Solved with help', stars: null };
    return { title: stars === 3 ? 'Played best!' : 'Solved!' };
  }

  // say puts a text under the board.
  say(text, kind = '') {
    const el = this.$('verdict');
    el.className = `verdict ${kind}`;
    if (el.textContent !== text) el.textContent = text;
  }

  // take adds a step to the moves.
  take(set, way, shown) {
    const next = this.rules.after(this.at(), set, way);
    const last = this.played.at(-1);
    if (!last || last.set.join() !== set.join() || !this.rules.joins(last, { set, path: way })) {
      this.played.push({ set, path: way, shown });
      this.trail.push(next);
      return;
    }
    last.shown ||= shown;
    last.path = this.rules.join(this.trail.at(-2), last, { set, path: way });
    this.trail.pop();
    if (last.path) this.trail.push(next);
    else this.played.pop();
  }

  // run makes steps.
  run(steps, shown = false) {
    this.undone = [];
    const told = shown || this.pointed.has(this.rules.text(this.at()));
    for (const { set, way } of steps) this.take(set, way, told);
    this.rules.moved();
    this.byHand = !shown;
    this.changed();
  }

  // helped says how many moves are not one's own.
  helped() {
    const n = this.played.filter((m) => m.shown).length;
    if (!n) return '';
    return n === this.played.length ? ' All of them were shown.' : ` ${comma(n)} of them ${n === 1 ? 'was' : 'were'} shown.`;
  }

  // changed shows and keeps the present game. Of a game that a link has brought, no place is kept.
  changed({ loaded = false } = {}) {
    const { rules } = this;
    this.hinted = null;
    const slides = this.played.map(({ set, path, shown }) => `${set.map((i) => rules.names(this.base)[i]).join('')}_${path}${shown ? 's' : ''}`).join('-');
    const from = (position) => (position === rules.begin ? '' : rules.link(position));
    this.url = slides.length > LONGEST ? { at: from(this.at()), slides: '' } : { at: from(this.base), slides };
    save(this.url);
    if (!loaded) rules.keepPlace(rules.end() ? { at: '', slides: '' } : this.url);
    this.refresh();
    if (state.hints === 'on') this.check();
  }

  // fly shows a move from a position, or the way back to it, from a part of it on. It ends in the present position.
  fly(before, move, { back = false, from = 0 } = {}) {
    this.moving = null;
    this.flown = Promise.resolve();
    if (calm.matches) return this.flown;
    const mine = this.moving = {};
    const began = performance.now();
    const { length, paint } = this.rules.flight(before, move);
    const last = Math.min(600, 130 + 90 * length) / (this.auto ? state.speed : 1);
    this.flown = new Promise((done) => {
      const show = (now) => {
        if (this.moving !== mine) {
          done();
          return;
        }
        const t = Math.min(1, Math.max(0, now - began) / last);
        const gone = from + (length - from) * t * t * (3 - 2 * t);
        paint(back ? length - gone : gone);
        if (t < 1) requestAnimationFrame(show);
        else {
          this.moving = null;
          this.rules.draw(this.at());
          done();
        }
      };
      show(began);
    });
    return this.flown;
  }

  // go makes a move.
  go(move) {
    const before = this.at();
    this.stop({ keep: true });
    const flown = this.fly(before, move);
    this.run([...move.path].map((way) => ({ set: move.set, way })), true);
    return flown;
  }

  // lead makes known what the site knows before its engine: a solution of the puzzle, if that is a level.
  lead() {
    if (this.led?.base === this.base) return this.led.done;
    const { base, rules } = this;
    const id = site && rules.id();
    const done = id ? site.solution(id).then((moves) => { if (moves) this.learn(base, moves); }).catch(() => {}) : Promise.resolve();
    this.led = { base, done };
    return done;
  }

  // learn takes a solution: a text such as gDR for each move.
  learn(base, moves) {
    const { rules } = this;
    const all = moves.map(([piece, ...way]) => ({ piece, pieces: piece, move: `${piece}-${way.join('')}`, path: way.join('') }));
    let [here, steps] = [base, all.reduce((sum, { path }) => sum + path.length, 0)];
    all.forEach((move, n) => {
      const text = rules.text(here);
      const told = { distance: all.length - n, steps, to_goal: [], solution: { moves: all.slice(n) } };
      const set = [rules.names(base).indexOf(move.piece)];
      for (const way of move.path) here = rules.after(here, set, way);
      steps -= move.path.length;
      told.moves = [{ ...move, keeps: true, pattern: rules.text(here), distance: all.length - n - 1, steps }];
      this.early.set(text, told);
    });
  }

  // check asks for the distance of a position, and of those after each move. One question is
  // asked at a time: the first may take longest.
  async check(position = this.at()) {
    const text = this.rules.text(position);
    if (this.noHints || this.known.get(text)?.solution !== undefined) return this.known.get(text);
    if (site && !this.whole) {
      this.leading++;
      await Promise.race([this.lead(), this.computed]);
      this.leading--;
      if (!this.whole && (this.early.has(text) || position === this.at() && this.rules.end())) { // nothing that needs the engine
        this.refresh();
        return this.early.get(text);
      }
    }
    if (this.asking) return this.asking.then(() => this.check(position), () => undefined);
    const slow = setTimeout(() => this.refresh(), 250);
    this.asking = patiently(() => ask('api/hint', { pattern: text, target: '' }));
    try {
      const told = await this.asking;
      this.known.set(text, told);
      for (const m of told.moves) if (!this.known.has(m.pattern)) this.known.set(m.pattern, { distance: m.distance, steps: m.steps });
      this.rules.told(told);
      this.fault(null);
    } catch (err) {
      if (!absent()) this.fault(err);
    } finally {
      clearTimeout(slow);
      this.asking = null;
    }
    this.refresh();
    return this.known.get(text);
  }

  // best waits for the best move. It says so, too, where the page says nothing else of the position.
  async best() {
    const here = this.at();
    this.waiting = here;
    this.refresh();
    const told = await this.check(here);
    if (this.waiting === here) this.waiting = null;
    this.refresh();
    return here === this.at() && told?.moves ? this.rules.best(told) : undefined;
  }

  stop({ keep = false } = {}) {
    this.moving = null;
    this.picked = null;
    if (!keep) this.auto = null;
  }

  undo() {
    if (!this.played.length) return;
    this.stop();
    const move = this.played.pop();
    this.trail.pop();
    this.undone.push(move);
    this.byHand = false;
    this.fly(this.at(), move, { back: true });
    this.changed();
  }

  redo() {
    if (!this.undone.length) return;
    this.stop();
    const move = this.undone.pop();
    const before = this.at();
    this.byHand = false;
    this.played.push(move);
    this.trail.push([...move.path].reduce((here, way) => this.rules.after(here, move.set, way), before));
    this.fly(before, move);
    this.changed();
  }

  restart() {
    this.stop();
    this.reset(this.rules.first(this.base));
    this.changed();
  }

  // awaits says what is awaited, if anything is: by the page or, if that is quiet, by who wants a hint.
  awaits(usual) {
    return (this.asking || this.leading || absent()) && (this.shown || this.waiting === this.at()) ? awaited() || usual : '';
  }

  // hint shows the first move of a best solution. The second time it makes the move.
  async hint() {
    if (this.waiting === this.at()) return;
    const move = this.hinted;
    if (move) {
      this.auto = null;
      this.go(move);
      return;
    }
    this.stop();
    const best = await this.best();
    if (!best) return;
    this.hinted = best;
    this.pointed.add(this.rules.text(this.at()));
    [this.focus] = best.set;
    this.refresh();
  }

  // solve plays on to the end.
  async solve() {
    if (this.auto) {
      this.stop();
      this.refresh();
      return;
    }
    this.stop();
    const mine = this.auto = {};
    this.refresh();
    for (;;) {
      const move = await this.best();
      if (this.auto !== mine || !move) break;
      const rest = new Promise((done) => { setTimeout(done, (calm.matches ? 320 : 60) / state.speed); });
      await this.go(move);
      await rest;
    }
    if (this.auto === mine) {
      this.auto = null;
      this.refresh();
    }
  }

  // beside returns the piece that lies in a direction of another, or that itself.
  beside(i, way) {
    const [dr, dc] = STEPS[way];
    const [r, c] = this.rules.middle(i);
    let [found, least] = [i, Infinity];
    this.pieces.forEach((_, j) => {
      const there = this.rules.middle(j);
      if (!there) return;
      const along = (there[0] - r) * dr + (there[1] - c) * dc;
      const across = Math.abs((there[0] - r) * dc) + Math.abs((there[1] - c) * dr);
      if (j !== i && along > 0.1 && along + 2 * across < least) [found, least] = [j, along + 2 * across];
    });
    return found;
  }

  // step slides a piece, or shows that it cannot.
  step(i, way, from = 0) {
    const before = this.at();
    const set = this.rules.push(before, i, way);
    if (!set) {
      this.pieces[i].classList.add('stuck-block');
      setTimeout(() => this.pieces[i]?.classList.remove('stuck-block'), 300);
      return;
    }
    this.auto = this.moving = null;
    const focused = document.activeElement === this.pieces[i];
    this.fly(before, { set, path: way }, { from });
    this.run([{ set, way }]);
    if (focused && !this.rules.middle(i)) this.pieces[this.focus].focus(); // it is gone
  }

  // onKey takes a key on a piece: arrows go to other pieces, or slide the piece that is picked.
  onKey(event, i) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = KEYS[event.key];
    if (way && this.picked === i) this.step(i, way);
    else if (way) {
      this.focus = this.beside(i, way);
      this.refresh();
      this.pieces[this.focus].focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.auto = null;
      this.picked = this.picked === i ? null : i;
      this.refresh();
    } else if (event.key === 'Escape' && this.picked !== null) {
      this.picked = null;
      this.refresh();
    } else return;
    event.preventDefault();
  }

  // load shows what the URL says, as far as it is valid.
  load() {
    const { rules } = this;
    this.stop();
    this.reset((state.at && rules.read(state.at)) || rules.begin);
    rules.setUp?.(this.base);
    for (const move of state.slides ? state.slides.split('-') : []) {
      const [names, path] = move.split('_');
      const set = [...names].map((name) => rules.names(this.base).indexOf(name));
      if (set.includes(-1)) break;
      const ok = [...path.replace('s', '')].every((way) => {
        if (!rules.fits(this.at(), set, way)) return false;
        this.take(set, way, path.endsWith('s'));
        return true;
      });
      if (!ok) break; // the URL is from another file
    }
    this.byHand = false;
    this.changed({ loaded: true });
  }

  // still returns a copy of the board as the moves begin.
  still(board) {
    this.rules.draw(this.base);
    const copy = board.cloneNode(true);
    this.rules.draw(this.at());
    return copy;
  }

  // A view enters, leaves and takes keys as this does.
  enter({ first = false } = {}) {
    if (first && !state.slides) resume(this.rules.place());
    this.$('hints').checked = this.shown;
    this.$('speed').value = String(state.speed);
    if (!this.url || state.at !== this.url.at || state.slides !== this.url.slides) this.load();
    else this.refresh();
  }

  leave() {
    this.stop();
    this.rules.draw(this.at());
  }

  key(event) {
    const name = { u: 'undo', y: 'redo', h: 'hint', s: 'solve', r: 'restart' }[event.key.toLowerCase()];
    if (!name) return false;
    if (!this.$(name).disabled) this.runs[name]();
    return true;
  }
}
