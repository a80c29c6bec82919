// SPDX-License-Identifier: Apache-2.0
// The package: its files, its types, its sizes.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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

/** Kilobytes of 1,000 bytes, gzipped (docs of issue 19). */
const budgets = { core: 12, pin: 4, passkeys: 2, approvals: 2, evidence: 2, testing: 2, everything: 30 };
const esbuild = "/usr/bin/esbuild";

test("sizes: bundled, minified, gzipped", { skip: installed(esbuild) }, () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-bundles-"));
  try {
    const build = (...words) => execFileSync(esbuild, [
      "--bundle", "--format=esm", "--minify", "--target=es2022", "--log-level=error", ...words,
    ], { cwd: root });
    const points = ["pin", "passkeys", "approvals", "evidence", "testing"];
    build("--splitting", `--outdir=${folder}`, "dist/index.browser.js",
      ...points.map((name) => `dist/${name}/index.js`));
    const size = (path) => gzipSync(readFileSync(path), { level: 9 }).length;
    const imports = (path, found = new Set()) => {
      if (found.has(path)) return found;
      found.add(path);
      for (const [, name] of readFileSync(path, "utf8").matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
        imports(join(path, "..", name), found);
      }
      return found;
    };
    const core = imports(join(folder, "index.browser.js"));
    const sum = (paths) => [...paths].reduce((total, path) => total + size(path), 0);
    const measured = { core: sum(core) };
    for (const name of points) {
      const own = [...imports(join(folder, name, "index.js"))].filter((path) => !core.has(path));
      measured[name] = sum(own);
    }
    build(`--outfile=${join(folder, "everything.js")}`, "tests/support/everything.mjs");
    measured.everything = size(join(folder, "everything.js"));
    console.log(`# sizes in bytes, gzipped: ${JSON.stringify(measured)}`);
    for (const [name, budget] of Object.entries(budgets)) {
      assert.ok(measured[name] <= budget * 1000, `${name}: ${measured[name]} of ${budget * 1000}`);
    }
    assert.ok(readdirSync(folder).length > 3);
  } finally { rmSync(folder, { recursive: true }); }
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
