// The service worker: after the first visit, the site works without a network. Its files are known by
// their names, which change with their content; FILES and VERSION come from the build.

addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES);
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

// A page is asked for anew, so that an update is seen, and kept. Without a network it is the one kept.
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const page = request.mode === 'navigate';
    const kept = await caches.match(request, { ignoreSearch: page });
    if (kept && !page) return kept;
    try {
      const response = await fetch(request);
      if (page && response.ok && !kept) await (await caches.open(VERSION)).put(request.url.replace(/[?#].*/, ''), response.clone());
      return response;
    } catch (err) {
      if (kept) return kept;
      throw err;
    }
  })());
});
