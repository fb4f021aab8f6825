// Sliding blocks: pieces are dragged through a tray to their goal. Distances to it are exact.

import { best as bestOf, keep, keepPlace, place as placeOf, stars } from '../best.js';
import { svg, cellName } from '../board.js';
import { deals } from '../deal.js';
import { $, comma, isolate, make, plural } from '../dom.js';
import { Game } from '../game.js';
import { site } from '../home.js';
import { levelLine } from '../level.js';
import { BACK, CELL, STEPS, WORDS, outline, spell, toCells, walked, wayArrow } from '../shapes.js';
import { GAP, METRICS, Tray, block, called, frame, ground, heart, label, looks, numbered, partsOf, rails, rods, shift, targets } from '../tray.js';
import { state } from '../url.js';

const MIXED = 500; // slides that mix tiles
const MOST_DEALT = 60; // positions that are looked at for a new start

export const views = (tools) => ({ slide: slideView(tools), edit: tools.lazily(async () => (await import('../editor.js')).editView(tools)) });

export const told = () => 'Drag the pieces to the goal.';

function slideView({ space, title, fault, show, toast }) {
  const tray = new Tray(space.board);
  const colours = looks(tray);
  const unit = tray.metric.name.replace(/^super/, '').replace(/s$/, ''); // move, step, line
  let map = null; // how many positions are at each distance from the goal

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
    const small = frame(tray, { class: 'board tray', role: 'img', 'aria-label': 'The goal' });
    small.append(ground(tray, []), ...tray.goals[0].map((w) => svg('g', { class: `k${colours[tray.names.indexOf(w.piece)]}` }, ...rods(w.cells))), ...tray.goals[0].map((w) => {
      const i = tray.names.indexOf(w.piece);
      return svg('g', { class: `block k${colours[i]}` }, ...block(tray, i, w.cells));
    }), ...rails(tray));
    $('slide-goal').append(small);
    if (numbered(tray)) { // nothing on the board marks it
      $('slide-goal-beside').hidden = false;
      $('slide-goal-beside').lastElementChild.append(small.cloneNode(true));
    }
  }
  const wanted = [...new Set((tray.goals[0] ?? []).map((w) => w.piece))].sort();
  $('slide-goal-told').textContent = !tray.goals.length ? 'This puzzle has no goal: move as you like.'
    : `Bring ${wanted.length > 6 ? 'the pieces to these places' : `${wanted.join(', ')} to ${wanted.length > 1 ? 'these places' : 'this place'}`}`
      + `${tray.goals.length > 1 ? `, or reach another of ${tray.goals.length} goals` : ''}. `
      + `One ${unit} is ${tray.metric.counts}.`;
  $('slide-unit').textContent = `${unit}s made`;
  // Results are kept by the name of the puzzle and its metric. A puzzle of a file has only its text.
  const result = space.space.includes('/') ? space.space : `${tray.metric.name} ${tray.puzzle}`;
  $('slide-metric-choice').hidden = !site;
  $('slide-metric').append(...METRICS.map(({ name, counts }) => make('option', { value: name, title: counts }, name)));
  $('slide-metric').value = tray.metric.name;
  $('slide-metric').addEventListener('change', () => { location.href = site.counted($('slide-metric').value); });

  // random returns a position after many random slides. A piece slides twice in a row only if no other can.
  function random() {
    let here = tray.begin;
    for (let n = 0, last = -1; n < MIXED; n++) {
      const slides = (i) => Object.keys(STEPS).filter((way) => tray.push(here, i, way)).map((way) => [i, way]);
      let all = tray.pieces.flatMap((_, i) => (i === last ? [] : slides(i)));
      if (!all.length && last >= 0) all = slides(last);
      if (!all.length) break; // none can
      const [i, way] = all[Math.floor(Math.random() * all.length)];
      here = tray.after(here, tray.push(here, i, way), way);
      last = i;
    }
    return here;
  }
  const begin = (here) => show({ view: 'slide', at: here === tray.begin ? '' : tray.text(here), slides: '' });
  $('slide-mix').hidden = !numbered(tray);
  $('slide-mix').addEventListener('click', () => begin(random()));

  // deal opens a position about as hard as a share of the hardest. It begins at a random one, and goes along a shortest solution
  // if that is too hard, or away from the goal if it is too easy. In a dead end it begins again; the hardest so far counts.
  // If the greatest distance is unknown, it opens a random position.
  async function deal(share) {
    let [best, most] = [null, -1];
    let here = random();
    const look = () => (space.proves ? null : game.check(here)); // a proof for one position does not say how hard the hardest is
    for (let n = 0, told = await look(); told?.moves && map && n < MOST_DEALT; n++, told = await look()) {
      const wanted = Math.max(1, Math.round(share * (map.length - 1)));
      const after = (m) => [...m.path].reduce((at, way) => tray.after(at, made(m).set, way), here);
      const { distance } = told; // null if its goal is out of reach
      if (distance > wanted) for (const m of told.solution.moves.slice(0, distance - wanted)) here = after(m);
      if (distance !== null && distance > most) [best, most] = [here, distance];
      if (most >= wanted) break;
      const farther = told.moves.find((m) => m.distance > distance);
      here = distance !== null && farther ? after(farther) : random();
    }
    begin(best ?? here);
  }
  $('slide-new').hidden = !tray.goals.length || !site;
  deals('slide', 'New start', deal);

  // draw shows a position; the pieces of a set are on their way.
  function draw(position, set = [], dy = 0, dx = 0) {
    position.forEach(([r, c], i) => {
      const go = set.includes(i);
      for (const el of [joints[i], blocks[i]]) shift(el, (c + (go ? dx : 0)) * CELL, (r + (go ? dy : 0)) * CELL);
    });
  }

  const ways = (i) => Object.keys(STEPS).filter((way) => tray.push(game.at(), i, way));

  function tell(i) {
    const can = ways(i);
    return `Piece ${label(tray, i)}, ${place(tray.cellsOf(game.at(), i))}${tray.pieces[i].goal && tray.pieces.some((p) => !p.goal) ? ', the goal names it' : ''}`
      + `, ${can.length ? `slides ${can.map((way) => WORDS[way]).join(', ')}` : 'cannot slide'}`;
  }

  const made = ({ pieces, path }) => ({ set: [...pieces].map((name) => tray.names.indexOf(name)), path, text: `${called(tray, pieces)} ${spell(path)}` });

  const game = new Game('slide', {
    begin: tray.begin,
    first: (base) => (numbered(tray) ? base : tray.begin), // tiles that were mixed begin so
    text: (position) => tray.text(position),
    link: (position) => tray.text(position),
    id: () => (game.base === tray.begin ? result : null),
    read: (text) => tray.read(text),
    names: () => tray.names,
    push: (position, i, way) => tray.push(position, i, way),
    fits: (position, set, way) => tray.fits(position, set, way),
    after: (position, set, way) => tray.after(position, set, way),
    joins: (last, { path }) => ({ step: false, line: [path[0], BACK[path[0]]].includes(last.path[0]), any: true })[tray.metric.path],
    // A way back shortens the move.
    join(before, { path }, { set, path: way }) {
      const text = tray.text([...path + way].reduce((here, letter) => tray.after(here, set, letter), before));
      let here = before;
      for (let n = 0; n < path.length; n++) {
        if (tray.text(here) === text) return path.slice(0, n);
        here = tray.after(here, set, path[n]);
      }
      return path + way;
    },
    best: ({ solution }) => solution?.moves.map(made)[0],
    told({ pattern, distance, to_goal: toGoal }) {
      map = toGoal.length ? toGoal : null;
      if (pattern === tray.text(tray.begin)) tray.length ??= distance; // of a puzzle that is not enumerated
    },
    middle: (i) => heart(tray.cellsOf(game.at(), i)),
    draw: (position) => draw(position),
    flight: (before, { set, path }) => ({ length: path.length, paint: (gone) => draw(before, set, ...walked(path, gone)) }),
    // A solution of a link is nobody's result: the last move has to be made here.
    moved() {
      if (game.base === tray.begin && tray.solved(game.at()) && !game.played.some((m) => m.shown)) keep(result, game.played.length);
    },
    end() {
      if (!tray.solved(game.at())) return null;
      return { id: result, told: solved(), stars: game.base === tray.begin && game.played.length ? stars(game.played.length, tray.length) : null, next: null };
    },
    place: () => (state.at ? {} : placeOf(result)),
    keepPlace: (parts) => keepPlace(result, parts),
    refresh,
  }, { fault, toast, noHints: tray.no_hints });
  game.attach(blocks);

  function refresh() {
    const here = game.at();
    blocks.forEach((el, i) => el.setAttribute('aria-label', tell(i)));
    drawArrow();
    const won = tray.solved(here);
    const { told, shown } = game;
    const yours = bestOf(result);
    $('slide-yours').textContent = yours === null ? '–' : `${comma(yours)}${yours === tray.length ? ' ★' : ''}`;
    $('slide-yours').title = yours === null ? 'Solve it without hints' : yours === tray.length ? 'No solution is shorter' : '';
    $('slide-best').textContent = tray.length === null ? '–' : comma(tray.length);
    $('slide-made').textContent = comma(game.played.length);
    $('slide-left').textContent = won ? '0' : !shown ? '–' : told ? (told.distance === null ? '∞' : comma(told.distance)) : '…';
    $('slide-hint').disabled = $('slide-solve').disabled = won || Boolean(game.noHints) || told?.distance === null;
    $('slide-board').classList.toggle('is-won', won);
    $('slide-map-panel').hidden = !shown || !map;
    drawMap(told?.distance);
    verdict(won, told, shown);
  }

  // solved says how it was solved, and by whom.
  function solved() {
    const { length } = game.played;
    if (!length) return 'Solved.';
    const made = `Solved in ${plural(length, unit)}.`;
    const helped = game.helped();
    if (helped || game.base !== tray.begin || tray.length === null) return made + helped;
    return `${made} ${length <= tray.length ? 'No solution is shorter!' : `The shortest has ${comma(tray.length)}.`}`;
  }

  function verdict(won, told, shown) {
    const { played } = game;
    const whole = game.base === tray.begin && tray.length !== null;
    let more = told?.distance != null && whole ? played.length + told.distance - tray.length : 0;
    // If the last move can go on along a shortest solution, both are one.
    const last = played.at(-1);
    const goesOn = (move) => last?.set.join() === move.set.join() && game.rules.joins(last, move);
    if (more > 0 && told.moves?.some((m) => m.keeps && goesOn(made(m)))) more--;
    if (won) game.say(solved(), 'won');
    else if (game.hinted) {
      game.say(`Best: ${game.hinted.text}. Hint again makes the ${unit}.`);
    } else if (!tray.goals.length) game.say('');
    else if (game.noHints) game.say(played.length ? '' : `There are no hints here: ${game.noHints}.`);
    else if (!shown) game.say(game.awaits('Looking for the best move…'));
    else if (told?.distance === null) game.say('No goal can be reached from here.', 'bad');
    else if (told) game.say(`${plural(told.distance, unit)} left if played best.${more > 0 ? ` That is ${plural(more, unit)} more than the shortest solution.` : ''}`, more > 0 ? '' : 'good');
    else game.say(game.awaits(space.proves ? 'Looking for the best move…' : 'Working out the distance of every position…'));
  }

  // drawMap marks the distance of the position among those of all.
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
    const { hinted } = game;
    if (!hinted || game.auto) return;
    const cells = [heart(partsOf(tray.cellsOf(game.at(), hinted.set[0]))[0])];
    for (const way of hinted.path) cells.push([cells.at(-1)[0] + STEPS[way][0], cells.at(-1)[1] + STEPS[way][1]]);
    arrow.append(...wayArrow(cells));
  }

  // A piece that is dragged follows the pointer from cell to cell, along one direction at a time.
  function follow(event, drag) {
    const [y, x] = toCells(board, event);
    const goal = [drag.r + y - drag.y, drag.c + x - drag.x];
    const off = () => [goal[0] - drag.here[drag.i][0], goal[1] - drag.here[drag.i][1]];
    const toward = () => {
      const [dr, dc] = off();
      const all = [{ way: dr > 0 ? 'D' : 'U', far: Math.abs(dr) }, { way: dc > 0 ? 'R' : 'L', far: Math.abs(dc) }];
      return all.sort((a, b) => b.far - a.far);
    };
    if (Math.hypot(y - drag.y, x - drag.x) > 0.12) drag.far = true;
    for (let more = true; more;) {
      more = false;
      for (const { way, far } of toward()) {
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
    for (const { way, far } of toward()) {
      const last = drag.steps.at(-1);
      const set = last?.way === BACK[way] ? last.set : tray.push(drag.here, drag.i, way);
      if (!set || far < 0.02) continue;
      const share = Math.min(0.5, far);
      draw(drag.here, set, STEPS[way][0] * share, STEPS[way][1] * share);
      return;
    }
    draw(drag.here);
  }

  game.drags(board, {
    ways,
    begin(event, i) {
      const [r, c] = game.at()[i];
      const [y, x] = toCells(board, event);
      return { y, x, r, c, here: game.at(), steps: [] };
    },
    follow,
    drop(event, { steps }) {
      if (!steps.length) return false;
      game.picked = null;
      game.run(steps);
      return true;
    },
  });

  return {
    enter(how) {
      document.title = `${isolate(title)} – Pagoda`;
      game.enter(how);
      levelLine('slide', result);
    },
    leave: () => game.leave(),
    computed({ board }) { // the board came before the length
      tray.length = board.length;
      game.refresh();
    },
    share: () => ({
      rows: () => [[board]], frame: 220, goal: $('slide-goal').firstElementChild,
      board: () => game.still(board),
      told: [$('slide-goal-told').textContent, game.base === tray.begin && tray.length !== null ? `The shortest solution has ${plural(tray.length, unit)}.` : ''],
      ...(!game.noHints && tray.goals.length && { solutions: async () => {
        const { solution } = await game.check(game.base) ?? {};
        if (!solution) throw new Error('No goal can be reached from here.');
        return [{ heading: `A shortest solution: ${plural(solution.moves.length, unit)}`, moves: solution.moves.map(made) }];
      } }),
    }),
    key: (event) => game.key(event),
  };
}
