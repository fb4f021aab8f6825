// Pictures of levels, and their solutions in words. A script of levels knows how, by the name of the view that plays the pack. It
// exports picture(board, level), moves(texts, level) if there are solutions, and perhaps a note to read them.

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

// moves writes a solution in words, note how they are to be read.
export const moves = ({ page }, level, texts) => scripts.get(page.view).moves(texts, level);
export const note = ({ page }) => scripts.get(page.view).note ?? '';
