// The page of levels: packs with what was solved of them on this device, and which level comes next.

import { best, solved, some, forgetting } from '../../static/best.js';
import { $, make, plural } from '../../static/dom.js';
import { cards } from './cards.js';
import { finder } from './find.js';
import { controlled } from './keep.js';
import { beside, counted, earned, find, load } from './packs.js';
import { learn, note, picture, sheet } from './pictures.js';

const USUAL = 'moves'; // what a name without a metric counts
const STARS = ['', '★☆☆', '★★☆', '★★★'];

const file = await load(globalThis.PAGODA_LEVELS);
const { metrics } = file;
await learn(file.packs);

// Pictures are drawn when they come near to what is seen.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const { pack, level } = levels.get(target);
    target.replaceChildren(picture(file, pack, level));
  }
}, { rootMargin: '300px' });

const levels = new Map(); // with their packs, by the place of their picture

// short returns the title of a level in its pack: without what all of them begin with.
function short({ levels: all }, { title }) {
  const begin = `${title.split(', ')[0]}, `;
  const rest = title.slice(begin.length);
  return rest && all.every((level) => level.title.startsWith(begin)) ? rest[0].toUpperCase() + rest.slice(1) : title;
}

function card(pack, level) {
  const place = make('div', { class: 'level-picture' });
  levels.set(place, { pack, level });
  const par = make('span', { class: 'small' });
  const stars = make('span', { class: 'level-stars' });
  const link = make('a', { class: 'level' }, make('span', { class: 'level-next' }, 'Next level'), place, make('span', { class: 'level-name' }, short(pack, level)), par, stars);
  const el = make('li', {}, link);
  seen.observe(place);
  return { level, el, link, par, stars };
}

const packs = file.packs.map((pack) => {
  const cards = pack.levels.map((level) => card(pack, level));
  const told = make('span', { class: 'pack-told', role: 'img' });
  const bar = make('progress', { max: pack.levels.length, 'aria-hidden': 'true' });
  const list = make('ul', { class: 'level-list' }, ...cards.map(({ el }) => el));
  const whole = make('button', { type: 'button', class: 'pack-whole', 'aria-expanded': 'false', onclick: () => open(one, list.classList.toggle('whole')) });
  const el = make('section', { class: 'pack', id: pack.id, 'aria-labelledby': `${pack.id}-title` },
    make('div', { class: 'pack-head' }, make('h2', { id: `${pack.id}-title`, tabindex: -1 }, pack.title), told, whole), make('p', { class: 'small' }, pack.about), list);
  const count = make('span', { class: 'small' });
  const link = make('a', { href: `#${pack.id}` }, make('span', {}, pack.title), count, bar);
  const one = { pack, cards, told, bar, list, whole, el, link, count };
  open(one, false);
  return one;
});

// open shows all levels of a pack, or a row of them.
function open({ pack, list, whole }, all) {
  list.classList.toggle('whole', all);
  whole.setAttribute('aria-expanded', all);
  whole.textContent = all ? 'Show fewer' : `Show all ${pack.levels.length}`;
}

$('levels-packs').append(...packs.map(({ link }) => link));
$('levels-list').append(...packs.map(({ el }) => el));

const params = new URLSearchParams(location.search);
$('levels-metric').append(...metrics.map(({ name, counts }) => make('option', { value: name, title: counts }, name)));
$('levels-metric').value = metrics.some(({ name }) => name === params.get('metric')) ? params.get('metric') : USUAL;

const index = finder(file.packs.flatMap((pack) => pack.levels.map(({ id, title, also = [] }) => [title, ...also, id, pack.title])));

