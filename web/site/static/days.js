// The puzzle of the day. It is the same for all, by the date alone: no server is asked.

import { doneDays, keepDay, stars } from '../../static/best.js';

const [LEAST, MIDDLE, MOST] = [6, 24, 60]; // pars: until the middle from Monday to Friday, from there on at the weekend

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

// hash spreads texts over 32 bits. Its values must never change: it is FNV-1a, and the last steps of MurmurHash3.
function hash(text) {
  let h = 0x811c9dc5;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 0x01000193);
  h = Math.imul(h ^ h >>> 16, 0x85ebca6b);
  h = Math.imul(h ^ h >>> 13, 0xc2b2ae35);
  return (h ^ h >>> 16) >>> 0;
}

// levelOf returns the level of a day. Levels have places on a circle, by their hashes, and the days go around it by the
// golden ratio, so that the same one comes back late. A level that is added gets a few days of one other, and changes no
// other day.
export function levelOf({ packs }, day) {
  const number = numberOf(day);
  const weekend = [0, 6].includes(new Date(day).getUTCDay());
  const levels = packs.flatMap((pack) => pack.levels).filter((level) => fits(level) && (weekend ? level.par > MIDDLE : level.par <= MIDDLE));
  const place = Math.imul(number, 0x9e3779b1);
  const off = (level) => (hash(level.id) - place) >>> 0;
  return levels.reduce((a, b) => (off(b) < off(a) ? b : a));
}

// won keeps that the puzzle of a day was solved, if it is the one of today.
export function won(day, moves) {
  if (day === today()) keepDay(day, moves);
}

// movesOf returns the moves of a day that was solved, or null.
export const movesOf = (day) => doneDays()[day] ?? null;

// streak counts the days in a row whose puzzle was solved, until today or yesterday.
export function streak() {
  const done = new Set(Object.keys(doneDays()).map(numberOf));
  const now = numberOf(today());
  const last = done.has(now) ? now : now - 1;
  let n = 0;
  while (done.has(last - n)) n++;
  return n;
}

// shared is a result as a text that spoils nothing, with where the puzzle is.
export function shared(day, { par, unit, href }, moves, time) {
  const units = par === 1 ? unit : `${unit}s`;
  const made = moves <= par ? `${moves} of ${par} ${units}` : `${moves} ${units}, ${par} at best`;
  return `Pagoda ${dateOf(day, 'short')}: ${made} ${'★'.repeat(stars(moves, par))}${time ? ` ${time}` : ''}\n${new URL(`${href}&day=${day}`, location.href)}`;
}
