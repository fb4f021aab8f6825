// Texts that draw boards of number tiles.

import { at } from '../paint.js';

export function reading(text) {
  const game = /^(2048|threes)\b/i.exec(text)?.[1];
  return game ? { told: 'This is a board of number tiles.', href: at({ space: game.toLowerCase(), drawn: text }) } : null;
}
