// Levels come in packs, from easy to hard. They are in one file of the build: { boards, metrics, packs }, a pack being { id,
// title, about, page, levels }, see puzzle.Page, and a level { id, title, note, href, par, lengths, text or board, pattern, target }.

import { best, stars } from '../../static/best.js';
import { fits, isHard, levelOf, nameOf, shared, streak, today, won } from './days.js';

const files = new Map(); // by their names

// load reads a file of the build, once: that of the packs, or that of the solutions, which are texts by the ids of levels.
export function load(name) {
  if (!files.has(name)) {
    files.set(name, fetch(new URL(name, location.href)).then((r) => r.json()).catch((err) => {
      files.delete(name);
      throw err;
    }));
  }
  return files.get(name);
}

const ending = ({ metrics }) => new RegExp(`@(${metrics.map(({ name }) => name).join('|')})$`);

// find returns where a level is: its pack and its place there, from 0; null if there is none. A result may count moves in
// another way than usual, which its id ends with.
export function find(file, id) {
  const plain = id.replace(ending(file), '');
  for (const pack of file.packs) {
    const place = pack.levels.findIndex((level) => level.id === plain);
    if (place >= 0) return { pack, place, level: pack.levels[place] };
  }
  return null;
}

// beside returns the level that comes so many after another; the packs follow one another.
export function beside({ packs }, { pack, place }, by) {
  const all = packs.flatMap(({ levels }) => levels);
  return all[all.indexOf(pack.levels[place]) + by] ?? null;
}

// counted returns a level in a metric: its id and address, and its par, null if that is not known.
export function counted(level, metric) {
  if (metric === 'moves' || !level.lengths) return level;
  return { ...level, id: `${level.id}@${metric}`, href: `${level.href}@${metric}`, par: level.lengths[metric] ?? null };
}

// earned returns the stars of a level, 0 if it was not solved.
export const earned = ({ id, par }) => stars(best(id), par);

// like returns a level of the same kind that is about as hard, and not solved, if there is one.
function like({ packs }, { pack, level }) {
  const others = packs.filter((one) => one.page.view === pack.page.view).flatMap(({ levels }) => levels).filter((one) => one !== level && !earned(one));
  return others.reduce((a, b) => (a && Math.abs(a.par - level.par) <= Math.abs(b.par - level.par) ? a : b), null);
}

// link is what leads to a level.
const link = (level) => level && { title: level.title, href: level.href };

// told says what a page of the site needs to know of the level that is played: the pack, where it is in it, the levels
// beside it, and how short it can be. If it is the puzzle of a day, share is its result as a text, and won keeps it.
export async function told(name, id, day) {
  const file = await load(name);
  const at = find(file, id);
  if (!at) return null;
  const { pack, place, level } = at;
  const { par } = counted(level, ending(file).exec(id)?.[1] ?? 'moves');
  const about = { like: link(like(file, at)), pack: pack.title, title: level.title, href: level.href, number: place + 1, count: pack.levels.length, par, all: `./levels.html#${pack.id}`,
    previous: link(beside(file, at, -1)), next: link(beside(file, at, 1)), unit: pack.page.unit ?? 'move', day: '', share: () => null, won() {} };
  // The puzzle of a day that is over may have been another one when its link was made: puzzles are added.
  if (!day || id !== level.id || levelOf(file, day, isHard(level)).id !== id && !(day < today() && fits(level))) return about;
  return { ...about, day, name: nameOf(day, level), all: './daily.html', late: day < today(), streak, share: (moves, time) => shared(day, about, moves, time), won: (moves) => won(day, level, moves) };
}
