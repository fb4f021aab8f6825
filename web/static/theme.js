// The colours of a page: as the system has them, light, or dark. The device keeps the last choice. The address of a
// page may say others.

import { kept, keep } from './kept.js';
import './language.js'; // a page is seen in its colours and its language

const signs = { auto: ['◐', 'Colours: as the system'], light: ['☀', 'Colours: light'], dark: ['☾', 'Colours: dark'] };
const isDark = matchMedia('(prefers-color-scheme: dark)');

// valid returns a name of colours, or null if there are none of this name.
export const valid = (text) => (Object.hasOwn(signs, text) ? text : null);

// chosen returns the colours that were chosen last.
export const chosen = () => valid(kept('theme')) ?? 'auto';

// paint gives the page its colours: to all that style sheets colour, to its pictures, and to the button.
export function paint(theme) {
  const root = document.documentElement;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const source of document.querySelectorAll('picture source')) source.media = { auto: isDark.media, light: 'not all', dark: 'all' }[theme];
  root.classList.toggle('dark', theme === 'auto' ? isDark.matches : theme === 'dark');
  const button = document.getElementById('theme');
  const [sign, label] = signs[theme];
  button.textContent = sign;
  button.ariaLabel = button.title = label;
}

// turn goes on to the next colours, and returns their name. The first are those that the system does not have: a
// press shows at once what it does.
export function turn() {
  const all = isDark.matches ? ['auto', 'light', 'dark'] : ['auto', 'dark', 'light'];
  const theme = all[(all.indexOf(document.documentElement.dataset.theme ?? 'auto') + 1) % all.length];
  keep('theme', theme);
  paint(theme);
  return theme;
}

isDark.addEventListener('change', () => paint(document.documentElement.dataset.theme ?? 'auto'));
paint(valid(new URLSearchParams(location.search).get('theme')) ?? chosen());
