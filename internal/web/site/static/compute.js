// The panel that computes: which space, how far it is, and what came out.

import { svg } from '../../static/board.js';
import { make, calm } from '../../static/player.js';

const comma = (n) => BigInt(n).toLocaleString('en');
const spaces = globalThis.PAGODA_SPACES; // groups of [name, about], which the build knows
const drawable = globalThis.PAGODA_DRAWABLE; // families that read drawings, as [name, about]
const PAPER = { space: 'peg/5x7', seconds: 28 * 60 }; // Oikawa and others, A Peg Solitaire Font, 2017

function seconds(s) { return s < 0.1 ? `${Math.max(1, Math.round(1000 * s))} ms` : `${s.toFixed(s < 10 ? 1 : 0)} s`; }

function bytes(n) { return n < 1 << 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / (1 << 20)).toPrecision(3)} MiB`; }

const told = make('p', { class: 'compute-told' });
const said = make('p', { role: 'status', class: 'hidden' }); // the same for who listens, without every step
const bar = make('progress', { max: '1', value: '0', 'aria-label': 'How much is computed' });
const chart = make('div', { class: 'compute-chart' });
const button = make('button', { type: 'button', class: 'primary' }, 'Compute it yourself');
const stop = make('button', { type: 'button' }, 'Stop');
const choice = make('select', { 'aria-label': 'Puzzle' });
const text = make('textarea', { rows: '7', spellcheck: 'false', 'aria-label': 'A board, as text' });
const kind = make('select', { 'aria-label': 'Kind of puzzle' });
const own = make('button', { type: 'submit' }, 'Compute this board');
const form = make('form', {}, make('p', { class: 'small' }, 'A row of the board on each line: o is a peg, . a hole, # no cell. Sliding blocks are drawn with a letter for each cell of a piece, and below goal: where they should go. A Rush Hour board has 36 characters in one line. Number tiles begin with a line such as 2048:64 or threes; below it are numbers, and a dot for an empty cell.'), text,
  make('div', { class: 'actions' }, kind, own));
const title = make('h2', { tabindex: '-1' }, 'Compute it yourself');
const lead = make('p', { class: 'small' });
const section = make('section', { class: 'panel compute', 'aria-label': 'Compute' }, title, lead,
  make('div', { class: 'actions' }, button, stop, make('label', { class: 'check' }, 'Puzzle ', choice)), bar, told, said, chart,
  make('details', {}, make('summary', {}, 'Draw a board of your own'), form),
  make('p', { class: 'small' }, make('a', { href: 'levels.html' }, 'Levels'), ' of sliding blocks keep your best results. ', make('a', { href: 'collection.html' }, 'The collection'), ' has a page for each puzzle, with all that was computed about it.'));

// draw shows the layers; they grow from left to right.
function draw(space) {
  const layers = space.layers.map((l) => [l[space.layer], l.states]);
  const [width, height, most] = [640, 120, Math.max(...layers.map(([, n]) => n))];
  const slot = width / layers.length;
  const el = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': `States by ${space.layer}: at most ${comma(most)} in a layer` });
  layers.forEach(([, n], i) => {
    const h = n === 0 ? 0 : Math.max(1.5, (n / most) * (height - 4));
    const rect = svg('rect', { x: i * slot, y: height - h, width: Math.max(1, 0.8 * slot), height: h, class: 'bar' });
    if (!calm.matches) {
      rect.animate([{ transform: 'scaleY(0)', transformOrigin: `0 ${height}px` }, { transform: 'none', transformOrigin: `0 ${height}px` }],
        { duration: 400, delay: (600 * i) / layers.length, easing: 'ease-out', fill: 'backwards' });
    }
    el.append(svg('g', { class: 'column' }, rect));
  });
  chart.replaceChildren(el);
}

const PAUSE = 5000; // milliseconds between two announcements
let last = 0;
function say(text) {
  last = performance.now();
  said.textContent = text;
}

// handOver gives the focus to another element if it is on one that goes away.
function handOver(to, ...from) {
  return from.includes(document.activeElement) ? () => to.focus({ preventScroll: true }) : () => {};
}

let compute;
let cancel;

export const panel = {
  // place puts the panel on the page.
  place(home) {
    ({ compute, cancel } = home);
    for (const [group, list] of Object.entries(spaces)) {
      choice.append(make('optgroup', { label: group }, ...list.map(([name, about]) => make('option', { value: name }, about ? `${name}: ${about}` : name))));
    }
    kind.append(...drawable.map(([of, about]) => make('option', { value: of }, about)));
    kind.value = home.family;
    if (home.drawn) {
      choice.prepend(make('option', { value: '' }, 'A board that was drawn'));
      text.value = home.drawn;
    } else if (![...choice.options].some((o) => o.value === home.name)) choice.prepend(make('option', { value: home.name }, home.name));
    choice.value = home.name;
    lead.textContent = home.name === PAPER.space
      ? 'The board of 5 by 7 holes has 1,045,173,439 positions. In 2017 a supercomputer found them, in 28 minutes and with 64 GB of memory. This page finds them here, in your browser: nothing is sent anywhere.'
      : 'All positions are found here, in your browser: nothing is sent anywhere.';
    stop.hidden = bar.hidden = true;
    button.addEventListener('click', () => compute().catch(() => {}));
    stop.addEventListener('click', () => cancel());
    choice.addEventListener('change', () => {
      if (choice.value) location.search = new URLSearchParams({ space: choice.value });
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (text.value.trim()) location.search = new URLSearchParams({ space: kind.value, drawn: text.value });
    });
    document.getElementById('main').append(section);
    if (home.name !== PAPER.space) panel.begin();
  },
  begin() { queueMicrotask(() => compute().catch(() => {})); },
  began() {
    const focus = handOver(stop, button);
    section.classList.add('begun');
    button.disabled = true;
    stop.hidden = bar.hidden = false;
    focus();
    bar.removeAttribute('value');
    say(told.textContent = 'The engine is loaded…');
    chart.replaceChildren();
  },
  progress({ what, done, total }) {
    if (total > 0) {
      bar.value = done / total;
      told.textContent = `${what}: ${Math.floor((100 * done) / total)} %`;
    } else if (done > 0) told.textContent = `${what}: ${comma(Math.round(done))}`;
    if (performance.now() - last > PAUSE) say(told.textContent);
  },
  ended(space, run) {
    const focus = handOver(title, stop, button);
    stop.hidden = bar.hidden = true;
    button.hidden = true;
    focus();
    title.textContent = `${comma(run.states)} positions`;
    told.replaceChildren(`Found in ${seconds(run.seconds)} in this tab`, run.space === PAPER.space ? `; a supercomputer took 28 minutes, ${Math.round(PAPER.seconds / run.seconds)} times as long` : '',
      `. The file has ${bytes(run.file_bytes)}; with it, the engine takes ${bytes(run.held_memory)} of memory.`);
    say(`${title.textContent}. ${told.textContent}`);
    section.dataset.seconds = run.seconds;
    section.dataset.states = run.states;
    draw(space);
  },
  failed(err) {
    const focus = handOver(button, stop);
    stop.hidden = bar.hidden = true;
    button.disabled = false;
    focus();
    say(told.textContent = err.message);
  },
};
