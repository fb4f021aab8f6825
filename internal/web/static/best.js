// The best results of the person at this device: the fewest moves without hints, by puzzle. They stay on the device,
// where it allows that; else they are for this visit.

const KEY = 'best';
let visit = {};

function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return visit;
  }
}

function write(results) {
  visit = results;
  try {
    localStorage.setItem(KEY, JSON.stringify(results));
  } catch { /* then it is for this visit */ }
}

// best returns the best result for a puzzle, or null.
export function best(puzzle) {
  const results = all();
  return Object.hasOwn(results, puzzle) && Number.isSafeInteger(results[puzzle]) ? results[puzzle] : null;
}

// keep keeps a result if it is the best so far, and reports whether it is.
export function keep(puzzle, moves) {
  const before = best(puzzle);
  if (before !== null && before <= moves) return false;
  write({ ...all(), [puzzle]: moves });
  return true;
}

// some reports whether there is any result.
export const some = () => Object.keys(all()).length > 0;

export function forget() {
  visit = {};
  try {
    localStorage.removeItem(KEY);
  } catch { /* nothing was kept */ }
}

// forgetting makes a button forget all results, if it is pressed twice.
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
