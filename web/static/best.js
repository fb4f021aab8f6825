// What the device keeps for the person who plays: the best results by puzzle, where they are in each puzzle, and which
// puzzles of the day they have solved. Where it does not allow that, all is kept for this visit.

import { kept, keep as keepText } from './kept.js';

const MOST = 200; // places that are kept: those in which one was last

// table returns a table of the device, with values by name.
const table = (name) => ({
  all() {
    try {
      return Object(JSON.parse(kept(name)));
    } catch {
      return {};
    }
  },
  write: (values) => keepText(name, JSON.stringify(values)),
});
const [results, scores, places, days] = ['best', 'scores', 'places', 'days'].map(table);

// best returns the best result for a puzzle, or null: the fewest moves without hints.
export function best(puzzle) {
  const all = results.all();
  return Object.hasOwn(all, puzzle) && Number.isSafeInteger(all[puzzle]) ? all[puzzle] : null;
}

// keep keeps a result if it is the best so far, and reports whether it is.
export function keep(puzzle, moves) {
  const before = best(puzzle);
  if (before !== null && before <= moves) return false;
  results.write({ ...results.all(), [puzzle]: moves });
  return true;
}

// record keeps a score if it is the highest so far, and returns the highest: of games whose best result nobody knows.
export function record(puzzle, score = 0) {
  const all = scores.all();
  const most = Math.max(score, Object.hasOwn(all, puzzle) && Number.isSafeInteger(all[puzzle]) ? all[puzzle] : 0);
  if (score && score === most && all[puzzle] !== most) scores.write({ ...all, [puzzle]: most });
  return most;
}

// stars returns what a result is worth, where the best possible one is par: 3 stars for the best, 2 within a tenth of
// it, 1 for any other, and none if there is no result.
export function stars(moves, par) {
  if (moves === null) return 0;
  if (par === null || par === undefined) return 1;
  return moves <= par ? 3 : 10 * moves <= 11 * par ? 2 : 1;
}

// place returns where one was in a puzzle, as parts of the address: {} if nothing is known.
export function place(puzzle) {
  const all = places.all();
  return Object.hasOwn(all, puzzle) && all[puzzle] && typeof all[puzzle] === 'object' ? all[puzzle] : {};
}

// keepPlace keeps where one is in a puzzle. A place without any part is forgotten.
export function keepPlace(puzzle, parts) {
  const { [puzzle]: _, ...others } = places.all();
  const rest = Object.entries(others).slice(1 - MOST);
  if (Object.values(parts).some((part) => part !== '' && part !== null)) rest.push([puzzle, parts]);
  places.write(Object.fromEntries(rest));
}

// solved lists the puzzles that have a result, in the order in which they were solved first.
export const solved = () => Object.keys(results.all()).filter((puzzle) => best(puzzle) !== null);

// doneDays returns the days whose puzzle was solved on that day, each with the moves.
export const doneDays = () => days.all();

// keepDay keeps that the puzzle of a day was solved.
export function keepDay(day, moves) {
  if (!(days.all()[day] <= moves)) days.write({ ...days.all(), [day]: moves });
}

// some reports whether there is any result.
export const some = () => [results, scores].some((one) => Object.keys(one.all()).length > 0);

export const forget = () => [results, scores, places, days].forEach((one) => one.write({}));

// forgetting makes a button forget all of it, if it is pressed twice.
export function forgetting(button, done) {
  const rest = button.textContent;
  let asked = false;
  const calm = () => {
    asked = false;
    button.textContent = rest;
  };
  button.addEventListener('click', () => {
    if (!asked) {
      asked = true;
      button.textContent = 'Forget all of them?';
      return;
    }
    forget();
    calm();
    done();
  });
  button.addEventListener('blur', calm);
}
