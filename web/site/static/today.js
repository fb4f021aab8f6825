// The puzzles of the day on the first page, and where the shelf leads.

import { make } from '../../static/dom.js';
import { levelOf, movesOf, nameOf, streak, today } from './days.js';
import { earned, find, load } from './packs.js';
import { learn, picture } from './pictures.js';

// fill puts the puzzles of today into an element, with how many days in a row were solved: the easy one first, and the hard one
// when it is solved. The tiles of the shelf lead to what is not solved yet.
export async function fill(el, name) {
  const file = await load(name);
  const show = async () => {
    const day = today();
    const both = [false, true].map((hard) => levelOf(file, day, hard));
    const [level, other] = movesOf(day, both[0]) === null || movesOf(day, both[1]) !== null ? both : both.toReversed();
    const { pack } = find(file, level.id);
    await learn([pack]);
    const at = ({ href }) => `${href}&day=${day}`;
    const moves = movesOf(day, level);
    const days = streak();
    const unit = `${pack.page.unit ?? 'move'}s`;
    const units = `${level.par} ${unit}`;
    el.replaceChildren(make('div', { class: 'daily' },
      make('a', { class: 'daily-picture', href: at(level), tabindex: -1, 'aria-hidden': 'true' }, picture(file, pack, level)),
      make('div', { class: 'daily-told' },
        make('h2', { class: 'small' }, nameOf(day, level)),
        make('p', { class: 'daily-title' }, level.title),
        make('p', {}, moves === null ? `It takes ${units} at best.` : moves <= level.par ? `Solved in ${units}: no solution is shorter!` : `Solved in ${moves} ${unit}. The shortest has ${level.par}.`),
        ...(days ? [make('p', { class: 'daily-streak' }, days === 1 ? '1 day in a row' : `${days} days in a row`)] : []),
        make('p', { class: 'daily-links' }, make('a', { class: `button${moves === null ? ' primary' : ''}`, href: at(level) }, moves === null ? 'Play' : 'Play again'),
          make('a', { href: at(other) }, other === both[1] ? 'The hard one' : 'The easy one'), make('a', { href: './daily.html' }, 'All days')))));
    if (document.querySelector('.daily-strip')) document.querySelector('.daily-strip').remove();
    document.getElementById('main').append(make('a', { class: 'daily-strip', href: at(level) }, nameOf(day, level), ' ', make('b', {}, level.title)));
    for (const tile of document.querySelectorAll('#shelf [data-pack]')) {
      const { levels } = file.packs.find(({ id }) => id === tile.dataset.pack);
      tile.href = (levels.find((one) => !earned(one)) ?? levels[0]).href;
    }
  };
  await show();
  addEventListener('pageshow', (event) => { if (event.persisted) show().catch(() => {}); });
}
