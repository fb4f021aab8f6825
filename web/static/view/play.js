// A puzzle: from the start to a target, jump by jump.

import { ask, patiently } from '../api.js';
import { best, keep, keepPlace, place, some, stars, forgetting } from '../best.js';
import { Pad, Board, Shape, jumpOf, pegs, thumbnail } from '../board.js';
import { deals } from '../deal.js';
import { $, calm, capital, isolate, make, plural } from '../dom.js';
import { Finish } from '../finish.js';
import { site } from '../home.js';
import { levelLine } from '../level.js';
import { strip, track } from '../player.js';
import { state, save, resume } from '../url.js';
import { absent, awaited, onProgress } from '../waiting.js';

const FLIGHT = 260; // milliseconds that a jump is shown
const MOST_DEALT = 200; // games that are played for a new target

export async function views(tools) {
  const { space: { board }, show, lazily } = tools;
  const all = { ...tools, shape: new Shape(board), play: (target) => show({ view: 'play', target, jumps: '' }) };
  const word = board.font && await import('../word.js');
  return { ...(word && { word: word.wordView(all) }), play: playView(all), draw: lazily(async () => (await import('../draw.js')).drawView(all)) };
}

export const told = ({ board }) => (board.font ? 'After “A Peg Solitaire Font”, Bridges 2017.' : 'Words are for the board of 5 by 7 cells with its centre vacant.');

