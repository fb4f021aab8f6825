// Cards of levels on paper, 9 or 6 on a page.

import { make } from '../../static/dom.js';

// cards puts into a place what prints packs as cards. Shown returns the packs as they are shown: { title, levels, solutions,
// note }: { title, told, aim, draw, goal, moves } for each level, see pictures.js, a heading for the solutions, and perhaps a note
// below it. Moves returns the texts of a solution, or nothing if none is known. Solve has them known.
export function cards(place, shown, solve) {
  const pack = make('select', { 'aria-label': 'Which levels' });
  const many = make('select', { 'aria-label': 'Cards on a page' }, ...[9, 6].map((n) => make('option', { value: n }, `${n} on a page`)));
  const told = make('p', { class: 'small', role: 'status' });
  const solved = make('input', { type: 'checkbox', onchange: ready });
  const button = make('button', { type: 'button', onclick: async () => { if (await ready()) print(); } }, 'Print…');

  // ready has the solutions known, if they are wanted. It reports whether that went well.
  async function ready() {
    const wanted = solved.checked;
    solved.checked = false; // until they are there: a browser prints when it likes
    told.textContent = wanted ? 'The solutions are loaded…' : '';
    try {
      if (wanted) await solve();
    } catch {
      told.textContent = 'The solutions cannot be loaded. Is there a network?';
      return false;
    }
    solved.checked = wanted;
    told.textContent = '';
    return true;
  }
  const box = make('details', { class: 'cards-choice' }, make('summary', { class: 'button' }, 'Print as cards'), make('div', {}, pack, many, make('label', { class: 'check' }, solved, ' With solutions'), button), told);
  place.append(box);
  box.addEventListener('toggle', () => { if (box.open) offer(); });

  function offer() {
    const was = pack.value;
    pack.replaceChildren(make('option', { value: '' }, 'All that are shown'), ...shown().map(({ title }) => make('option', { value: title }, title)));
    pack.value = [...pack.options].some((o) => o.value === was) ? was : '';
  }

  const card = (title, { title: name, told, aim, draw, goal }, i) => make('article', { class: 'level-card' }, draw(), make('h2', {}, name),
    make('p', {}, aim), ...(goal() ? [make('div', { class: 'card-goal' }, goal())] : []), make('p', {}, told), make('p', { class: 'print-source' }, `${title}, ${i + 1}`));

  const solution = ({ title: name, moves }, i) => moves() && make('li', { value: i + 1 }, make('b', {}, name), ' ', make('ol', { class: 'card-moves' }, ...moves().map((text) => make('li', {}, text))));
  const solutions = ({ levels, solutions: heading, note }) => make('section', { class: 'print-solution' }, make('h2', {}, heading), make('p', {}, note), make('ol', {}, ...levels.map(solution).filter(Boolean)));

  let sheet = null;
  function clear() {
    sheet?.remove();
    sheet = null;
    document.body.classList.remove('has-sheet');
  }

  addEventListener('beforeprint', () => {
    clear();
    const all = shown().filter(({ title }) => !pack.value || title === pack.value);
    sheet = make('div', { class: `sheet cards-${many.value}` }, ...all.map(({ title, levels }) => make('section', { class: 'level-cards' }, ...levels.map((level, i) => card(title, level, i)))),
      ...(solved.checked ? all.filter(({ levels }) => levels.some(({ moves }) => moves())).map(solutions) : []));
    document.body.append(sheet);
    document.body.classList.add('has-sheet');
  });
  addEventListener('afterprint', clear);
}
