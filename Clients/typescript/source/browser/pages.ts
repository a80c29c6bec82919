// SPDX-License-Identifier: Apache-2.0
// How a page presents pages of the provider.
import { misconfigured, cancelled } from "../core/errors.js";
import type { Browser, BrowserOptions } from "../core/seams.js";

function required({ redirectURI }: BrowserOptions): string {
  if (redirectURI !== undefined) return redirectURI;
  throw misconfigured("redirectURI is missing");
}

/** Leaves this page. The page at the redirect URI calls `completeRedirect`. */
export const redirect = (): Browser => ({
  callback(page, _accepts, options) {
    location.assign(page(required(options)));
    return new Promise(() => {});
  },
});

/** Tabs of one redirect URI. The opener is not used: the provider's pages are isolated from it. */
const channelOf = (redirectURI: string): BroadcastChannel =>
  new BroadcastChannel(`gatehouse popup ${redirectURI}`);

/** How long a window waits for the tab that opened it, in milliseconds. */
const patience = 1000;

/**
 * Opens a window and stays in this page. Call it in a click. The page at the redirect URI calls
 * `completeRedirect` with a client that has `popup()` as well; it closes its window.
 */
export const popup = ({ width = 480, height = 720 } = {}): Browser => ({
  callback(page, accepts, options) {
    const redirectURI = required(options);
    const features = `popup,width=${width},height=${height}`;
    if (window.open(page(redirectURI), "_blank", features) === null) {
      return Promise.reject(cancelled("the browser blocked the window: call it in a click"));
    }
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const channel = channelOf(redirectURI);
      const end = () => { channel.close(); signal?.removeEventListener("abort", abort); };
      const abort = () => { end(); reject(cancelled("aborted")); };
      signal?.addEventListener("abort", abort);
      channel.onmessage = ({ data }) => {
        if (typeof data !== "string" || !accepts(data)) return;
        channel.postMessage({ received: data });
        end();
        resolve(data);
      };
    });
  },

  deliver(url) {
    const channel = channelOf(url.replace(/[?#].*$/, ""));
    return new Promise((resolve) => {
      const end = (isReceived: boolean) => {
        clearTimeout(timer);
        channel.close();
        resolve(isReceived);
        if (isReceived) window.close();
      };
      const timer = setTimeout(() => end(false), patience);
      channel.onmessage = ({ data }) => { if (data?.received === url) end(true); };
      channel.postMessage(url);
    });
  },
});
