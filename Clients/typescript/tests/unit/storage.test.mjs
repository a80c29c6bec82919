// SPDX-License-Identifier: Apache-2.0
// The kit that each storage, its keys and its locks satisfy.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { webcrypto } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { files } from "../../dist/index.node.js";
import { memoryServices } from "../../dist/testing/index.js";

async function inDirectory(body) {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-files-"));
  try { return await body(join(directory, "state")); } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const platforms = {
  memory: (body) => body(memoryServices(webcrypto)),
  files: (body) => inDirectory((directory) => body(files({ directory }))),
};

for (const [name, platform] of Object.entries(platforms)) {
  test(`${name}: records`, () => platform(async ({ storage }) => {
    assert.equal(await storage.read("a"), undefined);
    await storage.write({ "p/1": "x", "p/2": "y", q: "ü" });
    await storage.write({ "p/1": null, "p/3": "z" });
    assert.deepEqual(await storage.names("p/"), ["p/2", "p/3"]);
    assert.deepEqual(await storage.names(""), ["p/2", "p/3", "q"]);
    assert.equal(await storage.read("q"), "ü");
    const taken = await Promise.all([storage.take("q"), storage.take("q")]);
    assert.deepEqual(taken.sort(), ["ü", undefined]);
  }));

  test(`${name}: keys sign, seal and open; removed keys do not exist`, () => platform(async ({ keys }) => {
    const { jwk } = await keys.make("k");
    const key = await keys.find("k");
    assert.deepEqual(key.jwk, jwk);
    assert.deepEqual(Object.keys(jwk), ["crv", "kty", "x", "y"]);
    const message = new TextEncoder().encode("message");
    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const publicKey = await webcrypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    assert.ok(await webcrypto.subtle.verify(algorithm, publicKey, await key.sign(message), message));
    const sealed = await key.seal(message, message);
    assert.deepEqual(await key.open(sealed, message), message);
    await assert.rejects(key.open(sealed, sealed));
    await keys.remove("k");
    assert.equal(await keys.find("k"), undefined);
    await keys.make("l");
    await keys.clear();
    assert.equal(await keys.find("l"), undefined);
  }));

  test(`${name}: a lock has one holder; who waits can give up`, () => platform(async ({ locks }) => {
    let [holders, greatest] = [0, 0];
    const hold = () => locks.with("a", undefined, async () => {
      holders += 1;
      greatest = Math.max(greatest, holders);
      await new Promise((done) => { setTimeout(done, 3); });
      holders -= 1;
    });
    await Promise.all([hold(), hold(), hold(), locks.with("b", undefined, async () => {})]);
    assert.equal(greatest, 1);
    await assert.rejects(locks.with("a", undefined, async () => { throw new Error("x"); }), /x/);
    const controller = new AbortController();
    const end = [];
    const held = locks.with("a", undefined, () => new Promise((done) => { end.push(done); }));
    const waits = locks.with("a", controller.signal, async () => "never");
    controller.abort();
    setTimeout(() => end.forEach((done) => done()), 30);
    await assert.rejects(waits, { name: "AbortError" });
    await held;
  }));
}

test("files: sealed, private, and useless without the key", () => inDirectory(async (directory) => {
  const { storage, keys } = files({ directory });
  await storage.write({ secret: "the-refresh-token" });
  await keys.make("k");
  for (const name of ["state", "sealing-key"]) {
    assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600);
  }
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
  const content = await readFile(join(directory, "state"));
  assert.ok(!content.includes("the-refresh-token") && !content.includes("secret"));
  const other = files({ directory, sealingKey: new Uint8Array(32) });
  await assert.rejects(other.storage.read("secret"), { code: "storageUnavailable" });
  content[20] ^= 1;
  await writeFile(join(directory, "state"), content);
  await assert.rejects(files({ directory }).storage.read("secret"), { kind: "storage" });
}));

const child = (script, ...words) => new Promise((resolve, reject) => {
  const program = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...words],
    { stdio: ["ignore", "pipe", "inherit"], cwd: new URL("../..", import.meta.url).pathname });
  let text = "";
  program.stdout.on("data", (part) => { text += part; });
  program.on("exit", (code) => { if (code === 0) resolve(text); else reject(new Error(`${code} ${text}`)); });
});

const increments = `
  const { files } = await import("./dist/index.node.js");
  const { storage, locks } = files({ directory: process.argv[1] });
  for (let count = 0; count < 20; count += 1) {
    await locks.with("counter", undefined, async () => {
      await storage.write({ counter: String(Number(await storage.read("counter") ?? 0) + 1) });
    });
  }`;

test("files: processes share records and locks, and leave no lock", () => inDirectory(async (directory) => {
  await Promise.all([1, 2, 3].map(() => child(increments, directory)));
  assert.equal(await files({ directory }).storage.read("counter"), "60");
  assert.deepEqual((await readdir(directory)).sort(), ["sealing-key", "state"]);
}));

test("files: the lock of a process that was killed is free", () => inDirectory(async (directory) => {
  const { locks } = files({ directory });
  await child(`
    const { files } = await import("./dist/index.node.js");
    await files({ directory: process.argv[1] }).locks.with("a", undefined, async () => {
      process.exit(0);
    });`, directory);
  assert.equal((await readdir(directory)).filter((name) => name.endsWith(".lock")).length, 1);
  assert.equal(await locks.with("a", undefined, async () => "free"), "free");
}));
