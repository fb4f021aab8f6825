// The service worker: after the first visit, the site works without a network. Its files are known by
// their names, which change with their content; VERSION, FILES, BOARDS and LARGE come from the build. FILES are kept at once,
// with the boards that the file BOARDS has, and LARGE ones when a page asks for them: an engine is for one family of puzzles, a
// table for one language.

addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES);
    const { body } = await cache.match(BOARDS);
    const boards = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).json();
    await Promise.all(Object.entries(boards).map(([name, board]) => cache.put(`boards/${name}.json`, Response.json(board))));
    for (const name of LARGE) { // those of the version before, if they are still the same
      const kept = await caches.match(name);
      if (kept) await cache.put(name, kept);
    }
    await skipWaiting();
  })());
});

addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('pagoda-') && name !== VERSION) await caches.delete(name);
    }
    await clients.claim();
  })());
});

// Pages and boards are asked for anew, so that an update is seen, and kept. Without a network it is the one kept.
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const page = request.mode === 'navigate';
    const anew = page || request.url.startsWith(new URL('boards/', registration.scope).href);
    const kept = await caches.match(request, { ignoreSearch: page });
    if (kept && !anew) return kept;
    try {
      const response = await fetch(request);
      const keep = anew || LARGE.some((name) => request.url === new URL(name, registration.scope).href);
      if (keep && response.ok) await (await caches.open(VERSION)).put(request.url.replace(/[?#].*/, ''), response.clone());
      return response;
    } catch (err) {
      if (kept) return kept;
      if (page) return Response.redirect(new URL('offline.html', registration.scope));
      throw err;
    }
  })());
});