function playView({ shape, space, title, fault, toast }) {
  const start = shape.read(space.start);
  const font = space.board.font ?? [];
  let target = '';
  let positions = [start]; // as played
  let jumps = [];
  let shown = []; // for each of them, whether Hint or Solve has shown it
  let undone = [];
  let selected = null;
  let known = new Map(); // by position: the answer of the server
  let early = new Map(); // by position: what a site knows before its engine does
  let asking = null;
  let hinted = null; // a jump that an arrow shows
  const pointed = new Map(); // by target and position: jumps that an arrow has shown, which count as shown whoever makes them
  let revealed = false; // a hint was wanted where the target is lost
  let moving = null; // a jump that is being shown
  let byHand = false; // the last jump was made here, by hand
  let auto = null;
  let waiting = null; // the position of which a hint was wanted
  let searching = null; // for the last position that was not lost

  const at = () => positions[positions.length - 1];
  const name = (cells) => {
    const l = font.find((g) => shape.read(g.pattern) === cells);
    return l ? (l.letter === ' ' ? 'the blank' : l.letter) : null;
  };

  const pad = new Pad(shape, {
    label: 'The board',
    press,
    take,
    drop,
    tell: (c, i) => {
      const wanted = state.ghost === 'on' && target[i] === 'o';
      if (c !== 'o') return `hole${wanted ? ', the target has a peg here' : ''}${pad.aims?.includes(i) ? ', jump here' : ''}`;
      const n = shape.legal(pad.cells).filter((j) => j.from === i).length;
      return `peg${wanted ? ' of the target' : ''}${i === selected ? ', chosen' : ''}${n === 0 ? '' : n === 1 ? ', can jump' : `, ${n} jumps`}`;
    },
  });
  $('play-board').append(pad.el);
  const goal = new Board(shape, { label: 'The target' });
  $('goal-board').append(goal.el);

  const finish = new Finish($('play'), { again: restart, toast });
  const id = (cells) => `${space.kept} ${cells}`; // by which results and places are kept

  function clear() {
    positions = [start];
    jumps = [];
    shown = [];
    undone = [];
  }

  // choose begins another puzzle, or goes on where one was in it.
  function choose(cells, played = (place(id(cells)).jumps ?? '').split('-')) {
    if (cells !== target) early = new Map();
    target = cells;
    known = new Map();
    clear();
    for (const text of played) {
      const jump = shape.legal(at()).find((j) => j.number === parseInt(text, 10));
      if (!jump) break; // the URL is from another file
      jumps.push(jump);
      shown.push(text.endsWith('s'));
      positions.push(shape.after(at(), jump));
    }
    goal.show(target);
    const called = name(target);
    goal.title = `The target: ${called ?? shape.cells.length + ' cells'}`;
    $('goal-name').textContent = called === 'the blank' ? 'The blank' : called ?? 'Target';
    document.querySelectorAll('.tile').forEach((el) => el.setAttribute('aria-pressed', el.dataset.cells === target));
    entitle();
    fault(null);
    byHand = false;
    levelLine('play', id(target));
    changed({ loaded: true });
  }

  function entitle() {
    const called = name(target);
    document.title = `${called ? `Play ${called}` : isolate(title)} – Pagoda`;
  }

  // written is the jumps as the URL has them.
  const written = () => jumps.map((j, i) => j.number + (shown[i] ? 's' : '')).join('-');

  // changed shows and keeps the present game. Of a game that a link has brought, no place is kept.
  function changed({ loaded = false } = {}) {
    selected = null;
    hinted = searching = null;
    revealed = false;
    const won = at() === target;
    save({ target, jumps: written() });
    if (won && byHand && !shown.some(Boolean)) {
      keep(id(target), jumps.length);
      stamp();
    }
    if (!loaded) keepPlace(id(target), { jumps: won ? '' : written() });
    keepPlace(space.kept, { target });
    refresh();
    check();
  }

  // stamp marks the targets that were solved.
  function stamp() {
    document.querySelectorAll('.tile[data-cells]').forEach((el) => {
      const done = best(id(el.dataset.cells)) !== null;
      el.classList.toggle('done', done);
      el.setAttribute('aria-label', `Play ${el.title}${done ? ', solved' : ''}`);
    });
  }

  // toldOf returns what is known of a position.
  function toldOf(here) {
    const told = known.get(here);
    return told?.jumps || told?.reachable === false ? told : early.get(here) ?? told;
  }

  // refresh draws the position and all texts about it.
  function refresh() {
    const here = at();
    pad.aims = selected === null ? [] : shape.legal(here).filter((j) => j.from === selected).map((j) => j.to);
    pad.show(here);
    const wanted = here === target ? [] : [...target].flatMap((c, i) => (c === 'o' ? [i] : []));
    pad.mark('wanted', state.ghost === 'on' ? wanted.filter((i) => here[i] === 'o') : [], { r: 4 });
    pad.mark('missing-peg', state.ghost === 'on' ? wanted.filter((i) => here[i] !== 'o') : [], { behind: true, r: 14 });
    pad.mark('chosen', selected === null ? [] : [selected]);
    pad.mark('aim', pad.aims, { r: 10 });
    pad.arrow(hinted);
    for (const el of pad.buttons) el.classList.remove('live');
    for (const j of shape.legal(here)) pad.buttons[j.from].classList.add('live');
    for (const i of pad.aims) pad.buttons[i].classList.add('live');
    $('legend').hidden = state.ghost !== 'on';
    $('goal-count').textContent = `The board has ${plural(pegs(here), 'peg')}, the target ${pegs(target)}.`;
    $('undo').disabled = $('restart').disabled = jumps.length === 0;
    $('redo').disabled = undone.length === 0;
    const told = toldOf(here);
    const lost = isLost(told);
    const won = here === target && !lost;
    $('hint').disabled = $('rest').disabled = won || lost || Boolean(space.board.no_hints);
    $('lost').hidden = !lost || jumps.length === 0 || Boolean(space.board.no_hints);
    $('back').disabled = Boolean(searching);
    $('play-forget').hidden = !some();
    $('play-board').classList.toggle('is-lost', lost);
    $('play-board').classList.toggle('is-won', won);
    verdict();
    if (!won) {
      finish.hide();
      return;
    }
    const helped = shown.some(Boolean);
    finish.show({
      key: `${target} ${jumps.length}`, id: id(target), title: helped ? 'Solved with help' : 'Solved!', told: solved(), moves: jumps.length,
      stars: helped || !jumps.length ? null : stars(jumps.length, pegs(start) - pegs(target)), next: after(), fresh: byHand, after: flown,
    });
  }

  // after is the letter that comes after this one.
  function after() {
    const n = font.findIndex((l) => shape.read(l.pattern) === target);
    const next = n < 0 ? null : font[n + 1];
    return next ? { title: name(shape.read(next.pattern)), run: () => { auto = null; choose(shape.read(next.pattern)); } } : null;
  }

  // over says why a position is lost, as far as the page sees that without asking; it is empty if it may not be.
  function over(here) {
    const left = pegs(here) - pegs(target);
    if (here === target) return jumps.length || shape.legal(here).length ? '' : 'No peg can jump here: a jump needs two pegs and a hole behind them, in one line.';
    if (left < 0) return 'Lost: the target has more pegs than are left.';
    if (left === 0) return 'Lost: these are not the pegs of the target.';
    return shape.legal(here).length ? '' : 'Lost: no peg can jump.';
  }

  const isLost = (told) => Boolean(over(at())) || told?.reachable === false && (state.tell === 'on' || revealed || jumps.length === 0);

  // solved says who has made the jumps.
  function solved() {
    const called = name(target);
    const that = called ? ` That is ${called}!` : '';
    const machine = shown.filter(Boolean).length;
    const yours = jumps.length - machine;
    if (machine === 0) return `Solved in ${plural(jumps.length, 'jump')}.${that}`;
    if (yours === 0) return `Solved: ${jumps.length === 1 ? 'the jump was' : `all ${jumps.length} jumps were`} shown.${that}`;
    return `Solved: ${plural(yours, 'jump')} ${yours === 1 ? 'is' : 'are'} yours, ${machine} ${machine === 1 ? 'was' : 'were'} shown.${that}`;
  }

  function verdict() {
    const here = at();
    const told = toldOf(here);
    const left = pegs(here) - pegs(target);
    const called = name(target) ?? 'the target';
    const say = (text, kind = '') => {
      const el = $('verdict');
      el.className = `verdict ${kind}`;
      if (el.textContent !== text) el.textContent = text;
    };
    const toGo = `${plural(left, 'jump')} to go.`;
    if (here === target && !isLost(told)) say(solved(), 'won');
    else if (searching) say('Looking for the last position that was not lost…');
    else if (isLost(told)) {
      say(over(here) || (jumps.length === 0 ? `${capital(called)} cannot be reached from the start.` : `Lost: no jumps lead to ${called} from here.`), 'bad');
    } else if (hinted) say(`Try ${shape.tell(hinted.from)} over ${shape.tell(hinted.over)}. Hint again makes the jump.`);
    else if (told && state.tell === 'off') say(toGo);
    else if (told) say(`${capital(called)} can still be reached: ${toGo}`, 'good');
    else if (space.board.no_hints) say(jumps.length ? toGo : `${toGo} There are no hints here: ${space.board.no_hints}.`);
    else if ((asking || absent()) && awaited()) say(awaited());
    else if (waiting === here) say('Looking for the best jump…');
    else if (asking) say(jumps.length === 0 ? 'Working out every position that leads there…' : toGo);
    else say('');
  }
  let whole = false; // the engine of a site knows all
  const computed = new Promise((done) => {
    onProgress((now) => {
      whole = now;
      if (whole) {
        done();
        if (target) check();
      } else if (asking) verdict();
    });
  });

  // lead makes known what the site knows before its engine: a solution, if the target is that of a level.
  let led = null; // the target, and when that is known
  function lead() {
    if (led?.target === target) return led.done;
    const goalNow = target;
    const learn = (moves) => {
      if (!moves || goalNow !== target) return;
      const way = moves.map(jumpOf);
      let here = start;
      way.forEach((move, n) => {
        early.set(here, { reachable: true, jumps: [], moves: way.slice(n) });
        here = shape.after(here, shape.jump(move));
      });
    };
    led = { target, done: site ? site.solution(id(target)).then(learn).catch(() => {}) : Promise.resolve() };
    return led.done;
  }

  // check asks whether the target can still be reached. An answer also covers the positions
  // after each jump.
  async function check() {
    const here = at();
    const goalNow = target;
    if (over(here)) return { reachable: false };
    if (known.has(here) && (known.get(here).jumps || known.get(here).reachable === false) || space.board.no_hints || here === target) return known.get(here);
    if (site && !whole) {
      await Promise.race([lead(), computed]);
      if (at() !== here || goalNow !== target) return undefined;
      if (!whole && early.has(here)) {
        refresh();
        return early.get(here);
      }
    }
    asking?.abort();
    const mine = asking = new AbortController();
    if (!known.has(here)) setTimeout(() => { if (asking === mine) verdict(); }, 250);
    try {
      const told = await patiently(() => ask('api/hint', { pattern: here, target: goalNow }, mine.signal), mine.signal);
      if (goalNow !== target) return undefined;
      known.set(here, told);
      for (const choice of told.jumps) {
        const next = shape.after(here, shape.jump(choice));
        if (!known.has(next)) known.set(next, { reachable: choice.keeps });
      }
      fault(null);
      return told;
    } catch (err) {
      if (err.name !== 'AbortError' && !absent()) fault(err);
      return undefined;
    } finally {
      if (asking === mine) asking = null;
      if (at() === here && goalNow === target) refresh();
    }
  }

  // make makes a jump, and shows how.
  function jump(j, { keepRedo = false, machine = false, carried = false } = {}) {
    if (!keepRedo) undone = [];
    const before = at();
    jumps.push(j);
    shown.push(machine);
    positions.push(shape.after(before, j));
    byHand = !machine && !keepRedo;
    if (carried) moving = flown = null;
    else fly(before, j, 1);
    changed();
  }

  let flown = null; // ends when the last jump has been shown
  function fly(before, j, way) {
    flown = calm.matches ? null : new Promise((done) => { setTimeout(done, FLIGHT); });
    moving = null;
    if (calm.matches) return;
    const mine = moving = {};
    const began = performance.now();
    const frame = (now) => {
      if (moving !== mine) return;
      const t = Math.min(1, Math.max(0, now - began) / FLIGHT);
      Board.prototype.show.call(pad, before, j, way > 0 ? t : 1 - t);
      if (t < 1) requestAnimationFrame(frame);
      else {
        moving = null;
        pad.show(at());
      }
    };
    // refresh shows the end of the jump at once: the flight begins after it.
    queueMicrotask(() => { if (moving === mine) frame(began); });
  }

  const wasPointed = (j) => pointed.get(`${target} ${at()}`) === j;

  function press(cell) {
    const here = at();
    const legal = shape.legal(here);
    auto = null;
    if (selected !== null) {
      const j = legal.find((k) => k.from === selected && k.to === cell);
      if (j) {
        jump(j, { machine: wasPointed(j) });
        return;
      }
    }
    const from = legal.filter((j) => j.from === cell);
    hinted = null;
    if (cell === selected || here[cell] !== 'o') selected = null;
    else if (from.length === 1) {
      jump(from[0], { machine: wasPointed(from[0]) });
      return;
    } else selected = from.length ? cell : null;
    refresh();
    if (here[cell] === 'o' && from.length === 0) stuck(cell);
  }

  function stuck(cell) {
    $('verdict').textContent = 'That peg cannot jump.';
    pad.mark('stuck', [cell]);
    setTimeout(() => pad.mark('stuck', []), 450);
  }

  // take is asked when a peg is dragged: its holes light up, if it can jump.
  function take(cell) {
    if (at()[cell] !== 'o') return false;
    auto = moving = null;
    const can = shape.legal(at()).some((j) => j.from === cell);
    if (can) {
      selected = cell;
      hinted = null;
      refresh();
    } else stuck(cell);
    return can;
  }

  // drop makes the jump to where a peg was dragged, if there is one.
  function drop(from, to) {
    const j = shape.legal(at()).find((k) => k.from === from && k.to === to);
    selected = null;
    if (j) jump(j, { machine: wasPointed(j), carried: true });
    else refresh();
  }

  function undo() {
    if (!jumps.length) return;
    auto = null;
    const j = jumps.pop();
    positions.pop();
    undone.push([j, shown.pop()]);
    byHand = false;
    fly(at(), j, -1);
    changed();
  }

  function redo() {
    if (!undone.length) return;
    const [j, machine] = undone.pop();
    jump(j, { keepRedo: true, machine });
  }

  async function hint() {
    const here = at();
    if (waiting === here) return;
    if (hinted) {
      jump(hinted, { machine: true });
      return;
    }
    const told = await wait();
    if (here === at() && told?.reachable === false) {
      revealed = true;
      refresh();
    }
    if (here !== at() || !told?.moves?.length) return;
    hinted = shape.jump(told.moves[0]);
    pointed.set(`${target} ${here}`, hinted);
    refresh();
    pad.buttons[hinted.from].focus({ preventScroll: true });
  }

  // wait is check for who has asked for help: it says what it waits for.
  async function wait() {
    const here = waiting = at();
    verdict();
    const told = await check();
    if (waiting === here) waiting = null;
    verdict();
    return told;
  }

  // rest plays on to the target.
  async function rest() {
    const here = at();
    if (waiting === here) return;
    const told = await wait();
    if (here !== at()) return;
    if (told?.reachable === false) {
      revealed = true;
      refresh();
    }
    if (!told?.moves) return;
    const mine = auto = {};
    for (const move of told.moves) {
      const j = shape.jump(move);
      if (auto !== mine || shape.legal(at()).every((k) => k !== j)) break;
      jump(j, { machine: true });
      await new Promise((done) => { setTimeout(done, 420); });
    }
    if (auto === mine) auto = null;
  }

  // back undoes what lost the target. What is lost stays so: the last position that was not is found by halving.
  async function back() {
    if (searching) return;
    const mine = searching = {};
    refresh();
    let [open, lost] = [0, jumps.length];
    try {
      while (lost - open > 1) {
        const n = (open + lost) >> 1;
        const told = toldOf(positions[n]) ?? await patiently(() => ask('api/hint', { pattern: positions[n], target }));
        if (searching !== mine) return; // one has played on
        known.set(positions[n], told);
        if (told.reachable === false) lost = n;
        else open = n;
      }
    } catch (err) {
      fault(err);
      searching = null;
      refresh();
      return;
    }
    while (jumps.length > open) {
      undone.push([jumps.pop(), shown.pop()]);
      positions.pop();
    }
    moving = null;
    byHand = false;
    changed();
    pad.buttons[undone.at(-1)?.[0].from ?? 0].focus({ preventScroll: true });
  }

  function restart() {
    auto = moving = null;
    clear();
    changed();
  }

  // deal plays at random, and often if it comes to a halt before a share of the jumps to one peg; the position it ends in is
  // the target.
  function deal(share) {
    const stop = pegs(start) - Math.max(1, Math.round(share * (pegs(start) - 1)));
    let fewest = start;
    for (let n = 0; n < MOST_DEALT && pegs(fewest) > stop; n++) {
      let here = start;
      for (let legal = shape.legal(here); legal.length && pegs(here) > stop; legal = shape.legal(here)) {
        here = shape.after(here, legal[Math.floor(Math.random() * legal.length)]);
      }
      if (pegs(here) < pegs(fewest)) fewest = here;
    }
    return fewest;
  }

  function tile(cells, label) {
    return make('button', {
      type: 'button', class: 'tile', 'data-cells': cells, 'aria-pressed': 'false', 'aria-label': `Play ${label}`, title: label, onclick: () => { auto = null; choose(cells); },
    }, thumbnail(shape, cells));
  }

  const tiles = font.map((l) => tile(shape.read(l.pattern), l.letter === ' ' ? 'the blank' : l.letter));
  for (const p of font.length ? [] : space.board.goals ?? []) {
    const cells = shape.read(p);
    tiles.push(tile(cells, `one peg in ${shape.tell(cells.indexOf('o'))}`));
  }
  $('play').classList.toggle('no-hints', Boolean(space.board.no_hints));
  forgetting($('play-forget'), () => { stamp(); refresh(); });
  $('tiles').append(...tiles);
  $('choose').hidden = !tiles.length;
  deals('play', 'New target', (share) => {
    auto = null;
    choose(deal(share));
  });

  for (const [id, run] of Object.entries({ undo, redo, hint, rest, restart, back })) $(id).addEventListener('click', run);
  for (const name of ['ghost', 'tell']) {
    $(name).addEventListener('change', () => {
      save({ [name]: $(name).checked ? 'on' : 'off' });
      refresh();
    });
  }

  // solutions is for print.
  async function solutions() {
    const { moves } = await patiently(() => ask('api/hint', { pattern: start, target }));
    if (!moves) throw new Error('There is no solution.');
    const one = track({ shape }, start, moves);
    return [{ heading: `A solution: ${plural(moves.length, 'jump')}`, moves: strip(shape, one) }];
  }

  return {
    enter({ first }) {
      if (first && !state.target) resume(place(space.kept));
      $('ghost').checked = state.ghost === 'on';
      $('tell').checked = state.tell === 'on';
      const wish = shape.fits(state.target) ? state.target
        : font.length ? shape.read(font.find((l) => l.letter === 'A')?.pattern ?? font[0].pattern)
          : space.board.goals?.length ? shape.read(centre(space.board.goals)) : deal(0.5);
      if (wish !== target || state.jumps !== written()) choose(wish, state.jumps ? state.jumps.split('-') : undefined);
      else refresh();
      entitle();
      stamp();
    },
    leave() { auto = null; },
    share() {
      return {
        rows: () => [[pad.el]], frame: 170, goal: goal.el,
        board() { const b = new Board(shape); b.show(start); return b.el; },
        told: ['Jump a peg over a neighbour into the hole behind it; the neighbour is taken. Leave only the pegs of the goal.', plural(pegs(start) - pegs(target), 'jump')],
        ...(!space.board.no_hints && { solutions }),
      };
    },
    key(event) {
      const keys = { u: undo, y: redo, h: hint, s: rest, r: restart, b: () => { if (!$('lost').hidden) back(); } };
      const run = keys[event.key.toLowerCase()];
      if (!run) return false;
      const el = { u: 'undo', y: 'redo', h: 'hint', s: 'rest', r: 'restart' }[event.key.toLowerCase()];
      if (!el || !$(el).disabled) run();
      return true;
    },
  };

  // centre chooses the goal that lies most in the middle.
  function centre(goals) {
    const [w, h] = [shape.width / 2, shape.height / 2];
    const off = (p) => { const [x, y] = shape.at[shape.read(p).indexOf('o')]; return Math.hypot(x - w, y - h); };
    return goals.reduce((a, b) => (off(b) < off(a) ? b : a));
  }
}
