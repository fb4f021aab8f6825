// What the puzzle of the address needs is asked for at once, beside the page's own files: the scripts of its view, and its
// board, or the letters of the font. This stands in the page itself. It leaves to home.js what it knows, and
// by the names of files the responses.

const { font, letters, views, metrics, ...needs } = globalThis.PAGODA_NEEDS;
const boards = new Set(needs.boards.split(' '));
const files = new Map();
const ending = new RegExp(`@(${metrics})$`);
globalThis.PAGODA_AHEAD = { font, ending, boards, files };
const params = new URLSearchParams(location.search);
const name = (params.get('space') ?? '').replace(ending, '');
const drawn = params.has('drawn');
const home = !drawn && (!name || name === font);
const file = home ? letters : !drawn && boards.has(name) ? `boards/${name.replace(/[/:]/g, '-')}.json` : null;
if (file) {
  const response = fetch(file);
  response.catch(() => {}); // who takes it is told
  files.set(file, response);
}
const view = home ? 'word' : name.split('/')[0];
for (const href of Object.hasOwn(views, view) ? views[view] : []) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
