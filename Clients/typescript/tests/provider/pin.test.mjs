// SPDX-License-Identifier: Apache-2.0
// PINs against a real provider, if it has version 2 of the protocol.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { after, before, test } from "node:test";
import { IdentityClient, loopback } from "../../dist/index.node.js";
import { faultyFetch, memoryServices } from "../../dist/testing/index.js";
import { errorOf } from "../support/client.mjs";
import { Person } from "../support/person.mjs";
import { app, needsProvider, person, Provider } from "../support/provider.mjs";

let provider, isOlder = false;
before(async () => {
  if (needsProvider) return;
  provider = await Provider.start({
    clients: [app(["http://127.0.0.1/callback"])], users: [person("anna")],
    registration: { pin: { use: "required", attempts: 3 } },
  });
  const { pin } = await (await fetch(`${provider.issuer}/.well-known/gatehouse`)).json();
  isOlder = !pin?.versions?.includes(2);
});
after(() => provider?.stop());

function clientOf(typed, created) {
  const faults = faultyFetch();
  const client = new IdentityClient({
    issuer: provider.issuer, clientID: "notes", services: {
      ...memoryServices(webcrypto), fetch: faults.fetch,
      browser: loopback({ open: async (url) => { await fetch(await new Person("anna").follow(url)); } }),
    },
    prompter: { newPIN: async () => created.shift(), pin: async () => typed.shift() },
  });
  return { client, faults };
}

function pinTest(name, body) {
  test(name, { skip: needsProvider }, async (context) => {
    if (isOlder) { context.skip("the provider has no PIN protocol version 2"); return; }
    await body();
  });
}

pinTest("BrowserPINTests.pinAfterBrowser, .required: create, sign in, wrong, change", async () => {
  const [typed, created] = [[], ["24681"]];
  const { client, faults } = clientOf(typed, created);
  const { profile, session } = await client.register();
  assert.ok(profile.hasPIN);
  assert.ok(session.claim("amr").includes("pin"));
  console.log(`# requests of a registration with a PIN: ${faults.requests.filter((one) => !/well-known|jwks/.test(one)).length}`);
  await client.signOut(profile);
  typed.push("13579", "24681");
  await client.signIn(profile);
  created.push("97532");
  typed.push("24681");
  await client.changePIN(profile);
  await client.signOut(profile);
  typed.push("24681", "97532");
  await client.requireSession();
  assert.deepEqual([typed, created], [[], []]);
});

pinTest("PINFlowTests.locks: the last wrong PIN ends the profile; register again", async () => {
  const [typed, created] = [["13579", "13578", "13576"], ["24681"]];
  const { client } = clientOf(typed, created);
  const { profile } = await client.register();
  await client.signOut(profile);
  assert.equal((await errorOf(() => client.signIn(profile))).code, "profileLocked");
  assert.deepEqual(await client.profiles(), []);
  created.push("24681");
  assert.ok((await client.requireSession()).profile.hasPIN);
});

test("a project that requires a PIN, at a provider without version 2: the error says so",
  { skip: needsProvider }, async (context) => {
    if (!isOlder) { context.skip("the provider has version 2"); return; }
    const { client } = clientOf([], ["24681"]);
    const error = await errorOf(() => client.register());
    assert.deepEqual([error.kind, error.code], ["misconfigured", "methodNotSupported"]);
  });
