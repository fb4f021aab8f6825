// The collection: words and a kind pick from it, and it has an order. The address says what is shown:
// ?q=words&kind=…&sort=moves, or sort=-moves for the greatest first. The pages of puzzles lead back to it.

import { $ } from '../../static/dom.js';
import { finder } from './find.js';

const list = $('list');
const search = $('search');
const kind = $('kind');
const order = $('order');
const texts = new Map([...order.options].filter((o) => o.dataset.text).map((o) => [o.value, o.dataset.text])); // that say numbers, by their names

const puzzles = [...list.children].map((el) => {
  const [link, play] = el.querySelectorAll('a');
  const values = el.dataset.values.split(' ');
  if (play) play.setAttribute('aria-label', `Play ${el.dataset.title}`);
  return {
    el,
    link,
    title: el.dataset.title, // the link may be in another language
    kind: el.dataset.kind,
    numbers: Object.fromEntries([...texts.keys()].map((name, i) => [name, values[i] && BigInt(values[i])])),
  };
});

// find is made when something is typed.
let find = null;
const ranks = (typed) => {
  find ??= finder(puzzles.map(({ el, title }) => [title, ...el.dataset.names.split('|')]));
  return find.rank(typed);
};

// compare returns how the chosen order has two puzzles. What is not known comes last.
function compare(a, b) {
  const name = order.value.replace('-', '');
  if (name === 'puzzle') return a.title.localeCompare(b.title, 'en', { numeric: true });
  const [x, y] = [a.numbers[name], b.numbers[name]];
  if (!texts.has(name) || x === y) return 0;
  if (!x || !y) return x ? -1 : 1;
  return (x < y) === order.value.startsWith('-') ? 1 : -1;
}

// result says how many puzzles have the name, and how many one that is like it.
function result(exact, like) {
  const some = exact === 1 ? '1 puzzle' : `${exact} puzzles`;
  if (exact && like) return like === 1 ? `${some}, and one with a similar name.` : `${some}, and ${like} with similar names.`;
  if (exact) return some;
  if (like) return like === 1 ? 'No puzzle has this name. One has a similar name.' : `No puzzle has this name. ${like} have similar names.`;
  return kind.value ? 'No puzzle of this kind has this name.' : 'No puzzle has this name.';
}

function show() {
  const typed = search.value.trim();
  const rank = typed ? ranks(typed) : [];
  const shown = puzzles.map((puzzle, i) => ({ puzzle, rank: rank[i] ?? 0 }))
    .filter((one) => one.rank < Infinity && (!kind.value || one.puzzle.kind === kind.value))
    .sort((a, b) => (a.rank >= 1) - (b.rank >= 1) || compare(a.puzzle, b.puzzle) || a.rank - b.rank);
  for (const { el } of puzzles) el.hidden = true;
  const name = order.value.replace('-', '');
  for (const { puzzle: { el, numbers } } of shown) {
    el.hidden = false;
    el.querySelector('.by')?.remove();
    if (texts.has(name) && !['moves', 'states'].includes(name) && numbers[name]) { // those are there already
      const by = document.createElement('p');
      by.className = 'by';
      by.textContent = texts.get(name).replace('#', numbers[name].toLocaleString('en', { useGrouping: name !== 'year' }));
      el.append(by);
    }
  }
  list.append(...shown.map(({ puzzle }) => puzzle.el));
  const exact = shown.filter((one) => one.rank < 1).length;
  const told = result(exact, shown.length - exact);
  if ($('found').textContent !== told) $('found').textContent = told;
  const near = typed && !shown.length ? puzzles[find.nearest(typed)] : null;
  $('near').hidden = !near;
  if (near) {
    $('near').href = near.link.href;
    $('near').textContent = `Look at ${near.title}`;
  }
  $('all').hidden = !typed && !kind.value;
}

let pending = 0;
function save() {
  clearTimeout(pending);
  pending = setTimeout(() => {
    const params = new URLSearchParams();
    if (search.value.trim()) params.set('q', search.value.trim());
    if (kind.value) params.set('kind', kind.value);
    if (order.value) params.set('sort', order.value);
    const query = params.size ? `?${params}` : '';
    history.replaceState(null, '', query || location.pathname);
    keep(query);
  }, 150);
}

// keep keeps what is shown, for the way back to it.
function keep(query) {
  try {
    sessionStorage.setItem('collection', query);
  } catch { /* the way back leads to all */ }
}

for (const [el, name] of [[search, 'input'], [kind, 'change'], [order, 'change']]) {
  el.addEventListener(name, () => {
    show();
    save();
  });
}
$('all').addEventListener('click', () => {
  search.value = kind.value = '';
  search.focus();
  show();
  save();
});
$('pick').addEventListener('submit', (event) => event.preventDefault());

const params = new URLSearchParams(location.search);
search.value = params.get('q') ?? search.value; // which a browser may have kept
if ([...kind.options].some((o) => o.value === params.get('kind'))) kind.value = params.get('kind');
if ([...order.options].some((o) => o.value === params.get('sort'))) order.value = params.get('sort');
keep(location.search);
if (search.value || kind.value || order.value) show();
