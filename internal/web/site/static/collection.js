// The list of the collection: a heading sorts it, and words and a kind pick from it. The address says what is
// shown: ?q=words&kind=…&sort=moves, or sort=-moves for the greatest first.

const table = document.getElementById('list');
const body = table.tBodies[0];
const search = document.getElementById('search');
const kind = document.getElementById('kind');
const heads = [...table.tHead.rows[0].cells];
let sorted = ''; // as in the address

const value = (row, column) => {
  const cell = row.cells[column];
  if (cell.dataset.value === undefined) return cell.textContent.toLowerCase();
  return cell.dataset.value === '' ? null : BigInt(cell.dataset.value);
};

// sort sorts the rows by a column, and reports whether there is one of this name.
function sort(name) {
  const up = !name.startsWith('-');
  const column = heads.findIndex((th) => th.dataset.name === name.replace(/^-/, ''));
  if (column < 0) return false;
  heads.forEach((th) => th.removeAttribute('aria-sort'));
  heads[column].setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const rows = [...body.rows].map((row) => [value(row, column), row]);
  rows.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null); // what is not known comes last
    return (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1);
  });
  body.append(...rows.map(([, row]) => row));
  sorted = name;
  return true;
}

// pick hides the rows that are not wanted, and says how many are left.
function pick() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const row of body.rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = kind.value !== '' && row.cells[1].textContent !== kind.value || !words.every((word) => text.includes(word));
    if (!row.hidden) found++;
  }
  const told = words.length || kind.value ? `${found} of ${body.rows.length} found` : `${found} puzzles`;
  if (document.getElementById('found').textContent !== told) document.getElementById('found').textContent = told;
}

let pending = 0;
function save() {
  clearTimeout(pending);
  pending = setTimeout(() => {
    const params = new URLSearchParams();
    if (search.value.trim()) params.set('q', search.value.trim());
    if (kind.value) params.set('kind', kind.value);
    if (sorted) params.set('sort', sorted);
    const text = params.toString();
    history.replaceState(null, '', text ? `?${text}` : location.pathname);
  }, 150);
}

for (const th of heads) {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(...th.childNodes);
  th.append(button);
  button.addEventListener('click', () => {
    sort(sorted === th.dataset.name ? `-${th.dataset.name}` : th.dataset.name);
    save();
  });
}
for (const [el, name] of [[search, 'input'], [kind, 'change']]) {
  el.addEventListener(name, () => {
    pick();
    save();
  });
}
document.getElementById('pick').addEventListener('submit', (event) => event.preventDefault());

const params = new URLSearchParams(location.search);
search.value = params.get('q') ?? search.value; // which a browser may have kept
if ([...kind.options].some((o) => o.value === params.get('kind'))) kind.value = params.get('kind');
if (params.get('sort')) sort(params.get('sort'));
pick();
