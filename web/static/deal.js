// A choice of how hard a new puzzle is, and the button that deals it.

import { $, make } from './dom.js';

// Shares of the hardest.
const LEVELS = { easy: 0.25, medium: 0.5, hard: 0.8 };

// deals puts both into a place of a view. Run deals a puzzle that is about as hard as a share of the hardest.
export function deals(view, name, run) {
  const level = make('select', { id: `${view}-level`, 'aria-label': 'How hard the new one is' }, ...Object.entries(LEVELS).map(([text, value]) => make('option', { value }, text)));
  const button = make('button', { type: 'button', id: `${view}-deal`, onclick: async () => {
    button.disabled = true;
    try {
      await run(Number(level.value));
    } finally {
      button.disabled = false;
    }
  } }, name);
  $(`${view}-new`).prepend(level, button);
}
