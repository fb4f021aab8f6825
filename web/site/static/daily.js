// The puzzle of the day on the first page.

import { make } from '../../static/dom.js';
import { dateOf, levelOf, movesOf, streak, today } from './days.js';
import { find, load } from './packs.js';
import { learn, picture } from './pictures.js';

// fill puts the puzzle of today into an element, with how many days in a row were solved.
export async function fill(el, name) {
  const file = await load(name);
  const show = async () => {
    const day = today();
    const level = levelOf(file, day);
    const { pack } = find(file, level.id);
    await learn([pack]);
    const href = `${level.href}&day=${day}`;
    const moves = movesOf(day);
    const days = streak();
    const unit = `${pack.page.unit ?? 'move'}s`;
    const units = `${level.par} ${unit}`;
    el.replaceChildren(make('div', { class: 'daily' },
      make('a', { class: 'daily-picture', href, tabindex: -1, 'aria-hidden': 'true' }, picture(file, pack, level)),
      make('div', { class: 'daily-told' },
        make('h2', { class: 'small' }, `Puzzle of the day, ${dateOf(day)}`),
        make('p', { class: 'daily-title' }, level.title),
        make('p', {}, moves === null ? `It takes ${units} at best.` : moves <= level.par ? `Solved in ${units}: no solution is shorter!` : `Solved in ${moves} ${unit}. The shortest has ${level.par}.`),
        ...(days ? [make('p', { class: 'daily-streak' }, days === 1 ? '1 day in a row' : `${days} days in a row`)] : []),
        make('a', { class: `button${moves === null ? ' primary' : ''}`, href }, moves === null ? 'Play' : 'Play again'))));
  };
  await show();
  addEventListener('pageshow', (event) => { if (event.persisted) show().catch(() => {}); });
}
