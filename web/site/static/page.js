// Every page beside the first: its colours, and where the Play of its menu leads.

import { kept } from '../../static/kept.js';
import { offer } from '../../static/language.js';
import { chosen, paint, turn } from '../../static/theme.js';

function follow() {
  const play = document.querySelector('#menu [data-view~=play]');
  play.search = kept('last') || play.search;
}

document.getElementById('theme').addEventListener('click', turn);
offer();
addEventListener('pageshow', (event) => { // one comes back to it: something may be chosen and played meanwhile
  if (!event.persisted) return;
  paint(chosen());
  follow();
});
follow();
