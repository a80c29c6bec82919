// SPDX-License-Identifier: Apache-2.0
// A provider that a test starts on loopback: the built command, a data directory, a port.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = new URL("../../../../", import.meta.url).pathname;
export const program = process.env.GATEHOUSE ?? join(root, ".build/debug/gatehouse");

/** Why a test that needs the provider is skipped; `false` if it is not. */
export const needsProvider = existsSync(program) ? false : `there is no ${program}`;

export const password = "correct horse battery staple";

export const person = (username) => ({
  username, name: username[0].toUpperCase() + username.slice(1), password,
  email: `${username}@example.com`, email_verified: true,
});

export const app = (redirectURIs, more = {}) => ({
  client_id: "notes", client_name: "Notes", token_endpoint_auth_method: "none",
  first_party: true,
  grant_types: [
    "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "urn:ietf:params:oauth:grant-type:token-exchange", "urn:gatehouse:grant-type:passkey",
  ],
  redirect_uris: redirectURIs, post_logout_redirect_uris: redirectURIs,
  exchange_audiences: ["ledger"], scope: "openid profile offline_access registration weather",
  ...more,
});

export async function freePort() {
  const server = createServer();
  await new Promise((done) => { server.listen(0, "127.0.0.1", done); });
  const { port } = server.address();
  await new Promise((done) => { server.close(done); });
  return port;
}

export async function until(what, body, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await body();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

export class Provider {
  static async start(project = {}) {
    const provider = new Provider();
    provider.directory = await mkdtemp(join(tmpdir(), "gatehouse-ts-"));
    provider.data = join(provider.directory, "data");
    provider.port = await freePort();
    provider.issuer = `http://localhost:${provider.port}`;
    let output = "";
    const child = spawn(program, [
      "serve", "--data-dir", provider.data, "--listen", `127.0.0.1:${provider.port}`,
      "--issuer", provider.issuer,
    ], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text) => { output = (output + text).slice(-4000); });
    }
    provider.child = child;
    provider.ended = new Promise((done) => { child.on("exit", done); });
    await until("the provider is ready", async () => {
      if (child.exitCode !== null) throw new Error(`the provider ended: ${output}`);
      try {
        return (await fetch(`http://127.0.0.1:${provider.port}/health/ready`)).ok;
      } catch { return false; }
    });
    await provider.apply(project);
    return provider;
  }

  async command(...words) {
    const { stdout } = await promisify(execFile)(program, [...words, "--data-dir", this.data]);
    return stdout;
  }

  /** Declarative state: JSON is YAML. */
  async apply({ registration = {}, clients = [], users = [], ...more }) {
    const methods = ["oidc", "signedJWT", "testKey", "customOneStep", "customTwoStep"];
    const project = {
      name: "default", environment: "development", registration: { methods, ...registration },
      clients, users, ...more,
    };
    const file = join(this.directory, "state.yaml");
    await writeFile(file, JSON.stringify({ projects: [project] }));
    await this.command("apply", file);
  }

  /** A new test registration key. */
  async testKey(name, ...words) {
    const file = join(this.directory, `${name}.pem`);
    const text = await this.command(
      "admin", "test-keys", "create", "--name", name, "--owner", "olga", "--key-file", file,
      "--json", ...words);
    return { keyID: JSON.parse(text).key_id, privateKey: await readFile(file, "utf8") };
  }

  async stop() {
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 10_000);
    await this.ended;
    clearTimeout(timer);
    await rm(this.directory, { recursive: true, force: true });
  }
}
