// Serves all files of one version from the device once they have been fetched.
// Other pages of the host have caches of their own.
const ours = `lowcrawl ${self.registration.scope} `;
const version = `${ours}VERSION`;
const files = ["FILES"];

self.addEventListener("install", (event) =>
  event.waitUntil(
    caches
      .open(version)
      .then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: "reload" })))),
  ),
);
self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((all) =>
        Promise.all(
          all.filter((name) => name.startsWith(ours) && name !== version).map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  ),
);
self.addEventListener("message", ({ data }) => data === "now" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches
      .open(version)
      .then((cache) => cache.match(event.request, { ignoreSearch: true, ignoreVary: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
