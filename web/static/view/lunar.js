// Lunar Lockout: pieces slide until they stand next to another; letters leave by the exit. Hints are exact.

import { best as bestOf, keep, keepPlace, place as placeOf, stars } from '../best.js';
import { svg, cellName } from '../board.js';
import { deals } from '../deal.js';
import { $, comma, isolate, make, plural } from '../dom.js';
import { Field, across, body, frame, ground, look, put, ring, thumbnail } from '../field.js';
import { Game } from '../game.js';
import { levelLine } from '../level.js';
import { CELL, STEPS, WORDS, toCells, wayArrow } from '../shapes.js';
import { state } from '../url.js';

const FADE = 2; // the time in which a piece leaves, in that of a slide by a cell
const LEVELS = ['beginner', 'intermediate', 'advanced', 'expert'];

// shorter compares lengths: moves come first, then steps.
const shorter = (a, b) => a.moves - b.moves || a.steps - b.steps;

export const views = (tools) => ({ lunar: lunarView(tools) });

export const told = () => 'Bring the round pieces onto the landing pad.';

function lunarView({ space, title, fault, show, toast }) {
  const field = new Field(space.board);
  const begin = field.read(field.start);
  const single = field.metric === 'slides'; // each slide is a move
  const link = (position) => field.text(position).replaceAll('+', '.');
  const from = (text) => text.replaceAll('+', '.');
  // Results are kept by the board and the drawing of a problem: files of several groups have the same ones.
  const id = (drawing) => `${space.space.includes('/') ? space.space.split(':')[0] : 'lunar'}${single ? '@slides' : ''} ${drawing}`;
  let blocks = [];

  // The board.
  const board = frame(field, { class: 'board tray', role: 'group', 'aria-label': 'The board' });
  const under = svg('g', { class: 'marks' });
  const layer = svg('g');
  const landings = svg('g', { 'aria-hidden': 'true' });
  const arrow = svg('g', { class: 'marks' });
  board.append(ground(field), under, layer, landings, arrow);
  $('lunar-board').append(board);

  const game = new Game('lunar', {
    begin,
    first: (base) => base,
    setUp(base) {
      blocks = [...base.names].map((name) => svg('g', { class: `block ${look(field, name)}`, role: 'button', tabindex: -1, 'data-piece': name }, ...body(field, name), ring(field, name)));
      layer.replaceChildren(...blocks);
      game.attach(blocks);
      game.focus = Math.max(0, [...base.names].findIndex((name) => field.isLetter(name)));
    },
    text: (position) => field.text(position),
    link,
    id: () => id(link(game.base)),
    read: (text) => field.read(text),
    names: (position) => position.names,
    push: (position, i, way) => (field.stop(position, i, way) ? [i] : null),
    fits: (position, [i], way) => Boolean(field.stop(position, i, way)),
    after: (position, [i], way) => field.after(position, i, way),
    joins: (last, { path }) => !single && across(last.path.at(-1)).includes(path[0]),
    join: (_, last, { path }) => last.path + path,
    best(told) {
      const { way } = left(told) ?? {};
      return way && { ...way, text: spell(way) };
    },
    told() { // of the problem, too, if a link leads into the middle of a game
      if (game.shown && game.known.get(field.text(game.base))?.solution === undefined) game.check(game.base);
    },
    middle: (i) => { const cell = game.at().cells[i]; return cell && [cell[0] + 0.5, cell[1] + 0.5]; },
    draw: (position) => draw(position),
    flight,
    moved() {
      if (field.solved(game.at()) && !game.played.some((m) => m.shown)) keep(id(link(game.base)), game.played.length);
    },
    end() {
      if (!field.solved(game.at())) return null;
      const moves = game.played.length;
      return { id: id(link(game.base)), told: solved(), stars: moves ? stars(moves, shortest()?.moves) : null, next: after() };
    },
    place() {
      const at = state.at || (placeOf(space.kept).at ?? '');
      return { at, ...placeOf(id(link(field.read(at) ?? begin))) };
    },
    keepPlace({ slides }) {
      keepPlace(id(link(game.base)), { slides });
      keepPlace(space.kept, { at: game.base === begin ? '' : link(game.base) });
    },
    refresh,
  }, { fault, toast });

  // spell says a move in words: "X left, up", and where it goes.
  function spell({ set: [i], path }) {
    return `${game.base.names[i]} ${[...path].map((way) => WORDS[way]).join(', ')}`;
  }

  // draw shows a position. A piece may be on its way, at a place and with a part of its size.
  function draw(position, i = -1, place = null, scale = 1) {
    blocks.forEach((el, j) => {
      const cell = j === i ? place : position.cells[j];
      el.style.display = cell ? '' : 'none';
      if (cell) put(el, cell, j === i ? scale : 1);
    });
  }

  // flight shows a move from a position: its slides, and then the piece sinks into the exit.
  function flight(before, { set: [i], path }) {
    const points = [before.cells[i]];
    let leaves = false;
    let at = before;
    for (const way of path) {
      const to = field.stop(at, i, way);
      points.push(to);
      leaves = field.leaves(at, i, to);
      at = field.after(at, i, way);
    }
    const far = (p, q) => Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]);
    const slides = points.slice(1).reduce((sum, p, n) => sum + far(points[n], p), 0);
    return {
      length: slides + (leaves ? FADE : 0),
      paint(gone) {
        for (let n = 1; n < points.length; n++) {
          const long = far(points[n - 1], points[n]);
          if (gone < long) {
            const share = gone / long;
            draw(before, i, [0, 1].map((k) => points[n - 1][k] + (points[n][k] - points[n - 1][k]) * share));
            return;
          }
          gone -= long;
        }
        draw(before, i, points.at(-1), leaves ? Math.max(0.02, 1 - gone / FADE) : 1);
      },
    };
  }

  // left is what is left at best, and the move that comes next. If the last move can go on, both are one.
  function left(told) {
    if (told?.distance == null) return null;
    let best = { moves: told.distance, steps: told.steps };
    const keeps = told.moves?.find((m) => m.keeps);
    if (keeps) best.way = { set: [game.base.names.indexOf(keeps.piece)], path: keeps.path };
    const last = game.played.at(-1);
    for (const one of last && told.moves && !single ? field.onward(game.at(), last) : []) {
      const text = field.text(one.at);
      const after = told.moves.find((m) => m.pattern === text);
      if (after?.distance == null) continue;
      const whole = { moves: after.distance, steps: after.steps + one.path.length, way: { set: last.set, path: one.path } };
      if (shorter(whole, best) < 0) best = whole;
    }
    return best;
  }

  const ways = (i) => Object.keys(STEPS).filter((way) => field.stop(game.at(), i, way));

  function tell(i) {
    const { names, cells } = game.at();
    const can = ways(i).map((way) => `${WORDS[way]} to ${cellName(...field.stop(game.at(), i, way))}`);
    return `${field.isLetter(names[i]) ? 'Letter' : 'Number'} ${names[i]}, ${cellName(...cells[i])}, ${can.length ? `slides ${can.join(', ')}` : 'cannot slide'}`;
  }

  // refresh draws all that depends on the position.
  function refresh() {
    const here = game.at();
    blocks.forEach((el, i) => { if (here.cells[i]) el.setAttribute('aria-label', tell(i)); });
    drawMarks();
    const won = field.solved(here);
    const { told, shown } = game;
    const rest = won ? { moves: 0, steps: 0 } : shown ? left(told) : null;
    const best = shortest();
    const steps = game.played.reduce((sum, { path }) => sum + path.length, 0);
    const tally = (name, length, none) => {
      $(`lunar-${name}`).textContent = length ? comma(length.moves) : none;
      $(`lunar-${name}-steps`).textContent = length ? plural(length.steps, 'step') : '\u00a0';
    };
    tally('made', { moves: game.played.length, steps });
    tally('left', rest, !shown ? '–' : told?.distance === null ? '∞' : '…');
    tally('best', best, '–');
    const yours = bestOf(id(link(game.base)));
    $('lunar-yours').textContent = yours === null ? '–' : `${comma(yours)}${yours === best?.moves ? ' ★' : ''}`;
    $('lunar-hint').disabled = $('lunar-solve').disabled = won || told?.distance === null;
    $('lunar-board').classList.toggle('is-won', won);
    $('lunar-board').classList.toggle('is-lost', shown && !won && told?.distance === null);
    verdict({ won, told, rest, best, steps });
    about();
  }

  // solved says how it was solved, and by whom.
  function solved() {
    const moves = game.played.length;
    if (!moves) return 'Solved.';
    const steps = game.played.reduce((sum, { path }) => sum + path.length, 0);
    const made = `Solved in ${plural(moves, 'move')}, ${plural(steps, 'step')}.`;
    const helped = game.helped();
    const best = shortest();
    if (helped || !best) return made + helped;
    if (shorter({ moves, steps }, best) <= 0) return `${made} No solution is shorter!`;
    return moves === best.moves ? `${made} No solution has fewer moves, but ${plural(best.steps, 'step')} are enough.`
      : `${made} The shortest has ${plural(best.moves, 'move')}, ${plural(best.steps, 'step')}.`;
  }

  // after is the card that comes after this one.
  function after() {
    const card = cards[1 + cards.findIndex(({ pattern }) => from(pattern) === link(game.base))];
    return card && cards.some(({ pattern }) => from(pattern) === link(game.base)) ? { title: `Card ${card.number}`, run: () => choose(card.pattern) } : null;
  }

  // shortest is the length of the best solutions of the problem, as far as it is known.
  function shortest() {
    const told = game.toldOf(game.base);
    return told?.distance == null ? null : { moves: told.distance, steps: told.steps };
  }

  function verdict({ won, told, rest, best, steps }) {
    const moves = game.played.length;
    const stuck = blocks.every((_, i) => !game.at().cells[i] || !ways(i).length);
    const more = rest && best ? { moves: moves + rest.moves - best.moves, steps: steps + rest.steps - best.steps } : null;
    if (won) game.say(solved(), 'won');
    else if (game.hinted) game.say(`Best: ${game.hinted.text}. Hint again makes the move.`);
    else if (stuck) game.say('Stuck: no piece can slide. Undo, or restart.', 'bad');
    else if (!game.shown) game.say(game.awaits('Looking for the best move…'));
    else if (told?.distance === null) game.say(moves ? 'Lost: it cannot be solved from here. Undo, or restart.' : 'This problem has no solution.', 'bad');
    else if (rest) {
      const extra = more?.moves > 0 ? ` That is ${plural(more.moves, 'move')} more than the shortest solution.`
        : more?.moves === 0 && more.steps > 0 ? ` That is ${plural(more.steps, 'step')} more than the shortest solution.` : '';
      game.say(`${plural(rest.moves, 'move')} left if played best.${extra}`, extra ? '' : 'good');
    } else game.say(game.awaits('Looking for the best solutions…'));
  }

  // drawMarks draws where the chosen piece can go, the way of the last move so far, and the hint.
  function drawMarks() {
    const here = game.at();
    const { hinted, picked } = game;
    arrow.replaceChildren();
    under.replaceChildren();
    landings.replaceChildren();
    if (hinted && !game.auto) {
      const [i] = hinted.set;
      const cells = [here.cells[i]];
      let at = here;
      for (const way of hinted.path) {
        cells.push(field.stop(at, i, way));
        at = field.after(at, i, way);
      }
      arrow.append(...wayArrow(cells.map(([r, c]) => [r + 0.5, c + 0.5])));
    }
    if (picked === null || game.held || !here.cells[picked]) return;
    const [r, c] = here.cells[picked];
    for (const way of ways(picked)) {
      const to = field.stop(here, picked, way);
      const [dr, dc] = STEPS[way];
      under.append(svg('path', { d: `M${(c + 0.5 + dc * 0.5) * CELL} ${(r + 0.5 + dr * 0.5) * CELL}L${(to[1] + 0.5) * CELL} ${(to[0] + 0.5) * CELL}`, class: 'track' }));
      const el = svg('g', { class: 'landing', 'data-way': way }, svg('rect', { x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL, class: 'touch' }),
        svg('circle', { r: 13, class: 'landing-rim' }), svg('path', { d: `M${-dc * 4 - dr * 6} ${-dr * 4 + dc * 6}L${dc * 5} ${dr * 5}L${-dc * 4 + dr * 6} ${-dr * 4 - dc * 6}`, class: 'landing-head' }));
      put(el, to);
      el.addEventListener('click', () => {
        const i = game.picked;
        game.step(i, way);
        const more = game.at().cells[i] && ways(i).length; // it may turn
        game.picked = more ? i : null;
        if (more) blocks[i].focus({ preventScroll: true });
        game.refresh();
      });
      landings.append(el);
    }
  }

  // A piece that is dragged follows the pointer as far as it slides. When it is let go, it slides to the end.
  function follow(event, drag) {
    const [y, x] = toCells(board, event);
    const [dy, dx] = [y - drag.from[0], x - drag.from[1]];
    if (Math.hypot(dy, dx) > 0.15) drag.far = true;
    if (!drag.far) return;
    const off = { U: -dy, D: dy, L: -dx, R: dx };
    // The way is the one that the pointer went farthest; a way that is barred gives in a little.
    const way = Object.keys(off).reduce((a, b) => (off[b] > off[a] ? b : a));
    const to = field.stop(game.at(), drag.i, way);
    const [r, c] = game.at().cells[drag.i];
    const most = to ? Math.abs(to[0] - r) + Math.abs(to[1] - c) : 0.12;
    drag.way = way;
    drag.gone = Math.max(0, Math.min(most, to ? off[way] : off[way] / 5));
    draw(game.at(), drag.i, [r + STEPS[way][0] * drag.gone, c + STEPS[way][1] * drag.gone]);
  }

  game.drags(board, {
    ways,
    lands: true,
    begin(event, i) {
      layer.append(blocks[i]); // over the others
      return { from: toCells(board, event), way: null, gone: 0 };
    },
    follow,
    drop(event, { i, way, gone, far }) {
      if (!far || event.type !== 'pointerup' || gone <= 0.3) return false;
      game.picked = null;
      game.step(i, way, gone);
      return true;
    },
  });

  // The problems from which one picks: the cards of the deck, or some of the file. A board may come before them.
  const { cards } = field;
  let problems = [];
  const choose = (pattern) => show({ view: 'lunar', at: pattern === field.start ? '' : from(pattern), slides: placeOf(id(from(pattern))).slides ?? '' });
  const tile = ({ pattern, moves, steps, number, difficulty }) => make('button', {
    type: 'button', class: 'tile card', 'data-pattern': pattern, title: `${plural(moves, 'move')}, ${plural(steps, 'step')}${difficulty ? `, difficulty ${difficulty}` : ''}`,
    'data-told': `${number ? `Card ${number}` : 'A problem'}: ${plural(moves, 'move')}, ${plural(steps, 'step')}`, onclick: () => choose(pattern),
  }, thumbnail(field, pattern), make('span', { class: 'badge', 'aria-hidden': 'true' }, String(number ?? moves)));
  let level = null; // that is shown

  function deck(chosen) {
    level = chosen;
    $('lunar-levels').querySelectorAll('input').forEach((input) => { input.checked = input.value === level; });
    $('lunar-tiles').replaceChildren(...cards.filter((card) => card.level === level).map(tile));
    mark();
  }

  const mark = () => $('lunar-tiles').querySelectorAll('.card').forEach((el) => {
    const drawing = from(el.dataset.pattern);
    const done = bestOf(id(drawing)) !== null;
    el.setAttribute('aria-pressed', drawing === link(game.base));
    el.classList.toggle('done', done);
    el.setAttribute('aria-label', `${el.dataset.told}${done ? ', solved' : ''}`);
  });

  if (cards.length) {
    $('lunar-levels').append(...LEVELS.map((name) => make('label', {}, make('input', { type: 'radio', name: 'lunar-level', value: name, onchange: () => deck(name) }), make('span', {}, name))));
  } else {
    $('lunar-deck-title').textContent = 'Problems, by their moves';
    $('lunar-levels').hidden = true;
  }
  function adopt(all) {
    problems = all;
    for (const { pattern, moves, steps } of [...cards, ...problems]) if (!game.known.has(pattern)) game.known.set(pattern, { distance: moves, steps });
    if (!cards.length) $('lunar-tiles').replaceChildren(...problems.filter(({ moves }, i) => i === 0 || moves !== problems[i - 1].moves).map(tile)); // the first of each number of moves
    $('lunar-group').textContent = problems.length ? `More problems, with ${plural(field.letters, 'letter')} and ${plural(field.numbers, 'number')}:` : '';
    $('lunar-hardest').disabled = !problems.length;
    $('lunar-new').hidden = !problems.length && !cards.length;
  }
  adopt(field.problems);
  const surprise = (among) => {
    const others = among.filter(({ pattern }) => from(pattern) !== link(game.base));
    const list = others.length ? others : among;
    choose(list[Math.floor(Math.random() * list.length)].pattern);
  };
  // A new problem has about a share of the most moves.
  deals('lunar', 'New problem', (share) => {
    const all = [...cards, ...problems];
    const wanted = Math.round(share * Math.max(...all.map(({ moves }) => moves)));
    const off = ({ moves }) => Math.abs(moves - wanted);
    const least = Math.min(...all.map(off));
    surprise(all.filter((one) => off(one) <= least + 1));
  });
  $('lunar-hardest').addEventListener('click', () => surprise(problems.filter(({ moves }) => moves === Math.max(...problems.map((p) => p.moves)))));

  // about says which problem it is.
  let said = null;
  function about() {
    const base = link(game.base);
    const told = game.toldOf(game.base);
    const card = cards.find(({ pattern }) => from(pattern) === base);
    const length = shortest();
    const solutions = told?.solutions;
    $('lunar-title').textContent = card ? `Card ${card.number}` : 'A problem';
    $('lunar-about').textContent = [card && `${card.level}, difficulty ${card.difficulty.toFixed(1)}`,
      length && `solved in ${plural(length.moves, 'move')}, ${plural(length.steps, 'step')}`,
      length && solutions !== undefined && `${plural(solutions, 'best solution')}`].filter(Boolean).join(' · ');
    if (said === base) {
      mark();
      return;
    }
    said = base;
    levelLine('lunar', id(base));
    if (cards.length) deck(card?.level ?? level ?? LEVELS[0]);
    else mark();
  }

  return {
    enter(how) {
      document.title = `${isolate(title)} – Pagoda`;
      game.enter(how);
    },
    leave: () => game.leave(),
    computed({ board }) { // the board came before the problems
      if (problems.length) return;
      adopt(board.problems);
      game.refresh();
    },
    share() {
      const best = shortest();
      return {
        rows: () => [[board]], frame: 220, board: () => game.still(board),
        told: ['Bring the round pieces onto the landing pad. A piece slides until it stands next to another; without one in its way it may not go.',
          best ? `The best solution has ${plural(best.moves, 'move')}, ${plural(best.steps, 'step')}.` : ''],
        async solutions() {
          const { solution } = await game.check(game.base) ?? {};
          if (!solution) throw new Error('This problem has no solution.');
          return [{ heading: `A best solution: ${plural(solution.moves.length, 'move')}`, moves: solution.moves.map(({ move }) => ({ text: spell({ set: [game.base.names.indexOf(move[0])], path: move.slice(2) }) })) }];
        },
      };
    },
    key: (event) => game.key(event),
  };
}
