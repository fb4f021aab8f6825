// The service worker, which keeps what plays without a network.

// controlled returns when the service worker answers the requests of this page.
export async function controlled() {
  const workers = navigator.serviceWorker;
  await workers.register('sw.js');
  await workers.ready;
  if (!workers.controller) await new Promise((done) => { workers.addEventListener('controllerchange', done, { once: true }); });
}
