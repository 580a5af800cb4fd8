// Use of the page without a network.
import * as carrier from "#carrier";
import { button, h } from "./dom";

/** Registers the service worker; a new version waits until the page is opened anew. */
export function offline(): void {
  if (!carrier.isServed || !("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register("./sw.js").then(
    (found) => {
      found.addEventListener("updatefound", () => {
        const coming = found.installing;
        coming?.addEventListener("statechange", () => {
          if (coming.state !== "installed" || !navigator.serviceWorker.controller) return;
          document.getElementById("page")!.prepend(
            h(
              "p",
              { class: "notice", role: "status" },
              "A new version is there. ",
              button("Use it", () => {
                coming.postMessage("now");
                navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
              }),
            ),
          );
        });
      });
    },
    () => undefined,
  );
}
