// The line over a game that says which level of a site it is, with the levels beside it; of the puzzle of a day, it has a timer.

import { site } from './home.js';
import { kept, keep } from './kept.js';
import { make } from './player.js';

// time returns seconds as 2:41.
const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

let clock = null; // of the puzzle of the day: when it began, and when it was solved

// elapsed is the time of the puzzle of the day, empty if nobody wants it.
export const elapsed = () => (clock && kept('timer') === 'on' ? time(((clock.end ?? Date.now()) - clock.began) / 1000) : '');

// stopClock is called when it is solved.
export function stopClock() {
  if (clock) clock.end ??= Date.now();
}

// levelLine fills the line of a view, for the puzzle of an id.
export async function levelLine(view, id) {
  const line = document.querySelector(`#${view} [data-level]`);
  if (!site || line.dataset.level === id) return;
  line.dataset.level = id;
  const level = await site.level(id).catch(() => null);
  if (line.dataset.level !== id) return; // another one is played meanwhile
  line.hidden = !level;
  if (!level) return;
  const step = (to, name, sign) => (to ? [make('a', { href: to.href, class: 'level-step', 'aria-label': `${name}: ${to.title}`, title: to.title }, sign)] : []);
  if (level.day) line.replaceChildren(make('strong', {}, `Puzzle of the day, ${level.date}`), ' ', make('span', {}, `${level.par} ${level.unit}s at best`), ' ', ...timer(level));
  else line.replaceChildren(...step(level.previous, 'Previous level', '‹'), make('a', { href: level.all }, `${level.pack}, level ${level.number} of ${level.count}`), ...step(level.next, 'Next level', '›'));
}

// timer is the choice of a timer, and the timer.
function timer({ day }) {
  let began = Number(kept('began').split(' ')[1]);
  if (kept('began').split(' ')[0] !== day || !(began > 0)) {
    began = Date.now();
    keep('began', `${day} ${began}`);
  }
  clock = { began, end: null };
  const shown = make('span', { class: 'level-time', role: 'timer' });
  const tick = () => { shown.textContent = elapsed(); };
  const box = make('input', { type: 'checkbox', onchange() {
    keep('timer', box.checked ? 'on' : 'off');
    tick();
  } });
  box.checked = kept('timer') === 'on';
  tick();
  setInterval(tick, 500);
  return [make('label', { class: 'check' }, box, 'Timer'), shown];
}
