// SPDX-License-Identifier: Apache-2.0
// Processes that share one directory, against a real provider.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { files, IdentityClient, loopback } from "../../dist/index.node.js";
import { Person } from "../support/person.mjs";
import { app, needsProvider, person, Provider } from "../support/provider.mjs";

let provider, directory;
before(async () => {
  if (needsProvider) return;
  directory = await mkdtemp(join(tmpdir(), "gatehouse-processes-"));
  provider = await Provider.start({
    clients: [app(["http://127.0.0.1/callback"])], users: [person("anna")],
  });
});
after(async () => {
  await provider?.stop();
  if (directory) await rm(directory, { recursive: true });
});

const program = `
  const { files, IdentityClient } = await import("./dist/index.node.js");
  const [issuer, directory] = process.argv.slice(1);
  let asked = 0;
  const client = new IdentityClient({ issuer, clientID: "notes", services: {
    ...files({ directory }),
    fetch: (input, init) => { if (String(input).endsWith("/token")) asked += 1; return fetch(input, init); },
    browser: { callback: async () => { throw new Error("a page"); } },
  } });
  const session = await client.requireSession();
  const tokens = session.tokens;
  await new Promise((done) => process.stdin.once("data", done));
  await session.refresh();
  const { value } = await session.accessToken();
  console.log(JSON.stringify({ asked, value, name: session.profile.name, generation: session.tokens.generation - tokens.generation }));
  process.exit(0);`;

function child(folder) {
  const process_ = spawn(process.execPath, [
    "--input-type=module", "-e", program, "--", provider.issuer, folder,
  ], { stdio: ["pipe", "pipe", "inherit"], cwd: new URL("../..", import.meta.url).pathname });
  let text = "";
  process_.stdout.on("data", (part) => { text += part; });
  const end = new Promise((resolve, reject) => {
    process_.on("exit", (code) => {
      if (code === 0) resolve(JSON.parse(text)); else reject(new Error(`${code} ${text}`));
    });
  });
  return { go: () => process_.stdin.write("go"), end };
}

test("UserSessionTests.acrossProcesses: one renewal of several processes, all have its token",
  { skip: needsProvider }, async () => {
    const client = new IdentityClient({
      issuer: provider.issuer, clientID: "notes", services: {
        ...files({ directory }),
        browser: loopback({ open: async (url) => { await fetch(await new Person("anna").follow(url)); } }),
      },
    });
    await client.requireSession();
    const children = [1, 2, 3].map(() => child(directory));
    // All of them have read the session before one renews it.
    await new Promise((done) => { setTimeout(done, 1500); });
    for (const { go } of children) go();
    const results = await Promise.all(children.map(({ end }) => end));
    assert.equal(results.reduce((sum, { asked }) => sum + asked, 0), 1);
    assert.equal(new Set(results.map(({ value }) => value)).size, 1);
    assert.ok(results.every(({ name }) => name === "anna"));
    // A process that starts later has the session and asks for nothing.
    const later = new IdentityClient({
      issuer: provider.issuer, clientID: "notes", services: { ...files({ directory }),
        fetch: async () => { throw new TypeError("no network"); } },
    });
    const session = await later.requireSession();
    assert.equal((await session.accessToken()).value, results[0].value);
  });
