// The page of the puzzles of the day: what was solved on its day, and all days before.

import { stars } from '../../static/best.js';
import { $, make, plural } from '../../static/dom.js';
import { dateOf, dayBefore, levelOf, movesOf, statistics, streak, today } from './days.js';
import { load } from './packs.js';

const SHOWN = 28; // days
const FIRST = '2026-01-01';
const file = await load(globalThis.PAGODA_LEVELS);
$('days-last').max = $('days-last').value = today();
$('days-last').min = FIRST;

// puzzle is the cell of a level of a day.
function puzzle(day, level) {
  const moves = movesOf(day, level);
  return make('td', {}, make('a', { href: `${level.href}&day=${day}` }, level.title), ' ', moves === null ? make('span', { class: 'small' }, String(level.par))
    : make('span', { class: 'level-stars', role: 'img', 'aria-label': `${stars(moves, level.par)} of 3 stars` }, '★'.repeat(stars(moves, level.par))));
}

function show() {
  const all = statistics(file);
  for (const [name, n] of Object.entries({ solved: all.solved, row: streak(), best: all.best, stars: all.stars })) $(`days-${name}`).textContent = n;
  const wish = $('days-last').value;
  const last = wish >= FIRST && wish <= today() ? wish : today();
  const days = Array.from({ length: SHOWN }, (_, n) => dayBefore(last, n)).filter((day) => day >= FIRST);
  $('days-list').replaceChildren(...days.map((day) => make('tr', {}, make('th', { scope: 'row' }, day === today() ? 'Today' : dateOf(day, 'short')),
    ...[false, true].map((hard) => puzzle(day, levelOf(file, day, hard))))));
  $('days-told').textContent = `${plural(days.length, 'day')}, the last one first. The number is that of the fewest moves.`;
}
$('days-last').addEventListener('change', show);
addEventListener('pageshow', show);
show();
document.body.classList.add('ready');
