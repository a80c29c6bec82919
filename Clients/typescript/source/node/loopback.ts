// SPDX-License-Identifier: Apache-2.0
// The person's browser, whose response comes to a port of this device (RFC 8252 section 7.3).
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { platform } from "node:os";
import { cancelled } from "../core/errors.js";
import type { Browser } from "../core/seams.js";

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a URL with the program of the desktop, and prints it for people without one. */
function openURL(url: string): void {
  console.error(`Continue in the browser: ${url}`);
  const [program = "xdg-open", ...words] = openers[platform()] ?? [];
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

const page = "<!doctype html><meta charset=utf-8><title>Done</title>"
  + "<p>You can close this window. <span lang=de>Sie können dieses Fenster schließen.</span>";

const headers = {
  "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'",
  "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", Connection: "close",
};

/**
 * The client needs the redirect URI `http://127.0.0.1/callback`; the provider accepts it with any
 * port. `open` presents a URL; the default starts the browser of the desktop.
 */
export const loopback = ({ open = openURL, path = "/callback" }: {
  open?: (url: string) => unknown; path?: string;
} = {}): Browser => ({
  callback: (page_, accepts, { signal }) => new Promise((resolve, reject) => {
    let address = "";
    const end = () => {
      server.close();
      server.closeIdleConnections?.();
      signal?.removeEventListener("abort", abort);
    };
    const abort = () => { end(); reject(cancelled("aborted")); };
    const fail = (error: unknown) => { end(); reject(error); };
    const server = createServer((request, response) => {
      const url = `${address}${request.url ?? ""}`;
      const isResponse = (request.url ?? "").split("?")[0] === path && accepts(url);
      response.writeHead(isResponse ? 200 : 404, headers);
      response.end(isResponse ? page : "");
      if (isResponse) { end(); resolve(url); }
    });
    server.on("error", fail);
    if (signal?.aborted) { reject(cancelled("aborted")); return; }
    signal?.addEventListener("abort", abort);
    server.listen(0, "127.0.0.1", () => {
      address = `http://127.0.0.1:${server.address().port}`;
      Promise.resolve().then(() => open(page_(`${address}${path}`))).catch(fail);
    });
  }),
});
