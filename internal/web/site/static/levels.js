// The levels: puzzles with their pictures, the length of the shortest solution, and the best results kept on the device.

import { best, some, forgetting } from '../../static/best.js';
import { svg } from '../../static/board.js';
import { boardOf, read } from '../../static/drawing.js';
import { make } from '../../static/player.js';
import { METRICS, block, frame, ground, looks, rails, rods, targets } from '../../static/tray.js';

// { name, about, text, lengths }, which the build knows. The page does not play trays of several floors.
const levels = globalThis.PAGODA_LEVELS.filter(({ text }) => read(text));
const $ = (id) => document.getElementById(id);
const DEFAULT = 'moves'; // what a name without a metric counts

// draw returns the picture of a puzzle.
function draw(text) {
  const tray = boardOf(read(text));
  const colours = looks(tray);
  const el = frame(tray, { class: 'board tray', 'aria-hidden': 'true' });
  el.append(ground(tray, targets(tray)), ...tray.pieces.map((p, i) => svg('g', { class: `k${colours[i]}` }, ...rods(p.cells))),
    ...tray.pieces.map((p, i) => svg('g', { class: `block k${colours[i]}` }, ...block(tray, i, p.cells))), ...rails(tray));
  return el;
}

// Pictures are drawn when they come near to what is seen.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    target.replaceChildren(draw(items.get(target).text));
  }
}, { rootMargin: '300px' });

const items = new Map(); // levels by the place of their picture
const cards = levels.map((level) => {
  const picture = make('div', { class: 'level-picture' });
  items.set(picture, level);
  const told = make('span', { class: 'small' });
  const yours = make('span', { class: 'level-best' });
  const link = make('a', { class: 'level' }, picture, make('span', { class: 'level-name' }, level.about || level.name), told, yours);
  const el = make('li', {}, link);
  seen.observe(picture);
  return { level, el, link, told, yours };
});

const params = new URLSearchParams(location.search);
$('levels-metric').append(...METRICS.map(({ name, counts }) => make('option', { value: name, title: counts }, name)));
$('levels-metric').value = METRICS.some(({ name }) => name === params.get('metric')) ? params.get('metric') : DEFAULT;
$('levels-order').value = params.get('order') === 'name' ? 'name' : 'length';

function show() {
  const metric = $('levels-metric').value;
  const words = $('levels-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  let [solved, perfect] = [0, 0];
  for (const { level, el, link, told, yours } of cards) {
    const name = metric === DEFAULT ? level.name : `${level.name}@${metric}`;
    const length = level.lengths[metric] ?? null;
    const mine = best(name);
    const star = mine !== null && mine === length;
    solved += mine !== null;
    perfect += star;
    link.href = `./?${new URLSearchParams({ space: name })}`;
    told.textContent = length === null ? 'length not known' : `${length} ${length === 1 ? metric.replace(/s$/, '') : metric}`;
    yours.textContent = mine === null ? '' : star ? `★ your best: ${mine}` : `your best: ${mine}`;
    el.classList.toggle('has-star', star);
    el.hidden = !words.every((word) => `${level.name} ${level.about}`.toLowerCase().includes(word));
  }
  const by = {
    length: (a, b) => (a.level.lengths[metric] ?? Infinity) - (b.level.lengths[metric] ?? Infinity) || 0,
    name: (a, b) => (a.level.about || a.level.name).localeCompare(b.level.about || b.level.name, 'en'),
  }[$('levels-order').value];
  $('levels-list').replaceChildren(...[...cards].sort(by).map(({ el }) => el));
  $('levels-told').textContent = solved ? `You have solved ${solved} of ${levels.length}${perfect ? `, ${perfect} of them in the fewest ${metric}` : ''}.` : '';
  $('levels-forget').hidden = !some();
}

for (const id of ['levels-metric', 'levels-order']) {
  $(id).addEventListener('change', () => {
    const query = new URLSearchParams();
    if ($('levels-metric').value !== DEFAULT) query.set('metric', $('levels-metric').value);
    if ($('levels-order').value !== 'length') query.set('order', $('levels-order').value);
    history.replaceState(null, '', query.size ? `?${query}` : location.pathname);
    show();
  });
}
$('levels-search').addEventListener('input', show);
forgetting($('levels-forget'), show);
addEventListener('pageshow', show); // also when one comes back from a level
show();
