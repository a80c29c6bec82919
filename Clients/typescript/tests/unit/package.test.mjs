// SPDX-License-Identifier: Apache-2.0
// The package: its files, its types, its sizes.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const root = new URL("../..", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const installed = (program) => existsSync(program) ? false : `${program} is not installed`;

test("no dependencies, no side effects, and each entry point exists with its types", () => {
  for (const name of ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"]) {
    assert.equal(manifest[name], undefined);
  }
  assert.equal(manifest.sideEffects, false);
  const paths = JSON.stringify(manifest.exports).match(/\.\/dist\/[^"]+/g);
  assert.ok(paths.length > 20);
  for (const path of [...paths, manifest.main, manifest.types]) {
    assert.ok(existsSync(join(root, path)), path);
  }
});

test("the declarations name no internal member", () => {
  const text = readFileSync(join(root, "dist/core/client.d.ts"), "utf8");
  assert.ok(text.includes("requireSession") && !text.includes("Context"));
  assert.ok(!readFileSync(join(root, "dist/core/session.d.ts"), "utf8").includes("isForced"));
});

const tsc = "/usr/bin/tsc";
const check = (name) => spawnSync(tsc, [
  "--noEmit", "--strict", "--target", "es2022", "--module", "node16", "--moduleResolution", "node16",
  "--lib", "es2022,dom,dom.iterable", join("tests/types", name),
], { cwd: root, encoding: "utf8" });

test("an app that uses each call compiles", { skip: installed(tsc) }, () => {
  const { status, stdout } = check("uses.mts");
  assert.equal(status, 0, stdout);
});

test("each wrong use is refused, and nothing else is", { skip: installed(tsc) }, () => {
  const { stdout } = check("wrong.mts");
  const lines = readFileSync(join(root, "tests/types/wrong.mts"), "utf8").split("\n");
  const wanted = lines.flatMap((line, index) => / \/\/ wrong$/.test(line) ? [index + 1] : []);
  const found = [...stdout.matchAll(/wrong\.mts\((\d+),/g)].map(([, line]) => Number(line));
  assert.deepEqual([...new Set(found)], wanted, stdout);
  assert.ok(wanted.length > 10);
});

/**
 * Bytes, gzipped. `core` is what a page loads that has an `IdentityClient`; `page` is what it loads
 * in addition when a person signs in on a page of the provider, `register` when this device is
 * registered. `pin` is for signing in with a PIN, `newPIN` for creating and changing one.
 */
const budgets = {
  core: 12_000, page: 2_000, register: 2_000, pin: 4_000, newPIN: 1_000, passkeys: 2_000,
  approvals: 2_000, evidence: 2_000, testing: 2_000, everything: 30_000,
};
const esbuild = "/usr/bin/esbuild";
const lazy = [
  "./registering.js", "./leaving.js", "./session-calls.js", "./provider-info.js", "./step-up.js",
  "./signing-in.js", "../core/leaving.js", "../pin/profile.js", "../pin/change.js",
  "../pin/registration.js", "../pin/policy.js", "../approvals/index.js", "../evidence/service.js",
];

test("sizes: bundled, minified, gzipped", { skip: installed(esbuild) }, () => {
  const gzipped = (input, external = []) => gzipSync(execFileSync(esbuild, [
    "--bundle", "--format=esm", "--minify", "--target=es2022", "--log-level=error",
    ...external.map((name) => `--external:${name}`),
  ], { cwd: root, input }), { level: 9 }).length;
  const app = 'import { IdentityClient } from "./dist/index.browser.js"; window.c = new IdentityClient({});';
  const core = gzipped(app, lazy);
  // What an import adds to a page that has the client.
  const added = (...names) => gzipped(
    app + names.map((name, index) => `import * as m${index} from "./dist/${name}.js"; window.m${index} = m${index};`).join(""),
    lazy) - core;
  const pin = added("pin/profile");
  const measured = {
    core, page: added("core/signing-in"), register: added("core/registering"), pin,
    newPIN: added("pin/profile", "pin/change", "pin/registration") - pin,
    passkeys: added("passkeys/index"), approvals: added("approvals/index"),
    evidence: added("evidence/index"), testing: added("testing/index"),
    everything: gzipped('export * from "./tests/support/everything.mjs";'),
  };
  console.log(`# sizes in bytes, gzipped: ${JSON.stringify(measured)}`);
  for (const [name, budget] of Object.entries(budgets)) {
    assert.ok(measured[name] <= budget, `${name}: ${measured[name]} of ${budget}`);
  }
});

test("a bundle of one import has nothing of the others", { skip: installed(esbuild) }, () => {
  const bundle = execFileSync(esbuild, [
    "--bundle", "--format=esm", "--minify", "--target=es2022", "--tree-shaking=true",
  ], { cwd: root, input: 'export { violation } from "./dist/pin/index.js";', encoding: "utf8" });
  assert.ok(bundle.length < 3000, `${bundle.length}`);
});

const npm = "/usr/bin/npm";
test("npm pack needs no registry", { skip: installed(npm) }, () => {
  const output = execFileSync(npm, ["pack", "--dry-run", "--json", "--offline", "--ignore-scripts"],
    { cwd: root, encoding: "utf8" });
  const [{ files, name }] = JSON.parse(output);
  assert.equal(name, manifest.name);
  const names = files.map(({ path }) => path);
  assert.ok(names.includes("dist/index.browser.js") && names.includes("README.md"));
  assert.ok(!names.some((path) => /^(source|tests)\//.test(path)));
});
