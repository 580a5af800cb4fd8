// All files of one version, from the device once they were fetched.
const version = "VERSION";
const files = ["FILES"];

self.addEventListener("install", (event) => event.waitUntil(caches.open(version).then((cache) => cache.addAll(files))));
self.addEventListener("activate", (event) =>
  event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name !== version).map((name) => caches.delete(name)))).then(() => self.clients.claim())),
);
self.addEventListener("message", ({ data }) => data === "now" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true, ignoreVary: true }).then((kept) => kept ?? fetch(event.request)));
});
