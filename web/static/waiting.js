// What a game says while its hints are awaited: on a site, an engine is loaded first, and then computes.

import { site } from './home.js';

let work = null;

// onProgress calls a function whenever the engine has come farther, with whether it knows all now.
export function onProgress(told) {
  site?.watch?.((now) => {
    work = now;
    told(now.at === 'computed');
  });
}

// absent reports whether the engine of a site cannot be loaded: then one plays without hints.
export const absent = () => work?.error?.kind === 'absent';

// awaited says how far the engine is; it is empty when the engine is there, or where there is none.
export function awaited() {
  if (absent()) return 'There are no hints without the engine, which is not on this device. You can play on.';
  if (work?.at === 'loading') return 'Hints come when the engine is loaded. You can play meanwhile.';
  if (work?.at !== 'computing') return '';
  return work.share === null ? 'Hints come when all positions are known. You can play meanwhile.'
    : `Hints come when all positions are known: ${Math.floor(100 * work.share)} %. You can play meanwhile.`;
}
