// The line over a game that says which level of a site it is, with the levels beside it; of the puzzle of a day, it has a timer.

import { make } from './dom.js';
import { site } from './home.js';
import { kept, keep } from './kept.js';

// time returns seconds as 2:41.
const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

let clock = null; // of the puzzle of the day: the seconds in which it was seen, and whether it is solved

// elapsed is the time of the puzzle of the day, empty if nobody wants it.
export const elapsed = () => (clock && kept('timer') === 'on' ? time(clock.seconds) : '');

// stopClock is called when it is solved.
export function stopClock() {
  if (clock) clock.solved = true;
}

// entitle puts the name of a level above its game, or else that of the puzzle.
function entitle(view, level) {
  const el = document.querySelector(`#${view} .game .title bdi`);
  if (!el) return;
  el.dataset.puzzle ??= el.textContent;
  el.textContent = level?.title ?? el.dataset.puzzle;
  if (level && !document.title.startsWith('Play ')) document.title = `${level.title} – Pagoda`;
}

let shown = null; // the level of the line

// levelLine fills the line of a view, for the puzzle of an id.
export async function levelLine(view, id) {
  const line = document.querySelector(`#${view} [data-level]`);
  if (!site) return;
  if (line.dataset.level === id) {
    entitle(view, shown);
    return;
  }
  line.dataset.level = id;
  shown = null;
  line.replaceChildren();
  line.hidden = !id.includes('/'); // its place is there before it is known, so that nothing moves
  const level = await site.level(id).catch(() => null);
  if (line.dataset.level !== id) return; // another one is played meanwhile
  shown = level;
  entitle(view, level);
  if (!level) {
    if (!line.hidden) line.replaceChildren(make('a', { href: './levels.html' }, 'All levels')); // nothing moves then, either
    return;
  }
  line.hidden = false;
  const step = (to, name, sign) => (to ? [make('a', { href: to.href, class: 'level-step', 'aria-label': `${name}: ${to.title}`, title: to.title }, sign)] : []);
  if (level.day) line.replaceChildren(make('strong', {}, level.name), ' ', make('span', {}, `${level.par} ${level.unit}s at best`), ' ', ...timer(level));
  else line.replaceChildren(...step(level.previous, 'Previous level', '‹'), make('a', { href: level.all }, `${level.pack}, level ${level.number} of ${level.count}`), ...step(level.next, 'Next level', '›'));
}

// timer is the choice of a timer, and the timer. It goes on after a reload.
function timer({ day }) {
  const [of, seconds] = kept('spent').split(' ');
  const mine = clock = { seconds: of === day ? Number(seconds) || 0 : 0, solved: false };
  const shown = make('span', { class: 'level-time', role: 'timer' });
  const tick = () => { shown.textContent = elapsed(); };
  const box = make('input', { type: 'checkbox', onchange() {
    keep('timer', box.checked ? 'on' : 'off');
    tick();
  } });
  box.checked = kept('timer') === 'on';
  tick();
  const ticking = setInterval(() => {
    if (clock !== mine) clearInterval(ticking);
    else if (!mine.solved && !document.hidden) {
      mine.seconds++;
      keep('spent', `${day} ${mine.seconds}`);
      tick();
    }
  }, 1000);
  return [make('label', { class: 'check' }, box, 'Timer'), shown];
}
