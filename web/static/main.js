// The page: which view is shown, its menu, its keys, its colours.

import { get } from './api.js';
import { $, isolate, make, plural } from './dom.js';
import { site } from './home.js';
import { kept, keep } from './kept.js';
import { offer, spoken } from './language.js';
import { chosen, paint, turn } from './theme.js';
import { known, state, read, save, go, flush, search, ignored } from './url.js';
import { fileView } from './about.js';

// load loads the script of a view, and of the others of its family: it exports views, a function that makes them, of which the
// first is shown first, and told, what the last line of the page says of a puzzle.
const load = (view) => import(`./view/${view}.js`);
let page = site?.page ?? null; // what plays the puzzle, see puzzle.Page

// lazily returns a view that is made when it is entered.
function lazily(make, fault) {
  let view = null;
  let inside = false;
  return {
    async enter(how) {
      inside = true;
      try {
        view ??= await make();
      } catch (err) {
        fault(err);
      }
      if (inside) view?.enter(how);
    },
    leave() {
      inside = false;
      view?.leave();
    },
    key: (event) => view?.key(event) ?? false,
    share: () => view?.share?.(),
  };
}

function fault(err) {
  $('fault').hidden = !err;
  $('fault').textContent = err ? err.message : '';
}

let toasted = 0;
function toast(text, time = 2600) {
  $('toast').textContent = text;
  $('toast').classList.add('up');
  clearTimeout(toasted);
  toasted = setTimeout(() => $('toast').classList.remove('up'), time);
}

// The menu. Play and Make lead to views that the family has, the others to the view of their name. On a site they lead to
// another page if this one has none.
const links = [...document.querySelectorAll('#menu [data-view]')];
const viewsOf = (a) => ({ play: [page?.view ?? 'play'], make: [page?.edit, page?.draw] })[a.dataset.view] ?? [a.dataset.view];
const [playLink, makeLink] = ['play', 'make'].map((name) => links.find((a) => a.dataset.view === name));

// leads returns the view of this page to which a link leads, if any. From a word, Play leads to the puzzle that was played
// last on this device, which may be on another page. A site has a page of what one can make.
function leads(a, views) {
  if (site && a === makeLink) return undefined;
  const away = a === playLink && site?.home && ['word', 'file'].includes(state.view) && new URLSearchParams(kept('last')).has('space');
  return away ? undefined : viewsOf(a).find((view) => views[view]);
}

function menu(current, views = {}) {
  for (const a of links) {
    if (viewsOf(a).includes(current)) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
    const view = leads(a, views);
    if (view) a.href = search({ ...state, view });
    else if (a === playLink) a.search = kept('last') || a.search;
    const item = a.closest('li');
    if (item) item.hidden = !view && !site;
  }
}

// entitle puts the title of the puzzle above each game, with links to its page in the collection, and to where it is changed.
// Beside the game, it lists the keys of its buttons.
function entitle(space, title, views) {
  const [change, told] = views[page?.edit] ? [page.edit, 'Change this puzzle'] : [page?.draw, 'Draw a pattern'];
  for (const view of viewsOf(playLink)) {
    if (!views[view]) continue;
    for (const button of document.querySelectorAll(`#${view} :is(.actions, .lost) > button[title]`)) { // a title begins with its key
      document.querySelector(`#${view} .keys dl`).append(make('div', {}, make('dt', {}, make('kbd', {}, button.title[0])), make('dd', {}, button.textContent)));
    }
    const more = [];
    if (space.about) more.push(make('a', { href: space.about, title: 'About this puzzle' }, space.by ? make('span', { translate: 'no' }, space.by) : 'About this puzzle'));
    if (views[change]) more.push(make('a', { 'data-view': change }, told));
    links.push(...more.filter((a) => a.dataset.view));
    document.querySelector(`#${view} .game`).prepend(make('header', { class: 'title' }, make('h1', {}, make('bdi', {}, title)), make('p', { class: 'small' }, ...more)));
  }
}

// keepLast keeps which puzzle is played, and how far it has come.
function keepLast() {
  if (site && viewsOf(playLink).includes(state.view)) keep('last', search());
}

// likely shows the section of a view while the puzzle is not known yet.
function likely() {
  read();
  paint(state.theme);
  const view = state.view || site?.view || page?.view;
  if (site) menu(view || 'play');
  const section = document.querySelector(`.view[id="${view}"]`);
  if (section) section.hidden = false;
  if (page) load(page.view).catch(() => {}); // beside the board; a fault is found when it is needed
}

