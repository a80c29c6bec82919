// SPDX-License-Identifier: Apache-2.0
// A site whose pages have the package, under a strict content security policy.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const root = new URL("../..", import.meta.url).pathname;

/** @param service answers requests to `/api`. */
export async function site(issuer, service = () => ({ status: 200 })) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    if (url.pathname.startsWith("/api")) {
      const { status, headers = {}, body = "" } = service(request);
      response.writeHead(status, { "Access-Control-Allow-Origin": "*", ...headers });
      response.end(body);
      return;
    }
    const isScript = /^\/dist\/[\w./-]+\.js$/.test(url.pathname) && !url.pathname.includes("..");
    const headers = {
      "Content-Type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src 'self'; connect-src 'self' ${issuer}; `
        + "require-trusted-types-for 'script'; trusted-types 'none'",
      "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*",
    };
    try {
      const body = isScript ? await readFile(root + url.pathname.slice(1))
        : "<!doctype html><title>Notes</title><main>Notes</main>";
      response.writeHead(200, headers);
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((done) => { server.listen(0, "127.0.0.1", done); });
  const origin = `http://localhost:${server.address().port}`;
  return { origin, stop: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }) };
}
