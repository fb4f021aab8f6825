// In a frame of another page, the page is the board alone, with a link to the whole page.

import { make } from '../../static/dom.js';

export function embed() {
  document.documentElement.classList.add('embed');
  const link = make('a', { class: 'embed-link', target: '_blank', rel: 'noopener' }, 'Play on Pagoda');
  // The address follows the game.
  const here = () => {
    const at = new URL(location.href);
    at.searchParams.delete('embed');
    link.href = at.href;
  };
  here();
  for (const name of ['pointerdown', 'focus', 'click']) link.addEventListener(name, here);
  document.querySelector('main').after(make('footer', { class: 'embed-foot' }, link));
}
