// The puzzle of the day. It is the same for all, by the date alone: no server is asked.

import { doneDays, keepDay, stars } from '../../static/best.js';

const [LEAST, MIDDLE, MOST] = [6, 24, 60]; // pars: those of easy puzzles are at most the middle
const HARD = ' hard'; // behind the date of results of hard puzzles

// numberOf returns a day as a number: how many days it is after the first of 1970.
const numberOf = (day) => Date.parse(day) / 864e5;

// today is the day of the calendar here.
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

// dateOf names a day in the language of the page: 27 November.
export function dateOf(day, month = 'long') {
  const { lang } = document.documentElement;
  return new Date(day).toLocaleDateString(lang === 'en' ? 'en-GB' : lang, { day: 'numeric', month, timeZone: 'UTC' });
}

// fits reports whether a level can be that of some day.
export const fits = ({ par }) => par >= LEAST && par <= MOST;

// isHard reports whether a level is a hard puzzle of some day.
export const isHard = ({ par }) => par > MIDDLE;

// dayBefore returns the day so many days before one.
export const dayBefore = (day, n) => new Date((numberOf(day) - n) * 864e5).toISOString().slice(0, 10);

// nameOf names a puzzle of a day.
export const nameOf = (day, level) => `${isHard(level) ? 'Hard puzzle of the day' : 'Puzzle of the day'}, ${dateOf(day)}`;

// hash spreads texts over 32 bits. Its values must never change: it is FNV-1a, and the last steps of MurmurHash3.
function hash(text) {
  let h = 0x811c9dc5;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 0x01000193);
  h = Math.imul(h ^ h >>> 16, 0x85ebca6b);
  h = Math.imul(h ^ h >>> 13, 0xc2b2ae35);
  return (h ^ h >>> 16) >>> 0;
}

// levelOf returns the easy or the hard level of a day; the first versions had one a day, hard at the weekend. Levels have places on a circle, by their hashes, and the days go around it by the
// golden ratio, so that the same one comes back late. A level that is added gets a few days of one other, and changes no
// other day.
export function levelOf({ packs }, day, hard = [0, 6].includes(new Date(day).getUTCDay())) {
  const number = numberOf(day);
  const levels = packs.flatMap((pack) => pack.levels).filter((level) => fits(level) && isHard(level) === hard);
  const place = Math.imul(number, 0x9e3779b1);
  const off = (level) => (hash(level.id) - place) >>> 0;
  return levels.reduce((a, b) => (off(b) < off(a) ? b : a));
}

const resultOf = (day, level) => day + (isHard(level) ? HARD : '');

// won keeps that a puzzle of a day was solved, if it is one of today.
export function won(day, level, moves) {
  if (day === today()) keepDay(resultOf(day, level), moves);
}

// movesOf returns the moves with which a puzzle was solved on its day, or null.
export const movesOf = (day, level) => doneDays()[resultOf(day, level)] ?? null;

// solvedDays has the numbers of the days on which a puzzle was solved, in order.
const solvedDays = () => [...new Set(Object.keys(doneDays()).map((name) => numberOf(name.replace(HARD, ''))))].filter(Number.isInteger).sort((a, b) => a - b);

// streak counts the days in a row on which a puzzle was solved, until today or yesterday.
export function streak() {
  const done = new Set(solvedDays());
  const now = numberOf(today());
  const last = done.has(now) ? now : now - 1;
  let n = 0;
  while (done.has(last - n)) n++;
  return n;
}

// statistics returns how many puzzles of the day were solved on their day, the most days in a row, and the stars.
export function statistics(file) {
  let [best, row, last] = [0, 0, NaN];
  for (const day of solvedDays()) {
    row = day === last + 1 ? row + 1 : 1;
    last = day;
    best = Math.max(best, row);
  }
  const all = Object.entries(doneDays());
  const earned = all.map(([name, moves]) => stars(moves, levelOf(file, name.replace(HARD, ''), name.endsWith(HARD) || undefined).par));
  return { solved: all.length, best, stars: earned.reduce((a, b) => a + b, 0) };
}

// shared is a result as a text that spoils nothing, with where the puzzle is.
export function shared(day, { par, unit, href }, moves, time) {
  const units = par === 1 ? unit : `${unit}s`;
  const made = moves <= par ? `${moves} of ${par} ${units}` : `${moves} ${units}, ${par} at best`;
  return `Pagoda ${dateOf(day, 'short')}${isHard({ par }) ? ', hard' : ''}: ${made} ${'★'.repeat(stars(moves, par))}${time ? ` ${time}` : ''}\n${new URL(`${href}&day=${day}`, location.href)}`;
}
