// Drawing a tray of sliding blocks. At each change the page says what is missing, or how long the shortest solutions are, and
// it shows one of them step by step.

import { ask } from './api.js';
import { svg, cellName } from './board.js';
import { $, comma, make } from './dom.js';
import { MOST, boardOf, cellsOf, empty, fits, free, isName, missing, moved, names, partner, read, resized, rushHour, tiles, wanted, write } from './drawing.js';
import { site } from './home.js';
import { CELL, outline } from './shapes.js';
import { Steps } from './steps.js';
import { templates } from './templates.js';
import { GAP, METRICS, rods, looks, ground, rails, block, frame, heart, partsOf, shift, targets } from './tray.js';
import { state, save } from './url.js';

const LONGEST = 2000; // of a text in the URL
const PATIENCE = 6; // seconds of the second search for a solution that was not found at once

// solutions says how many there are, if one can read that.
const solutions = ({ solutions: n }) => (String(n).length > 12 ? 'over a million million' : comma(n));

export function editView({ space, toast }) {
  const opened = space.board.puzzle;
  let text = ''; // of the drawing, as the text area has it
  let drawing = null; // null: the text has what cannot be drawn here
  let undone = []; // texts
  let done = [];
  let chosen = null; // the piece that is picked
  let focus = [0, 0];
  let stroke = null; // under way
  let carried = null; // { name, from, by, goal }: a piece, or its place in the goal, on its way
  let wrong = null; // the line and column of a fault
  let lack = ''; // what the drawing misses
  let found = new Map(); // by metric: the shortest solutions
  let patient = false; // the second search is done, too
  let counted = space.board.metric.name; // the metric that is chosen
  let typing = -Infinity; // when: texts that are typed one after another are one change
  const sure = new Set([opened]); // texts that the program has written

  // certain returns the drawing of a text, if read understands all of the text.
  function certain(t) {
    const d = read(t);
    return d && (sure.has(t) || write(d) === t) ? d : null;
  }

  const tool = () => document.querySelector('input[name=edit-tool]:checked').value;
  const at = ([r, c]) => drawing.at[r][c];
  const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1];
  const goal = () => drawing.goals[0];

  // The board: what is drawn, and above it the cells that are pressed.
  const board = frame({ rows: 1, cols: 1 }, { class: 'board tray drawn', role: 'group', 'aria-label': 'The tray that you draw' });
  const picture = svg('g');
  const pads = svg('g');
  board.append(picture, pads);
  $('edit-board').append(board);

  function paint() {
    if (!drawing) return;
    const view = boardOf(drawing);
    const colours = looks(view);
    const of = (name) => colours[view.names.indexOf(name)];
    const size = `${drawing.rows} ${drawing.cols}`;
    if (board.dataset.size !== size) {
      board.dataset.size = size;
      board.setAttribute('viewBox', frame(drawing, {}).getAttribute('viewBox'));
      pads.replaceChildren(...drawing.at.flatMap((row, r) => row.map((_, c) => pad(r, c))));
      focus = [Math.min(focus[0], drawing.rows - 1), Math.min(focus[1], drawing.cols - 1)];
    }
    const onGoal = tool() === 'goal';
    const marks = onGoal ? view.goals[0] ?? [] : targets(view);
    const places = marks.map((t) => svg('g', { class: `k${of(t.piece)} place` },
      svg('path', { d: outline(t.cells, { top: 0.1 * CELL }), class: 'bracket' }),
      ...(onGoal ? partsOf(t.cells).map((part) => {
        const [row, col] = heart(part);
        return svg('text', { x: col * CELL, y: row * CELL, class: 'place-name' }, t.piece);
      }) : [])));
    const shadow = carried && svg('g', { class: `block carried k${of(carried.name)} ${allowed() ? '' : 'unfit'}` }, ...block(view, view.names.indexOf(carried.name), cellsOf(drawing, carried.name)));
    if (shadow) shift(shadow, carried.by[1] * CELL, carried.by[0] * CELL);
    picture.replaceChildren(ground(view, marks),
      ...view.pieces.map((p) => svg('g', { class: `k${of(p.piece)}` }, ...rods(p.cells))),
      ...view.pieces.map((p, i) => svg('g', { class: `block k${of(p.piece)}${p.piece === chosen ? ' picked' : ''}${onGoal ? ' faint' : ''}`, 'data-piece': p.piece },
        ...block(view, i, p.cells), svg('path', { d: outline(p.cells, { top: GAP + 0.5 }), class: 'ring' }))),
      ...rails(view), svg('g', { class: 'marks' }, ...places), ...(shadow ? [shadow] : []));
    for (const el of pads.children) {
      const cell = [Number(el.dataset.row), Number(el.dataset.col)];
      const ch = at(cell);
      const wants = view.goals[0]?.find((w) => w.cells.some((other) => same(other, cell)))?.piece;
      el.setAttribute('aria-label', `${cellName(...cell)}: ${isName(ch) ? `piece ${ch}` : ch === '#' ? 'wall' : 'empty'}${wants ? `, the goal wants ${wants} here` : ''}`);
      el.setAttribute('tabindex', same(cell, focus) ? 0 : -1);
    }
    panel();
  }

  function pad(r, c) {
    const el = svg('g', { class: 'cell', role: 'button', tabindex: -1, 'data-row': r, 'data-col': c },
      svg('rect', { x: c * CELL, y: r * CELL, width: CELL, height: CELL, class: 'touch' }),
      svg('rect', { x: c * CELL + 2, y: r * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 5, class: 'ring' }));
    el.addEventListener('keydown', (event) => onKey(event, [r, c]));
    el.addEventListener('focus', () => {
      focus = [r, c];
      for (const other of pads.children) other.setAttribute('tabindex', other === el ? 0 : -1);
    });
    return el;
  }

  const padOf = ([r, c]) => pads.children[r * drawing.cols + c];

  // panel shows what can be done, and what is known of the chosen piece.
  function panel() {
    if (chosen && (!drawing || !names(drawing).includes(chosen))) chosen = null;
    $('edit-undo').disabled = !done.length;
    $('edit-redo').disabled = !undone.length;
    $('edit-rows').textContent = !drawing ? '–' : drawing.rows === 1 ? '1 row' : `${drawing.rows} rows`;
    $('edit-cols').textContent = !drawing ? '–' : drawing.cols === 1 ? '1 column' : `${drawing.cols} columns`;
    for (const [id, by, n] of [['rows-less', -1, 'rows'], ['rows-more', 1, 'rows'], ['cols-less', -1, 'cols'], ['cols-more', 1, 'cols']]) {
      $(`edit-${id}`).disabled = !drawing || drawing[n] + by < 1 || drawing[n] + by > MOST;
    }
    $('edit-cars').checked = Boolean(drawing?.cars);
    $('edit-cars').disabled = !drawing;
    $('edit-piece').hidden = !chosen;
    $('edit-tip').hidden = Boolean(chosen);
    if (!chosen) {
      $('edit-tip').textContent = carried ? '' : {
        piece: drawing?.cars ? 'One stroke is one car. Choose Move to put the red car where it stands.' : 'One stroke is one piece. A stroke that begins on a piece makes it larger.',
        empty: 'Draw over the cells that should be empty.',
        wall: 'Draw over the cells that should be walls. A stroke that begins on a wall takes walls away.',
        move: drawing && tiles(drawing) ? 'Drag a tile onto another: they change places.' : 'Drag a piece to another place, or tap it and then the place.',
        goal: 'Drag a piece to where it should end up, or tap it and then the place.',
      }[tool()];
      return;
    }
    $('edit-piece-name').textContent = drawing.cars ? `Car ${chosen}` : `Piece ${chosen}`;
    $('edit-axis').value = drawing.axes[chosen] ?? 'free';
    $('edit-axis').hidden = drawing.cars;
    $('edit-ungoal').disabled = !goal()?.wants[chosen];
  }

  // change takes a changed drawing.
  function change(next, { keep = true } = {}) {
    const written = write(next);
    if (written === text) {
      paint();
      return;
    }
    if (keep) {
      done.push(text);
      undone = [];
    }
    drawing = next;
    show(written);
  }

  // show takes a text whose drawing is known, and asks for its lengths.
  function show(written, { typed = false } = {}) {
    text = written;
    if (!typed) {
      typing = -Infinity;
      $('edit-text').value = text;
    }
    save({ drawing: text === opened || text.length > LONGEST ? '' : text });
    links();
    paint();
    measure({ typed });
  }

  function links() {
    const data = new Blob([text], { type: 'text/plain' });
    URL.revokeObjectURL($('edit-save').href);
    $('edit-save').href = URL.createObjectURL(data);
    playable();
  }

  // playable offers what can be done with the drawing.
  function playable() {
    const why = lack || (wrong ? 'The text cannot be read.' : '');
    $('edit-play').hidden = !site || text.length > LONGEST;
    $('edit-play').classList.toggle('off', Boolean(why));
    $('edit-play').setAttribute('aria-disabled', Boolean(why));
    $('edit-play').title = why;
    if (why || !site) $('edit-play').removeAttribute('href');
    else $('edit-play').href = site.play(text, counted === 'moves' ? '' : counted); // that is what is counted without a word
    $('edit-show').disabled = !drawing || !found.get(counted)?.solution;
  }

  // The lengths, a metric at a time: a newer drawing takes the turn of what is left.
  let running = null;
  let waiting = 0;
  function measure({ typed }) {
    running?.abort();
    running = null;
    clearTimeout(waiting);
    lack = typed || !drawing ? '' : missing(drawing);
    found = new Map();
    patient = false;
    playable();
    if (lack) {
      failed(null);
      tell();
      $('edit-lengths').classList.remove('old');
      return;
    }
    $('edit-lengths').classList.add('old');
    waiting = setTimeout(() => find(typed), typed ? 350 : 60);
  }

  async function find(typed) {
    const mine = running = new AbortController();
    const asked = text;
    const began = performance.now();
    const slow = setTimeout(() => {
      if (mine === running && !found.size) say('Looking for the shortest solution…');
    }, 400);
    try {
      const metrics = [counted, ...METRICS.map(({ name }) => name).filter((name) => name !== counted)];
      for (const metric of metrics) {
        const told = await ask('api/lengths', { puzzle: asked, metric }, mine.signal);
        if (mine !== running) return;
        if (told.fault) {
          failed(told.fault, typed);
          return;
        }
        if (!found.size) failed(null);
        if (typed && !found.size) understood(told.puzzle);
        found.set(metric, told.metrics[0]);
        tell();
      }
      for (const metric of metrics.filter((name) => found.get(name).reason)) { // once more, patiently
        const told = await ask('api/lengths', { puzzle: asked, metric, seconds: PATIENCE }, mine.signal);
        if (mine !== running) return;
        found.set(metric, told.metrics[0]);
        patient = true;
        tell();
        if (told.metrics[0].reason) break; // the others take as long
      }
    } catch (err) {
      if (err.name === 'AbortError' || mine !== running) return;
      failed({ reason: err.message }, typed);
      return;
    } finally {
      clearTimeout(slow);
    }
    $('edit-lengths').classList.remove('old');
    $('edit-lengths').dataset.milliseconds = Math.round(performance.now() - began);
  }

  // understood draws what the program has understood of a text that was typed.
  function understood(normal) {
    drawing = read(normal);
    sure.add(normal);
    $('edit-board').hidden = !drawing;
    $('edit-none').hidden = Boolean(drawing);
    if (drawing) board.dataset.size = '';
    paint();
    panel();
  }

  // failed says why the text draws no puzzle; null if it does. What is drawn may be an older text then.
  function failed(err, typed = false) {
    wrong = err?.line ? [err.line, err.column] : null;
    $('edit-board').classList.toggle('is-lost', Boolean(err) && typed);
    $('edit-fault').hidden = !wrong;
    $('edit-text').setAttribute('aria-invalid', Boolean(wrong));
    $('edit-go').hidden = !wrong;
    $('edit-save').classList.toggle('off', Boolean(err));
    if (err) $('edit-save').removeAttribute('href'); // links sets it again
    if (!err) return;
    found = new Map();
    tell();
    $('edit-lengths').classList.remove('old');
    const why = `${err.reason.replace(/^./, (ch) => ch.toUpperCase())}.`.replace(/([.!?])\.$/, '$1');
    if (wrong) $('edit-fault').textContent = `Line ${err.line}, character ${err.column}: ${err.reason}.`;
    say(why, 'bad');
  }

  function say(told, kind = '') {
    $('edit-verdict').className = `verdict ${kind}`;
    if ($('edit-verdict').textContent !== told) $('edit-verdict').textContent = told;
  }

  // tell writes what is known of the drawing.
  function tell() {
    for (const { name } of METRICS) {
      const cell = document.querySelector(`#edit-lengths [data-metric=${name}] b`);
      const l = found.get(name);
      if (l || !found.size) cell.textContent = !l ? '–' : l.solved ? comma(l.length) : l.reason ? '?' : '∞';
      cell.title = !l ? '' : l.solved ? `${solutions(l)} of this length` : l.reason ? 'There are too many positions to search here.' : 'It cannot be solved.';
    }
    playable();
    const l = found.get(counted) ?? found.values().next().value;
    $('edit-told').textContent = l?.solved && l.length ? `${String(l.solutions) === '1' ? 'One solution is' : `${solutions(l)} solutions are`} that short. ${comma(l.states)} positions were searched.` : '';
    if (lack) say(lack);
    else if (!l) say('');
    else if (/no goal/.test(l.reason)) say('There is no goal yet. Choose Goal, and drag a piece to where it should end up.');
    else if (l.reason && !patient) say('Looking for the shortest solution…');
    else if (l.reason) say(site ? 'There are too many positions to search at once. Play it: that searches all of them.' : 'There are too many positions to search here.');
    else if (l.barred === 'an odd permutation') say('It cannot be solved: half of all arrangements cannot. Change two tiles, and it can.', 'bad');
    else if (l.barred) say(`It cannot be solved: ${l.barred}.`, 'bad');
    else if (!l.solved) say(`It cannot be solved: no goal is among the ${comma(l.states)} positions that can be reached.`, 'bad');
    else if (l.length === 0) say('It is solved already.');
    else say(`It can be solved in ${comma(l.length)} ${l.length === 1 ? l.metric.replace(/s$/, '') : l.metric}.`, 'good');
  }

  // The solution, step by step, in place of the drawing.
  const steps = new Steps({ transport: $('edit-transport'), list: $('edit-moves'), caption: $('edit-caption') });
  steps.el.toggleAttribute('hidden', true);
  $('edit-board').append(steps.el);
  let showing = false;
  function present(on) {
    if (showing === on) return;
    showing = on;
    steps.player.pause();
    for (const id of ['edit-tools', 'edit-making']) $(id).hidden = on;
    for (const id of ['edit-caption', 'edit-showing', 'edit-way']) $(id).hidden = !on;
    board.toggleAttribute('hidden', on);
    steps.el.toggleAttribute('hidden', !on);
    if (!on) return;
    carried = null;
    steps.load(boardOf(drawing), found.get(counted).solution, counted);
    $('edit-showing').querySelector('.forward').focus({ preventScroll: true });
  }

  // Editing.
  const edit = (f) => {
    const next = structuredClone(drawing);
    f(next);
    return next;
  };

  // set puts a character into cells, and keeps the goal of the piece where it is.
  function set(next, cell, ch) {
    const was = next.at[cell[0]][cell[1]];
    if (was === ch) return;
    const first = (name) => (isName(name) ? cellsOf(next, name)[0] : null);
    next.at[cell[0]][cell[1]] = ch;
    if (ch === '#') for (const g of next.goals) for (const [name, by] of Object.entries(g.wants)) if (moved(next, name, by).some((c) => same(c, cell))) delete g.wants[name];
    for (const g of next.goals) for (const name of Object.keys(g.wants)) if (!first(name)) delete g.wants[name];
  }

  function setWant(next, name, by) {
    next.none = false;
    next.goals[0] ??= { heading: 'goal', wants: {} };
    if (by) next.goals[0].wants[name] = by;
    else delete next.goals[0].wants[name];
  }

  // allowed reports whether what is carried may be put down where it is. Pieces of one shape change places.
  function allowed() {
    const cells = moved(drawing, carried.name, carried.by);
    return carried.goal ? wanted(drawing, goal(), carried.name, cells) : fits(drawing, carried.name, cells) || Boolean(partner(drawing, carried.name, cells));
  }

  // lift takes what is at a cell: in the goal, the place that is wanted there comes first.
  function lift(cell) {
    if (tool() === 'goal') {
      const name = Object.keys(goal()?.wants ?? {}).find((n) => moved(drawing, n, goal().wants[n]).some((c) => same(c, cell)));
      if (name) {
        const by = goal().wants[name];
        return { name, goal: true, from: [cell[0] - by[0], cell[1] - by[1]], by };
      }
    }
    const name = at(cell);
    return isName(name) ? { name, goal: tool() === 'goal', from: cell, by: [0, 0] } : null;
  }

  function put() {
    const { name, by, goal: inGoal } = carried;
    const ok = allowed();
    const next = ok && edit((d) => {
      if (inGoal) setWant(d, name, by);
      else {
        const other = partner(d, name, moved(d, name, by));
        const cells = cellsOf(d, name);
        for (const [r, c] of cells) d.at[r][c] = other ?? '.';
        for (const [r, c] of cells) d.at[r + by[0]][c + by[1]] = name;
        const [down, right] = by;
        for (const { wants } of d.goals) { // the goals stay where they are
          if (wants[name]) wants[name] = [wants[name][0] - down, wants[name][1] - right];
          if (wants[other]) wants[other] = [wants[other][0] + down, wants[other][1] + right];
          if (d.cars && wants[name]) wants[name][cells[0][0] === cells.at(-1)[0] ? 0 : 1] = 0; // that of a car stays in its lane
        }
      }
    });
    carried = null;
    if (next) change(next);
    else paint();
    return ok;
  }

  // press begins a stroke at a cell, or does at once what a key does there.
  function press(cell) {
    const ch = at(cell);
    switch (tool()) {
      case 'piece': {
        chosen = isName(ch) ? ch : null;
        const name = chosen ?? free(drawing);
        if (!name) toast('There are no more names for pieces.');
        return name ? { ch: name, over: ['.', '#'] } : null;
      }
      case 'empty':
        return { ch: '.', over: null };
      case 'wall':
        return ch === '#' ? { ch: '.', over: ['#'] } : { ch: '#', over: null };
      default:
        return null;
    }
  }

  function dab(brush, cell) {
    if (brush.over && !brush.over.includes(at(cell))) return;
    change(edit((d) => set(d, cell, brush.ch)), { keep: false });
  }

  function cellAt(event) {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    return [Math.floor(p.y / CELL), Math.floor(p.x / CELL)];
  }
  const inside = ([r, c]) => r >= 0 && c >= 0 && r < drawing.rows && c < drawing.cols;

  board.addEventListener('pointerdown', (event) => {
    const cell = cellAt(event);
    if (event.button !== 0 || stroke || !inside(cell)) return;
    event.preventDefault();
    board.setPointerCapture(event.pointerId);
    focus = cell;
    padOf(cell).focus({ preventScroll: true });
    stroke = { id: event.pointerId, last: cell, before: text, far: false };
    const first = tool() === 'piece' && drawing.cars && names(drawing).length === 1 && (carried || isName(at(cell))); // the only car is dragged to its place
    if (first || ['move', 'goal'].includes(tool())) {
      if (carried) { // the second tap puts it down
        carried.by = [cell[0] - carried.from[0], cell[1] - carried.from[1]];
        stroke.tapped = true;
      } else if ((carried = lift(cell))) {
        chosen = carried.name;
        stroke.begin = carried.by;
        stroke.at = cell;
      }
      paint();
      return;
    }
    stroke.brush = press(cell);
    if (stroke.brush) dab(stroke.brush, cell);
    paint();
  });

  board.addEventListener('pointermove', (event) => {
    if (!stroke || event.pointerId !== stroke.id) return;
    const cell = cellAt(event);
    if (same(cell, stroke.last)) return;
    if (stroke.brush) {
      // A quick stroke passes over all cells between two events.
      const [[r, c], [u, v]] = [stroke.last, cell];
      const n = Math.max(Math.abs(u - r), Math.abs(v - c));
      for (let k = 1; k <= n; k++) {
        const next = [Math.round(r + (u - r) * k / n), Math.round(c + (v - c) * k / n)];
        if (inside(next)) dab(stroke.brush, next);
      }
    } else if (carried && stroke.at) {
      carried.by = [stroke.begin[0] + cell[0] - stroke.at[0], stroke.begin[1] + cell[1] - stroke.at[1]];
      paint();
    }
    stroke.last = cell;
    stroke.far = true;
  });

  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
    board.addEventListener(end, (event) => {
      if (!stroke || event.pointerId !== stroke.id) return;
      const { brush, before, far, tapped } = stroke;
      stroke = null;
      if (brush) {
        if (text !== before) {
          done.push(before);
          undone = [];
        }
        if (isName(brush.ch)) chosen = brush.ch;
        paint();
      } else if (carried && (tapped || far)) {
        if (end === 'pointerup') put();
        else carried = null;
        paint();
      }
    });
  }

  function onKey(event, cell) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (way) {
      const next = [cell[0] + way[0], cell[1] + way[1]];
      if (inside(next)) {
        if (carried) carried.by = [next[0] - carried.from[0], next[1] - carried.from[1]];
        padOf(next).focus();
        if (carried) paint();
      }
    } else if (isName(event.key)) {
      change(edit((d) => set(d, cell, event.key)));
      chosen = event.key;
      paint();
    } else if (event.key === '.' || event.key === 'Backspace' || event.key === 'Delete') change(edit((d) => set(d, cell, '.')));
    else if (event.key === '#') change(edit((d) => set(d, cell, '#')));
    else if (event.key === 'Escape' && (carried || chosen)) {
      carried = chosen = null;
      paint();
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (carried) put();
      else if (['move', 'goal'].includes(tool())) {
        carried = lift(cell);
        chosen = carried?.name ?? null;
        paint();
      } else {
        const brush = press(cell);
        if (brush && at(cell) !== brush.ch && (!brush.over || brush.over.includes(at(cell)))) {
          change(edit((d) => set(d, cell, brush.ch)));
          if (isName(brush.ch)) chosen = brush.ch;
        }
        paint();
      }
    } else return;
    event.preventDefault();
  }

  // travel goes to another text of the history.
  function travel(from, to) {
    if (!from.length) return;
    to.push(text);
    carried = null;
    open(from.pop());
  }

  // open shows a text, and what it draws.
  function open(next) {
    present(false);
    next = rushHour(next) ?? next;
    const known = certain(next);
    if (known) {
      drawing = known;
      $('edit-board').hidden = false;
      $('edit-none').hidden = true;
    }
    $('edit-text').value = next;
    show(next, { typed: !known });
  }

  const actions = {
    undo: () => travel(done, undone),
    redo: () => travel(undone, done),
    clear: () => {
      const keep = new Set(Object.keys(drawing?.goals[0]?.wants ?? {}));
      const rest = drawing && names(drawing).some((name) => !keep.has(name));
      change(rest ? edit((d) => names(d).filter((name) => !keep.has(name)).forEach((name) => cellsOf(d, name).forEach((cell) => set(d, cell, '.')))) : { ...empty(drawing?.rows ?? 5, drawing?.cols ?? 5), cars: Boolean(drawing?.cars) });
      $('edit-board').hidden = false;
      $('edit-none').hidden = true;
    },
    show: () => present(true),
    on: () => {
      present(false);
      $('edit-show').focus({ preventScroll: true });
    },
    'rows-less': () => change(resized(drawing, drawing.rows - 1, drawing.cols)),
    'rows-more': () => change(resized(drawing, drawing.rows + 1, drawing.cols)),
    'cols-less': () => change(resized(drawing, drawing.rows, drawing.cols - 1)),
    'cols-more': () => change(resized(drawing, drawing.rows, drawing.cols + 1)),
    delete: () => change(edit((d) => cellsOf(d, chosen).forEach((cell) => set(d, cell, '.')))),
    ungoal: () => change(edit((d) => setWant(d, chosen, null))),
    go: () => {
      const lines = $('edit-text').value.split('\n');
      const from = lines.slice(0, wrong[0] - 1).reduce((sum, line) => sum + line.length + 1, 0) + wrong[1] - 1;
      $('edit-text').focus();
      $('edit-text').setSelectionRange(from, from + 1);
    },
  };
  for (const [id, f] of Object.entries(actions)) {
    $(`edit-${id}`).addEventListener('click', () => {
      if (id !== 'undo' && id !== 'redo') carried = null;
      f();
    });
  }
  for (const el of document.querySelectorAll('input[name=edit-tool]')) {
    el.addEventListener('change', () => {
      carried = chosen = null;
      paint();
    });
  }
  const choose = (name) => document.querySelector(`input[name=edit-tool][value=${name}]`).click();
  // begin takes another text in place of the drawing.
  function begin(next) {
    if (next === text) return;
    done.push(text);
    undone = [];
    open(next);
    choose(drawing && tiles(drawing) ? 'move' : 'piece');
  }
  $('edit-template').append(...templates.map(({ name }, i) => make('option', { value: i }, name)), make('option', { value: 'opened' }, 'The puzzle that was open'));
  $('edit-template').addEventListener('change', () => {
    begin(templates[$('edit-template').value]?.text ?? opened);
    $('edit-template').value = '';
  });
  $('edit-cars').addEventListener('change', () => change(edit((d) => {
    d.cars = $('edit-cars').checked;
    d.axes = {};
  })));
  $('edit-axis').addEventListener('change', () => change(edit((d) => {
    if ($('edit-axis').value === 'free') delete d.axes[chosen];
    else d.axes[chosen] = $('edit-axis').value;
  })));
  $('edit-text').addEventListener('input', () => {
    if (performance.now() - typing > 1500) {
      done.push(text);
      undone = [];
    }
    typing = performance.now();
    carried = null;
    show($('edit-text').value, { typed: true });
  });
  $('edit').addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target === $('edit-text')) return;
    const name = { z: event.shiftKey ? 'redo' : 'undo', y: 'redo' }[event.key.toLowerCase()];
    if (!name) return;
    event.preventDefault();
    actions[name]();
  });
  for (const { name, counts } of METRICS) {
    const choice = make('input', { type: 'radio', name: 'edit-metric', value: name });
    choice.checked = name === counted;
    choice.addEventListener('change', () => {
      counted = name;
      if (showing && found.get(name)?.solution) steps.load(boardOf(drawing), found.get(name).solution, name);
      else present(false);
      tell();
    });
    $('edit-lengths').append(make('label', { 'data-metric': name }, choice, make('span', {}, make('strong', {}, name), make('span', { class: 'small' }, counts)), make('b', {}, '–')));
  }
  $('edit-how').hidden = Boolean(site);

  return {
    enter() {
      document.title = 'Make your own level – Pagoda';
      const wish = state.drawing || (text.length > LONGEST ? text : opened);
      if (text) begin(wish);
      else {
        open(wish);
        if (drawing && tiles(drawing)) choose('move');
      }
    },
    share: () => ({ title: 'A puzzle', name: 'puzzle', rows: () => [[board]] }),
    leave() {
      running?.abort();
      running = null;
      clearTimeout(waiting);
      carried = null;
      present(false);
    },
    key(event) {
      if (showing) {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by) steps.player.step(by);
        else if (event.key === 'Escape') present(false);
        return Boolean(by);
      }
      const name = { u: 'undo', y: 'redo' }[event.key.toLowerCase()];
      if (!name) return false;
      actions[name]();
      return true;
    },
  };
}
