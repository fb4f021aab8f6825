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

// The page itself is asked for anew, so that an update is seen; without a network it is the one kept.
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const kept = () => caches.match(request, { ignoreSearch: request.mode === 'navigate' });
    if (request.mode !== 'navigate') return await kept() ?? fetch(request);
    try {
      return await fetch(request);
    } catch (err) {
      const page = await kept() ?? await caches.match('./');
      if (page) return page;
      throw err;
    }
  })());
});