function show() {
  const metric = $('levels-metric').value;
  const typed = $('levels-search').value.trim();
  const ranks = typed ? index.rank(typed) : null;
  let [done, stars, found] = [0, 0, 0];
  for (const one of packs) {
    let [here, hits] = [0, 0];
    const earnedHere = [];
    for (const { level, el, link, par, stars: at } of one.cards) {
      const now = counted(level, metric);
      const mine = earned(now);
      const unit = level.lengths ? metric.replace(/s$/, '') : one.pack.page.unit ?? 'move';
      link.href = now.href;
      par.textContent = level.goal ? `Reach ${level.goal.number}` : now.par === null ? 'length not known' : plural(now.par, unit);
      const result = best(now.id);
      at.textContent = STARS[mine];
      at.title = mine && mine < 3 ? `Your best: ${result}` : '';
      if (mine) {
        at.setAttribute('role', 'img');
        at.setAttribute('aria-label', `${mine} of 3 stars`);
      } else {
        at.removeAttribute('role');
        at.removeAttribute('aria-label');
      }
      el.classList.toggle('is-best', mine === 3);
      el.hidden = ranks?.shift() === Infinity;
      here += mine > 0;
      hits += !el.hidden;
      earnedHere.push(mine);
    }
    const total = earnedHere.reduce((a, b) => a + b, 0);
    const next = earnedHere.indexOf(0);
    one.cards.forEach(({ el }, i) => el.classList.toggle('is-next', i === next));
    one.next = one.cards[next] ?? null;
    one.told.textContent = `${here} of ${one.cards.length}${total ? `, ${total} ★` : ''}`;
    one.told.classList.toggle('has-some', here > 0);
    one.told.setAttribute('aria-label', `${here} of ${one.cards.length} solved, ${plural(total, 'star')}`);
    one.count.textContent = `${here} of ${one.cards.length}`;
    one.bar.value = here;
    one.el.hidden = !hits;
    one.el.classList.toggle('is-searched', Boolean(typed));
    done += here;
    stars += total;
    found += hits;
  }
  $('levels-told').textContent = typed ? `${plural(found, 'level')} found.` : done ? `You have solved ${plural(done, 'level')}, for ${plural(stars, 'star')}.` : '';
  $('levels-packs').hidden = Boolean(typed);
  $('levels-forget').hidden = !some();
  goOn(metric, done);
}

// goOn leads to the level that comes after the one that was solved last.
function goOn(metric, done) {
  const open = (level) => level && !earned(counted(level, metric));
  let at = solved().map((id) => find(file, id)).filter(Boolean).at(-1);
  let level = at ? at.level : packs[0].next?.level;
  while (level && !open(level)) {
    level = beside(file, at, 1);
    at = level && find(file, level.id);
  }
  level ??= packs.find(({ next }) => next)?.next.level;
  $('levels-on').hidden = !level;
  if (!level) return;
  $('levels-on').href = counted(level, metric).href;
  $('levels-on').textContent = done ? `Go on: ${level.title}` : `Begin: ${level.title}`;
}

// Rows begin with the level that comes next.
function turn() {
  for (const { list, next } of packs) if (next) list.scrollLeft = next.el.offsetLeft - list.offsetLeft - 60;
}

$('levels-metric').addEventListener('change', () => {
  const metric = $('levels-metric').value;
  history.replaceState(null, '', `${metric === USUAL ? location.pathname : `?metric=${metric}`}${location.hash}`);
  show();
});
$('levels-search').addEventListener('input', show);
forgetting($('levels-forget'), show);
$('levels-keep').hidden = !('serviceWorker' in navigator);
$('levels-keep').addEventListener('click', async () => {
  const all = globalThis.PAGODA_LARGE;
  $('levels-keep').disabled = true;
  try {
    await controlled();
    for (const [i, name] of all.entries()) {
      $('levels-kept').textContent = `${i} of ${all.length} files are kept…`;
      if (!(await fetch(name)).ok) throw new Error(name);
    }
    $('levels-kept').textContent = 'All is kept on this device: hints come without a network, too.';
  } catch {
    $('levels-kept').textContent = 'It cannot be loaded. Is there a network?';
    $('levels-keep').disabled = false;
  }
});
const seenOf = (all) => all.filter(({ el }) => !el.hidden);

let solutions = {};
// The solutions have the fewest moves of the usual metric.
cards($('levels-tools'), () => seenOf(packs).map(({ pack, cards: all }) => ({
  title: pack.title,
  solutions: $('levels-metric').value !== USUAL && pack.levels.some(({ lengths }) => lengths) ? `Solutions in moves: ${pack.title}` : `Solutions: ${pack.title}`,
  note: note(pack),
  levels: seenOf(all).map(({ level, par }) => sheet(file, pack, level, par.textContent, () => solutions[level.id])),
})), async () => { solutions = await load(globalThis.PAGODA_SOLUTIONS); });
addEventListener('pageshow', show); // also when one comes back from a level
show();
turn();

// An address can name a pack. Its place is known now.
const named = packs.find(({ pack }) => pack.id === location.hash.slice(1));
if (named) named.el.scrollIntoView();
document.body.classList.add('ready');
