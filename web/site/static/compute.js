// The panel that computes: which puzzle, how far it is, and what came out.

import { svg } from '../../static/board.js';
import { calm, comma, make, plural } from '../../static/dom.js';

const spaces = globalThis.PAGODA_SPACES; // groups of puzzles, as [what they are, [name, title]…], which the build knows
const PAPER = { space: 'peg/5x7', seconds: 28 * 60 }; // Oikawa and others, A Peg Solitaire Font, 2017

function seconds(s) { return s < 0.1 ? `${Math.max(1, Math.round(1000 * s))} ms` : `${s.toFixed(s < 10 ? 1 : 0)} s`; }

function bytes(n) { return n < 1 << 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / (1 << 20)).toPrecision(3)} MiB`; }

// draw shows the layers; they grow from left to right.
function draw(chart, space) {
  const layers = space.layers.map((l) => [l[space.layer], l.states]);
  const [width, height, most] = [640, 120, Math.max(...layers.map(([, n]) => n))];
  const slot = width / layers.length;
  const el = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': `Positions by ${space.layer}: at most ${comma(most)} in a layer` });
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

// panel puts it into a place. The home has the name of the puzzle and its title, or whether it was drawn, and what computes,
// stops, and says how far it is.
export function panel(place, { name, title: called, drawn, compute, cancel, watch }) {
  const told = make('p', { class: 'compute-told' });
  const said = make('p', { role: 'status', class: 'hidden' }); // the same for who listens, without every step
  const bar = make('progress', { max: '1', value: '0', 'aria-label': 'How much is computed' });
  const chart = make('div', { class: 'compute-chart' });
  const button = make('button', { type: 'button', class: 'primary' }, 'Compute it yourself');
  const stop = make('button', { type: 'button' }, 'Stop');
  const choice = make('select', { 'aria-label': 'Puzzle', autocomplete: 'off' });
  const title = make('h2', { tabindex: '-1' }, 'Compute it yourself');
  const section = make('section', { class: 'panel compute', 'aria-label': 'Compute' }, title,
    make('p', { class: 'small' }, name === PAPER.space
      ? 'The board of 5 by 7 holes has 1,045,173,439 positions. In 2017 a supercomputer found them, in 28 minutes and with 64 GB of memory. This page finds them here, in your browser: nothing is sent anywhere.'
      : 'All positions are found here, in your browser: nothing is sent anywhere.'),
    make('div', { class: 'actions' }, make('label', { class: 'check' }, 'Puzzle ', choice), button, stop), bar, told, said, chart,
    make('p', {}, make('a', { href: './make.html' }, 'A board of your own')));

  for (const [group, list] of spaces) {
    choice.append(make('optgroup', { label: group }, ...list.map(([value, about]) => make('option', { value }, about || value))));
  }
  if (drawn) choice.prepend(make('option', { value: '' }, 'A board that was drawn'));
  else if (![...choice.options].some((o) => o.value === name)) choice.prepend(make('option', { value: name }, called || name));
  // show names the puzzle of the page, also when the browser comes back to it.
  const show = () => { choice.value = name; };
  show();
  addEventListener('pageshow', show);

  button.addEventListener('click', () => compute().catch(() => {}));
  stop.addEventListener('click', () => cancel());
  choice.addEventListener('change', () => {
    if (choice.value) location.search = new URLSearchParams({ space: choice.value, view: 'file' });
  });

  let last = 0;
  function say(words) {
    last = performance.now();
    said.textContent = words;
  }

  // handOver gives the focus to another element if it is on one that goes away.
  function handOver(to, ...from) {
    return from.includes(document.activeElement) ? () => to.focus({ preventScroll: true }) : () => {};
  }

  const outcome = (run) => (run.space === PAPER.space
    ? `Found in ${seconds(run.seconds)} in this tab; a supercomputer took 28 minutes, ${Math.round(PAPER.seconds / run.seconds)} times as long. ` : `Found in ${seconds(run.seconds)} in this tab. `)
    + `The file has ${bytes(run.file_bytes)}; with it, the engine takes ${bytes(run.held_memory)} of memory.`;

  let before = '';
  watch((work) => {
    const running = work.at === 'loading' || work.at === 'computing';
    const words = {
      idle: () => '',
      loading: () => 'The engine is loaded…',
      computing: () => (work.share !== null ? `The positions are found: ${Math.floor(100 * work.share)} %` : work.done ? `The positions are found: ${comma(Math.round(work.done))}` : 'The positions are found…'),
      stopped: () => 'It was stopped. You can begin again.',
      failed: () => work.error.message,
      computed: () => outcome(work.run),
    }[work.at]();
    if (told.textContent !== words) told.textContent = words;
    if (work.share === null) bar.removeAttribute('value');
    else bar.value = work.share;
    if (work.at === before) {
      if (performance.now() - last > PAUSE) say(words);
      return;
    }
    before = work.at;
    const focus = running ? handOver(stop, button) : work.at === 'computed' ? handOver(title, stop, button) : handOver(button, stop);
    stop.hidden = bar.hidden = !running;
    button.hidden = running || work.at === 'computed' || work.error?.kind === 'refused';
    button.textContent = work.at === 'stopped' || work.at === 'failed' ? 'Begin again' : 'Compute it yourself';
    focus();
    title.textContent = work.at === 'computed' ? plural(work.run.states, 'position') : 'Compute it yourself';
    chart.replaceChildren();
    if (work.at === 'computed') {
      section.dataset.seconds = work.run.seconds;
      section.dataset.states = work.run.states;
      draw(chart, work.space);
    }
    say(work.at === 'computed' ? `${title.textContent}. ${words}` : words);
  });

  place.replaceChildren(section);
}
