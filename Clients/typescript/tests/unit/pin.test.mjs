// SPDX-License-Identifier: Apache-2.0
// The PIN protocol, version 2, against the provider's half in support/fake-provider.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { digitsOf, policyOf, violation } from "../../dist/pin/index.js";
import { cancelled } from "../../dist/index.node.js";
import { clientOf, codeOf, errorOf } from "../support/client.mjs";
import { FakeProvider } from "../support/fake-provider.mjs";

/** A prompter that types from two lists, and what it was asked. */
function typing({ created = [], typed = [] }) {
  const asked = [];
  const next = (list) => (prompt) => {
    asked.push(prompt);
    if (list.length === 0) throw cancelled();
    return list.shift();
  };
  return { asked, prompter: { newPIN: async (p) => next(created)(p), pin: async (p) => next(typed)(p) } };
}

async function registered({ created = ["24681"], typed = [], use = "required" } = {}) {
  const provider = await FakeProvider.make();
  provider.pin.use = use;
  const person = typing({ created, typed });
  const made = clientOf(provider, { prompter: person.prompter });
  const { profile, session } = await made.client.register();
  return { provider, ...made, ...person, profile, session, typed, created };
}

test("BrowserPINTests.pinAfterBrowser: one prompt, five requests, and signing in is the commit", async () => {
  const { provider, profile, asked, services } = await registered();
  assert.ok(profile.hasPIN);
  assert.equal(asked.length, 1);
  assert.equal(asked[0].policy.length, 5);
  assert.deepEqual(provider.requests.filter((one) => !/well-known|jwks/.test(one)), [
    "POST /token", "POST /registration/challenge", "POST /registration", "POST /token",
  ]);
  const [installation] = provider.installations.values();
  assert.ok(installation.pin.current.ver === 1 && installation.pin.offered === undefined);
  const [name] = await services.storage.names("pin/");
  const state = JSON.parse(await services.storage.read(name));
  assert.ok(state.current.ver === 1 && state.offered === undefined);
});

test("PINFlowTests.policy: the prompt comes again with the reason", async () => {
  const { asked } = await registered({ created: ["1234", "12345", "11123", "24680", "2468a", "24681"] });
  assert.deepEqual(asked.map(({ rejection }) => rejection),
    [undefined, "length", "sequence", "repeats", "blocked", "digits"]);
});

test("PINFlowTests.signsIn, .wrongPIN: attempts are counted by the provider", async () => {
  const { client, profile, asked, provider } = await registered({ typed: ["13579", "24681"] });
  await client.signOut(profile);
  assert.equal(await client.session(profile), null);
  const session = await client.requireSession();
  assert.equal(session.profile.id, profile.id);
  assert.deepEqual(asked.slice(1).map(({ attempts }) => attempts),
    [undefined, { limit: 3, used: 1, remaining: 2 }]);
  assert.equal(asked[1].profile.username, "anna");
  assert.equal([...provider.installations.values()][0].pin.attempts, 0);
});

test("PINFlowTests.locks: the last wrong PIN ends the profile, signed", async () => {
  const { client, profile, services, events } = await registered({ typed: ["13579", "13578", "13577"] });
  await client.signOut(profile);
  const error = await errorOf(() => client.signIn(profile));
  assert.deepEqual([error.kind, error.code, error.recovery], ["ended", "profileLocked", "register"]);
  assert.deepEqual(await client.profiles(), []);
  assert.deepEqual(await services.storage.names("pin/"), []);
  assert.ok(events.includes("signedOut"));
});

test("Attack: an ending that the provider did not sign deletes nothing", async () => {
  const { client, profile, provider } = await registered({ typed: Array(6).fill("24681") });
  await client.signOut(profile);
  const [installation] = provider.installations.values();
  const genuine = await provider.ended(installation.keyID);
  const [header, claims, signature] = genuine.statement.split(".");
  const other = await (await FakeProvider.make()).ended(installation.keyID);
  for (const statement of [
    other.statement, `${header}.${claims}.${signature.slice(0, -4)}AAAA`, undefined,
    (await provider.ended(Buffer.alloc(32).toString("base64url"))).statement,
    await provider.sign({ iss: provider.issuer, aud: installation.keyID, iat: 1, reason: "profile_locked" },
      "gatehouse-pin-ending+jwt"),
    await provider.sign({ iss: provider.issuer, aud: installation.keyID, iat: 1, reason: "profile_locked",
      more: 1 }, "gatehouse-pin2-ending+jwt"),
  ]) {
    provider.pinAnswer = async () => ({ code: "ended", statement });
    assert.equal(await codeOf(() => client.signIn(profile)), "invalidAnswer");
    assert.equal((await client.profiles()).length, 1);
  }
});

