// Pictures of levels, and their solutions in words. A script of levels knows how, by the name of the view that plays the pack. It
// exports picture(board, level), aim(level), which says what to do, moves(texts, level) if there are solutions, and perhaps goal(level),
// a picture of the end if the first one does not show it, and a note to read the moves.

const scripts = new Map(); // by the name of the view

// learn loads the scripts of packs. Without them there are no pictures.
export async function learn(packs) {
  await Promise.all([...new Set(packs.map(({ page }) => page.view))].map(async (view) => scripts.set(view, await import(`./levels/${view}.js`))));
}

// picture draws a level of a pack.
export function picture({ boards }, { page }, level) {
  const el = scripts.get(page.view).picture(boards[level.board], level);
  el.setAttribute('aria-hidden', 'true');
  el.removeAttribute('role');
  return el;
}

// note says how moves are to be read.
export const note = ({ page }) => scripts.get(page.view).note ?? '';

// sheet is a level on paper, as cards.js takes it. Solution returns the text of its moves, if it is known.
export function sheet(file, pack, level, told, solution) {
  const script = scripts.get(pack.page.view);
  return {
    title: level.title, told, aim: script.aim(level), draw: () => picture(file, pack, level), goal: () => script.goal?.(level) ?? null,
    moves: () => solution() && script.moves(solution().split(' '), level),
  };
}
