// Drawing: the nearest patterns that can be reached, while a pattern is drawn.

import { ask, latest } from './api.js';
import { Board, Pad, pegs } from './board.js';
import { $, calm, make } from './dom.js';
import { track, Player } from './player.js';
import { state, save } from './url.js';

const SHOWN = 12; // matches

export function drawView({ shape, space, play, fault }) {
  const empty = '.'.repeat(shape.cells.length);
  const names = { o: 'peg', '.': 'hole', '?': 'a peg or a hole' };
  let wish = empty;
  let fresh = false; // nothing is drawn yet: what there is to see can be reached
  let picked = '';
  let paint = 'o'; // of the stroke under way
  const brush = () => document.querySelector('input[name=brush]:checked').value;

  const pad = new Pad(shape, {
    label: 'The pattern that you draw', tell: (c) => names[c],
    press: (cell) => dab(cell, true),
    drag: dab,
  });
  $('draw-board').append(pad.el);

  // dab draws a cell. A stroke that begins on what the brush draws takes it away.
  function dab(cell, first) {
    if (first) {
      const b = brush();
      paint = wish[cell] !== b ? b : b === '.' ? 'o' : '.';
    }
    fresh = false;
    if (wish[cell] !== paint) set(wish.slice(0, cell) + paint + wish.slice(cell + 1));
  }

  let waiting = 0;
  function set(cells, now = false) {
    wish = cells;
    pad.show(wish);
    save({ pattern: wish === empty ? '' : wish });
    clearTimeout(waiting);
    waiting = setTimeout(near, now ? 0 : 70);
  }

  const find = latest((signal, pattern) => ask('api/near', { patterns: [pattern], within: shape.cells.length, limit: SHOWN }, signal));

  async function near() {
    const drawn = wish;
    let found;
    try {
      found = await find(drawn);
    } catch (err) {
      fault(err);
      return;
    }
    if (!found) return;
    fault(null);
    const { matches } = found;
    const exact = matches.filter((m) => Number(m.distance) === 0).length;
    if (fresh && !exact && matches.length) {
      fresh = false;
      set(shape.read(matches[0].pattern), true);
      return;
    }
    $('draw-verdict').className = `verdict ${exact ? 'good' : ''}`;
    $('draw-verdict').textContent = matches.length === 0 ? 'Nothing can be reached.'
      : exact ? (drawn.includes('?') && exact > 1 ? `${exact === matches.length && !found.complete ? `${exact} or more` : exact} patterns that can be reached agree with it.` : 'This can be reached.')
        : `This cannot be reached. The nearest differs in ${matches[0].distance} ${matches[0].distance === 1 ? 'cell' : 'cells'}.`;
    const focused = document.activeElement?.closest?.('.match')?.dataset.cells;
    $('matches').replaceChildren(...matches.map((m) => item(m, drawn)));
    if (focused) document.querySelector(`.match[data-cells="${focused}"]`)?.focus();
  }

  function item(m, drawn) {
    const cells = shape.read(m.pattern);
    const board = new Board(shape, { label: '' });
    board.el.setAttribute('aria-hidden', 'true');
    board.show(cells);
    board.mark('differs', [...cells].flatMap((c, i) => (drawn[i] !== '?' && drawn[i] !== c ? [i] : [])));
    const distance = Number(m.distance);
    return make('li', {}, make('button', {
      type: 'button', class: 'match', 'data-cells': cells, 'aria-pressed': cells === picked,
      'aria-label': `${distance === 0 ? 'exact' : `${distance} off: ${distance === 1 ? '1 cell differs' : `${distance} cells differ`}`}, ${pegs(cells)} pegs. Watch it played`,
      onclick: () => pick(cells, { autoplay: true, scroll: true }),
    }, board.el, make('span', { class: 'badge' }, distance === 0 ? 'exact' : `${distance} off`)));
  }

  const watched = new Board(shape, { label: 'The pattern being played' });
  $('watch-board').append(watched.el);
  const player = new Player($('watch-transport'), {
    told: (at) => save({ step: at === player.total ? null : at }),
    sped: (speed) => save({ speed }),
  });

  const path = latest((signal, pattern) => ask('api/path', { pattern }, signal));

  // pick shows how a pattern is played.
  async function pick(cells, { autoplay = false, scroll = false, step = null } = {}) {
    let way;
    try {
      way = await path(cells);
    } catch (err) {
      fault(err);
      return;
    }
    if (!way) return;
    picked = way.reachable ? cells : '';
    save({ pick: picked });
    document.querySelectorAll('.match').forEach((el) => el.setAttribute('aria-pressed', el.dataset.cells === picked));
    $('watch').hidden = !way.reachable;
    if (!way.reachable) return; // the URL is from another file
    player.load([track(watched, shape.read(space.start), way.moves)],
      step ?? (autoplay && !calm.matches ? 0 : Infinity));
    if (scroll) $('watch').scrollIntoView({ block: 'nearest', behavior: calm.matches ? 'auto' : 'smooth' });
    if (autoplay && !calm.matches) player.play();
  }

  $('fill-holes').addEventListener('click', () => set(empty, true));
  $('fill-any').addEventListener('click', () => set('?'.repeat(empty.length), true));
  $('invert').addEventListener('click', () => set([...wish].map((c) => ({ o: '.', '.': 'o', '?': '?' })[c]).join(''), true));
  $('watch-play').addEventListener('click', () => play(picked));

  // sketch is what there is to see before anything is drawn.
  function sketch() {
    const a = space.board.font?.find((l) => l.letter === 'R');
    if (a) return shape.read(a.wish);
    // Holes like a plus, around the first one. That can be reached on the English board, and nearly so on others.
    const start = shape.read(space.start);
    const [row, col] = shape.cells[Math.max(0, start.indexOf('.'))];
    return shape.cells.map(([r, c]) => (r === row && Math.abs(c - col) < 3 || c === col && Math.abs(r - row) < 3 ? '.' : 'o')).join('');
  }

  return {
    enter() {
      document.title = 'Draw – Pagoda';
      player.setSpeed(state.speed);
      fresh = !shape.fits(state.pattern) && wish === empty && !space.board.font;
      const drawn = shape.fits(state.pattern) ? state.pattern : wish === empty ? sketch() : wish;
      const pickedThen = shape.fits(state.pick) ? state.pick : '';
      const step = state.step;
      set(drawn, true);
      if (pickedThen && pickedThen !== picked) pick(pickedThen, { step });
      else if (!pickedThen) {
        picked = '';
        $('watch').hidden = true;
      }
    },
    leave() { player.pause(); },
    key(event) {
      const brushes = { p: 'o', h: '.', a: '?' };
      const value = brushes[event.key.toLowerCase()];
      if (!value) return false;
      document.querySelector(`input[name=brush][value="${value}"]`).click();
      return true;
    },
    share() {
      const films = ({ size, theme }) => {
        const query = new URLSearchParams({ pattern: picked, size, theme, speed: Math.round(440 / state.speed) });
        return { gif: `api/picture.gif?${query}`, film: `api/picture.svg?${query}&show=played` };
      };
      return { title: 'A pattern', name: 'pattern', rows: () => [[watched.el]], films };
    },
  };
}