async function begin() {
  let space = null;
  let script = null;
  let failed = null;
  const tools = { fault, toast, show: (changes) => show(changes), lazily: (make) => lazily(make, fault) };
  let views = {};
  offer();
  likely();
  const late = setTimeout(() => { $('loading').hidden = false; }, 500);
  if (site) site.fault = fault;
  try {
    space = tools.space = await get('api/space');
    // Results and places are kept by this name. A drawing has none of its own.
    space.kept = space.space.includes('/') ? space.space : `${space.space} ${space.start || space.board?.start}`.replaceAll('/', '|');
    page = space.board && space.page;
    script = page && await load(page.view);
    const called = space.title || (state.drawn ? 'A puzzle of your own' : page?.title ?? space.space);
    tools.title = called.replace(/^./u, (first) => first.toUpperCase());
    views = { ...await script?.views(tools) };
    entitle(space, tools.title, views);
  } catch (err) {
    failed = err; // the page says what it is, and what else there is
  }
  clearTimeout(late);
  $('loading').hidden = true;
  if (failed && site && failed.kind !== 'stopped') { // the page says why
    const links = Object.entries({ levels: 'Levels', collection: 'Collection', make: 'Make your own' }).map(([page, text]) => make('a', { class: 'button', href: `./${page}.html` }, text));
    $('main').append(make('section', { id: 'nowhere', class: 'view', 'aria-label': 'No such puzzle', hidden: '' }, make('h1', {}, 'This puzzle cannot be shown here'), make('p', { class: 'group' }, ...links)));
    views.nowhere = { enter() { document.title = 'No such puzzle – Pagoda'; } };
  }
  views.file = fileView(tools);
  const [first] = Object.keys(views);
  about(space, script);

  // shared is what can be shared of the view that is shown, see share.js.
  const shared = () => ({
    title: document.title.replace(/ – Pagoda$/, '').replace(/^(Play|玩) ?/, '') || space?.space,
    source: document.querySelector(`#${state.view} .level-line:not([hidden]) a:not(.level-step)`)?.textContent,
    name: (space?.space ?? 'pagoda').replace(/[^\w]+/g, '-'),
    ...current.share?.(),
  });
  let current = null;
  for (const section of document.querySelectorAll('.view')) { // each view has a heading, seen or not
    if (!section.querySelector('h1')) section.prepend(make('h1', { class: 'hidden' }, section.getAttribute('aria-label')));
    section.querySelector('h1').tabIndex = -1;
  }

  function show(changes = null, { isFirst = false } = {}) {
    keepLast();
    if (changes) go(changes);
    else read();
    if (!views[state.view]) state.view = first;
    if (current && current !== views[state.view]) current.leave?.();
    current = views[state.view];
    menu(state.view, views);
    const lost = changes || document.activeElement?.closest('.view')?.id !== state.view && document.activeElement?.closest('.view'); // the focus
    for (const section of document.querySelectorAll('.view')) section.hidden = section.id !== state.view;
    if (lost) document.querySelector(`#${state.view} h1`).focus({ preventScroll: true });
    if (changes) scrollTo(0, 0);
    paint(state.theme);
    fault(null);
    current.enter({ first: isFirst });
    if (!changes && !failed) save(); // drops what is not valid
  }

  for (const a of links) {
    a.addEventListener('click', (event) => {
      const view = leads(a, views);
      if (!view || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      $('menu').hidePopover();
      if (view !== state.view) show({ view, step: null });
    });
  }
  document.querySelector('.skip').addEventListener('click', (event) => { // without a change of the address
    event.preventDefault();
    $('main').focus();
  });
  document.addEventListener('click', async (event) => {
    if (!event.target.closest('.share')) return;
    try {
      (await import('./share.js')).open(shared());
    } catch (err) {
      fault(err);
    }
  });
  addEventListener('popstate', () => show());
  addEventListener('pagehide', () => {
    flush();
    keepLast();
  });
  // A game takes the height that the head of the page leaves.
  const head = document.querySelector('.top');
  new ResizeObserver(() => document.documentElement.style.setProperty('--head', `${head.offsetHeight}px`)).observe(head);
  const recolour = (theme) => {
    known.theme[0] = theme;
    save({ theme });
  };
  $('theme').addEventListener('click', () => recolour(turn()));
  addEventListener('pageshow', (event) => { // another page may have chosen colours meanwhile
    if (!event.persisted) return;
    paint(chosen());
    recolour(chosen());
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const el = event.target;
    if (el.closest('input[type=text], textarea, select, input[type=range], input[type=radio], dialog')) return;
    if (event.key === ' ' && el.closest('button, a, input, summary, [role=button]')) return;
    if (current.key?.(event)) event.preventDefault();
  });
  const odd = ignored();
  await spoken;
  show(null, { isFirst: true });
  if (odd.length) toast(`This page does not understand ${odd.slice(0, 3).map((name) => `“${isolate(name.slice(0, 20))}”`).join(', ')} in its address, and ignores it.`, 8000);
  if (failed) fault(failed);
  document.body.classList.add('ready');
  if (failed) site?.watch((work) => { if (work.at === 'computed') location.reload(); }); // begun again, in How it works
  else site?.begin();
  (globalThis.requestIdleCallback ?? setTimeout)(async () => (await import('./print.js')).watch(shared)); // for the day that one prints
  if (space && space.states === undefined) { // the board came before the engine
    site.whole().then((whole) => {
      about(whole, script);
      for (const view of Object.values(views)) view.computed?.(whole);
    }, () => {});
  }
}

// about says in the last line of the page what the puzzle is.
function about(space, script) {
  if (!space) return;
  const told = script?.told(space) ?? 'This page cannot play or draw this puzzle.';
  const name = make('bdi', { translate: 'no' }, space.space);
  if (space.states === undefined) $('about-line').replaceChildren(name, `. ${told}`);
  else {
    $('about-line').replaceChildren(name, `: ${plural(space.states, 'position')}, all that can be reached`,
      ...(site ? [] : [', from ', make('bdi', { translate: 'no' }, space.file)]), `. ${told}`);
  }
}

begin();
