// A word: boards that play their solutions, all letters at once.

import { get, latest } from './api.js';
import { Board, svg } from './board.js';
import { $, calm, isolate, make } from './dom.js';
import { site } from './home.js';
import { track, strip, Player } from './player.js';
import { known, state, save, MAX_LETTERS } from './url.js';

const COLUMNS = 12; // of the command and of its pictures, if nothing else is said
const MOST = site ? 108 : 168; // the width of a board: below a word of the site is the shelf, which is to be seen, too

// wrap puts letters into rows of at most a number of columns, as query word and the pictures do. Rows end at
// blanks where they can, which are then left out.
export function wrap(letters, columns) {
  const rows = [];
  let rest = letters;
  while (rest.length > columns) {
    let [end, next] = [columns, columns];
    for (let i = columns; i > 0; i--) {
      if (rest[i].letter === ' ') {
        [end, next] = [i, i + 1];
        break;
      }
    }
    rows.push(rest.slice(0, end));
    rest = rest.slice(next);
  }
  if (rest.length) rows.push(rest);
  return rows;
}

export function wordView({ shape, space, play, fault }) {
  const stage = $('stage');
  const input = $('text');
  const start = shape.read(space.start);
  let letters = []; // as the server has them
  let columns = 0; // of the rows that are shown
  let shownText = null;

  const player = new Player($('word-transport'), {
    told: (at) => {
      // At rest in the start or at the end is what "show" says.
      const resting = at === (state.show === 'solved' ? player.total : 0);
      save({ step: resting ? null : at });
    },
    sped: (speed) => save({ speed }),
  });

  const solve = latest((signal, text) => get(`api/word?text=${encodeURIComponent(text)}`, signal));

  // set shows another text.
  async function set(text, { step = null, autoplay = false } = {}) {
    const all = [...text.normalize('NFC').replace(/[\s\u0000-\u001f\u007f]/g, ' ')];
    const most = all.slice(0, MAX_LETTERS).join('');
    let word;
    try {
      word = await solve(most);
    } catch (err) {
      fault(err);
      return;
    }
    if (!word) return; // another text came meanwhile
    fault(null);
    shownText = text;
    letters = word.letters;
    document.title = most.trim() ? `${isolate(most.trim())} – Pagoda` : 'Pagoda';
    const missing = [...new Set(letters.filter((l) => l.missing).map((l) => l.letter))];
    const notes = [];
    const written = [...new Set(letters.filter((l) => l.for).map((l) => l.for))];
    if (written.length) notes.push(`The font writes ${written.map((c) => `“${isolate(c)}”`).join(', ')} in its own letters.`);
    if (missing.length) notes.push(`The font has no ${missing.map((c) => `“${isolate(c)}”`).join(', ')}.`);
    if (all.length > MAX_LETTERS) notes.push(`Only the first ${MAX_LETTERS} of ${all.length} characters are shown.`);
    $('word-notice').textContent = notes.join(' ');
    $('word-notice').hidden = notes.length === 0;
    columns = 0;
    fit();
    const { tracks } = player;
    player.load(tracks, step ?? (state.show === 'solved' && !(autoplay && !calm.matches) ? Infinity : 0));
    if (autoplay && !calm.matches && step === null && tracks.length) player.play();
  }

  // build makes the boards, in rows.
  function build() {
    let i = 0;
    const rows = wrap(letters, columns).map((row) => make('div', { class: 'row-of-letters' }, ...row.map((l) => (l.missing ? missing(l) : letter(l, i++)))));
    stage.replaceChildren(...rows);
    stage.dataset.columns = columns;
    if (letters.length === 0) stage.append(make('p', { class: 'empty' }, 'Type a word, and each letter becomes a game.'));
    player.replace(wrap(letters, columns).flat().flatMap((l) => l.track ?? []));
    lead();
  }

  function letter(l, i) {
    const name = l.letter === ' ' ? 'blank' : l.letter.toUpperCase();
    const board = new Board(shape, { label: `${name}: ${l.moves.length} jumps` });
    l.track = track(board, start, l.moves);
    const figure = make('button', {
      type: 'button', class: 'letter', 'data-letter': l.letter, 'aria-label': `${name}, ${l.moves.length} jumps. Play it as a puzzle`,
      title: `Play ${name} yourself`, onclick: () => play(shape.read(l.pattern)),
    }, board.el);
    figure.style.setProperty('--i', i);
    return figure;
  }

  function missing(l) {
    return make('div', { class: 'letter missing', role: 'img', 'aria-label': `${l.letter}: not in the font`, title: 'Not in the font' },
      make('span', {}, l.letter));
  }

  // fit makes the boards as large as the rows allow, and the rows as long as the window allows.
  function fit() {
    const width = stage.clientWidth;
    if (!width) return;
    const gap = width < 500 ? 5 : 12;
    const framed = document.documentElement.classList.contains('embed');
    const least = framed ? 34 : width < 500 ? 46 : 58;
    const most = Math.max(1, Math.min(COLUMNS, Math.floor((width + gap) / (least + gap))));
    if (most !== columns) {
      columns = most;
      build();
    }
    const longest = Math.max(1, ...[...stage.children].map((row) => row.children.length));
    let board = Math.min(innerHeight < 500 ? MOST * 0.75 : MOST, width / 2.2, (width - gap * (longest - 1)) / longest);
    if (letters.length > 12) board = Math.min(board, Math.max(least, Math.sqrt(width * 300 / letters.length))); // many letters are smaller
    if (framed) { // all rows are seen
      const rows = Math.max(1, stage.children.length);
      board = Math.min(board, (stage.clientHeight - gap * (rows - 1)) / rows * shape.width / shape.height);
    }
    stage.style.setProperty('--board', `${Math.floor(board)}px`);
    stage.style.setProperty('--gap', `${gap}px`);
  }
  new ResizeObserver(fit).observe(stage);

  function lead() {
    const played = wrap(letters, columns || COLUMNS).flat().filter((l) => !l.missing);
    const jumps = played.reduce((n, l) => n + l.moves.length, 0);
    $('word-lead').textContent = played.length
      ? `Each board begins full but for its centre, and is played, jump by jump, to a letter: ${played.length === 1 ? 'one game' : `${played.length} games`}, ${jumps} jumps. Click a letter to play it yourself.`
      : '';
  }

  // still draws a letter as it is shown; while it is played, as "show" says.
  function still(l) {
    if (l.missing) return unknown(l);
    const { positions } = l.track ?? track({ shape }, start, l.moves); // a blank at the end of a row is not on the page
    const at = player.playing ? (state.show === 'solved' ? player.total : 0) : Math.round(player.at);
    const board = new Board(shape);
    board.show(positions[Math.max(0, positions.length - 1 + at - player.total)]);
    return board.el;
  }

  // unknown draws a letter that the font does not have.
  function unknown(l) {
    const { width, height } = shape;
    return svg('svg', { viewBox: `0 0 ${width} ${height}` }, svg('rect', { x: 2, y: 2, width: width - 4, height: height - 4, rx: 18, class: 'gate' }),
      svg('text', { x: width / 2, y: height / 2, class: 'unknown' }, l.letter));
  }

  function share() {
    const text = letters.map((l) => l.letter).join('');
    if (!text) return {};
    const films = ({ size, theme }) => {
      const query = new URLSearchParams({ text, size, theme, speed: Math.round(440 / state.speed), columns });
      return { gif: `api/picture.gif?${query}`, film: `api/picture.svg?${query}&show=played` };
    };
    const solutions = async () => [...new Map(letters.filter((l) => !l.missing && l.letter !== ' ').map((l) => [l.letter, l])).values()].map((l) => ({
      heading: `${l.letter.toUpperCase()}: ${l.moves.length} jumps`, moves: strip(shape, l.track),
    }));
    const about = 'Every letter is a game of peg solitaire: each board began full but for its centre, and jump by jump its letter was left.';
    const paper = { title: text.trim() || ' ', letters, draw: still, about, solutions };
    return { ...paper, name: text.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? 'word', rows: () => wrap(letters, columns).map((row) => row.map(still)), films, frame: 170 };
  }

  let typing = 0;
  const caret = () => { $('caret').textContent = input.value; };
  input.addEventListener('click', () => { // the word of the page gives way to one's own
    if (input.value === known.text[0]) input.select();
  }, { once: true });
  input.addEventListener('input', () => {
    caret();
    save({ text: input.value.slice(0, 1000), step: null });
    clearTimeout(typing);
    typing = setTimeout(() => set(input.value, { autoplay: true }), 180);
  });
  $('word-form').addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(typing);
    set(input.value, { autoplay: true });
  });
  $('show').addEventListener('change', () => {
    state.show = document.querySelector('input[name=show]:checked').value;
    save({ step: null });
    player.seek(state.show === 'solved' ? Infinity : 0, false);
  });
  return {
    // enter shows what the state says.
    enter({ first }) {
      if (site && !$('daily').hasChildNodes()) site.daily($('daily')).catch(() => {}); // then there is none today
      input.value = state.text;
      caret();
      player.setSpeed(state.speed);
      document.querySelector(`input[name=show][value=${state.show}]`).checked = true;
      if (shownText === state.text && !first) {
        fit();
        player.seek(state.step ?? (state.show === 'solved' ? Infinity : 0), false);
        return;
      }
      set(state.text, { step: state.step, autoplay: first && state.show === 'solved' });
    },
    leave() { player.pause(); },
    key(event) {
      if (event.key === ' ') player.toggle();
      else if (event.key === 'ArrowLeft') player.step(-1);
      else if (event.key === 'ArrowRight') player.step(1);
      else if (event.key === 'Home') player.seek(0, false);
      else if (event.key === 'End') player.seek(Infinity, false);
      else return false;
      return true;
    },
    share,
  };
}