test("PINFlowTests.changes: the new PIN signs in, the old one does not", async () => {
  const { client, profile, provider, created, typed } = await registered();
  typed.push("24681");
  created.push("97532");
  await client.changePIN(profile);
  const [installation] = provider.installations.values();
  assert.ok(installation.pin.current.ver === 2 && installation.pin.offered === undefined);
  await client.signOut(profile);
  typed.push("24681", "97532");
  await client.signIn(profile);
  assert.equal(typed.length, 0);
});

test("a wrong old PIN when changing: asked again, and then changed", async () => {
  const { client, profile, provider, created, typed } = await registered();
  typed.push("13579", "24681");
  created.push("97532", "97532");
  await client.changePIN(profile);
  assert.equal([...provider.installations.values()][0].pin.current.ver, 2);
});

test("PINWalkTests: a lost response of each request of a change, then the right PIN signs in", async () => {
  for (let lost = 0; lost < 6; lost += 1) {
    const { client, profile, faults, created, typed, provider } = await registered();
    typed.push("24681");
    created.push("97532");
    let count = 0;
    const real = provider.answer.bind(provider);
    provider.answer = async (method, url, ...rest) => {
      const answer = await real(method, url, ...rest);
      if (!url.pathname.includes("/pin")) return answer;
      count += 1;
      if (count >= lost + 1 && count < lost + 3) faults.loseResponse("/pin");
      return answer;
    };
    await client.changePIN(profile).catch((error) => { assert.equal(error.kind, "offline"); });
    provider.answer = real;
    await client.signOut(profile);
    const [installation] = provider.installations.values();
    // After an interrupted change the present PIN is the new one or the old one, not both.
    typed.length = 0;
    typed.push("97532", "24681");
    await client.signIn(profile);
    assert.equal(installation.pin.ended, undefined);
    assert.equal(installation.pin.attempts, 0);
  }
});

test("a lost response of a sign-in: the same bytes again, not counted twice", async () => {
  for (const pin of ["24681", "13579"]) {
    const { client, profile, faults, typed, provider } = await registered();
    await client.signOut(profile);
    typed.push(pin, "24681");
    faults.loseResponse("/token");
    await client.signIn(profile);
    assert.equal(typed.length, pin === "24681" ? 1 : 0);
    assert.equal([...provider.installations.values()][0].pin.attempts, 0);
  }
});

test("PINSealedProofTests: the provider rotates its key for proofs", async () => {
  const { client, profile, typed, provider } = await registered();
  await client.signOut(profile);
  await provider.rotateProofKey();
  typed.push("24681");
  await client.signIn(profile);
  assert.equal(typed.length, 0);
});

test("the key alone does not sign in a profile with a PIN; a cancelled prompt changes nothing", async () => {
  const { client, profile } = await registered();
  await client.signOut(profile);
  assert.equal((await errorOf(() => client.requireSession())).kind, "cancelled");
  assert.equal((await client.profiles()).length, 1);
});

test("a step-up uses the PIN before it uses a page", async () => {
  const { session, typed, provider } = await registered();
  typed.push("24681");
  provider.claims = { acr: "phr" };
  const { lastQuery } = provider;
  await session.stepUp("phr");
  assert.equal(session.claim("acr"), "phr");
  assert.equal(provider.lastQuery, lastQuery);
});

test("optional PINs: only if the app has a prompt for them; required: an error names the line", async () => {
  const provider = await FakeProvider.make();
  provider.pin.use = "optional";
  const without = await clientOf(provider).client.register();
  assert.equal(without.profile.hasPIN, false);
  const { profile } = await registered({ use: "optional" });
  assert.ok(profile.hasPIN);
  provider.pin.use = "required";
  const error = await errorOf(() => clientOf(provider).client.register());
  assert.deepEqual([error.kind, error.detail], ["misconfigured", "implement prompter.newPIN"]);
});

test("BrowserPINTests.cancelsPIN: nothing is registered", async () => {
  const provider = await FakeProvider.make();
  provider.pin.use = "required";
  const { client, services } = clientOf(provider, { prompter: typing({}).prompter });
  assert.equal((await errorOf(() => client.register())).kind, "cancelled");
  assert.equal(provider.installations.size, 0);
  assert.deepEqual(await services.storage.names("pending/"), []);
});

test("PINPolicyTests: digits of any script, steps of any size, blocked PINs", () => {
  const policy = policyOf({ use: "required", policy: {
    length: 5, maximum_repeats: 2, allows_sequences: false, blocked: ["24680"] } });
  const found = ["24681", "٢٤٦٨١", "13579", "98765", "11233", "11133", "24680", "2468", "2468x", "55555"]
    .map((pin) => violation(pin, policy));
  assert.deepEqual(found, [
    undefined, undefined, "sequence", "sequence", undefined, "repeats", "blocked", "length", "digits",
    "repeats",
  ]);
  assert.equal(digitsOf("𝟚𝟜𝟞𝟠𝟙"), "24681");
  assert.equal(policyOf({ use: "off", policy: {} }), undefined);
});
