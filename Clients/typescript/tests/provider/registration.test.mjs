// SPDX-License-Identifier: Apache-2.0
// In Node against a real provider on loopback.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { IdentityClient, loopback } from "../../dist/index.node.js";
import { signedJWT } from "../../dist/evidence/index.js";
import { faultyFetch, memoryServices, testKey } from "../../dist/testing/index.js";
import { codeOf, errorOf } from "../support/client.mjs";
import { Person } from "../support/person.mjs";
import { app, needsProvider, person, Provider } from "../support/provider.mjs";

let provider;
before(async () => {
  if (needsProvider) return;
  provider = await Provider.start({
    clients: [app(["http://127.0.0.1/callback"])], users: [person("anna"), person("otto")],
    registration: { device_scopes: ["weather"] },
  });
});
after(() => provider?.stop());

/** A client whose person has a browser: loopback, as a program of a person. */
function clientOf(username, more = {}) {
  const faults = faultyFetch();
  const visitor = { person: new Person(username) };
  const services = {
    ...memoryServices(webcrypto), fetch: faults.fetch,
    browser: loopback({ open: async (url) => {
      await fetch(await visitor.person.follow(url));
    } }), ...more.services,
  };
  const client = new IdentityClient({
    issuer: provider.issuer, clientID: "notes", installationName: "A test", ...more, services,
  });
  const events = [];
  client.listen(({ type }) => { events.push(type); });
  return { client, faults, visitor, services, events };
}

const options = { skip: needsProvider };
const counted = ({ requests }) => requests.filter((one) => !/well-known|jwks/.test(one))
  .map((one) => one.replace(/http:\/\/localhost:\d+/, ""));

test("BrowserPINTests.defaultProvider: register in the browser, then sign in without a prompt", options, async () => {
  const { client, faults, events } = clientOf("anna");
  const session = await client.requireSession();
  assert.equal(session.profile.username, "anna");
  assert.ok(session.profile.hasSignInKey && session.profile.installationID);
  const token = await session.accessToken();
  assert.ok(token.isBoundToKey && token.scopes.includes("offline_access"));
  const requests = counted(faults);
  assert.deepEqual(requests.filter((one) => one !== "POST /registration/sign-in/challenge"), [
    "POST /token", "POST /registration/challenge", "POST /registration", "POST /token",
  ]);
  console.log(`# requests of a registration after the browser: ${requests.length}`);
  assert.equal(session.claim("sub"), session.profile.userID);
  assert.deepEqual(events, ["signingIn", "signedIn"]);
  assert.equal(await client.requireSession(), session);
  await client.signOut(session.profile);
  assert.equal(await client.session(), null);
  assert.equal(await client.requireSession(), session);
});

test("BrowserPINTests.sameAgain, RegistrationTests.severalPeople", options, async () => {
  const { client, visitor } = clientOf("anna");
  const first = await client.register();
  const again = await client.register();
  assert.ok(first.isNew && !again.isNew && again.profile.id === first.profile.id);
  visitor.person = new Person("otto");
  const other = await client.register({ prompt: "login" });
  assert.ok(other.isNew);
  assert.deepEqual((await client.profiles()).map(({ username }) => username), ["anna", "otto"]);
  assert.equal((await client.session(first.profile)).profile.username, "anna");
  assert.equal((await client.session()).profile.username, "otto");
  const names = await (await client.session(first.profile)).send("installations");
  assert.equal(names.items.filter(({ current }) => current).length, 1);
  assert.equal(await codeOf(() => client.signIn(first.profile, { inBrowser: true })), "wrongPerson");
});

test("RegistrationTests.lost: each response of a registration is lost once", options, async () => {
  for (const part of ["/registration/challenge", "/registration?"]) {
    const { client, faults } = clientOf("anna");
    faults.loseResponse(part);
    assert.equal((await errorOf(() => client.requireSession())).kind, "offline");
    const session = await client.requireSession();
    assert.equal(session.profile.username, "anna");
    assert.equal((await client.profiles()).length, 1);
    assert.deepEqual(await client.pendingRegistrations(), []);
    await client.remove(session.profile);
  }
});

test("UserSessionTests.lostRefresh: a lost response of a renewal, and then the next one", options, async () => {
  const { client, faults } = clientOf("anna");
  const session = await client.requireSession();
  faults.loseResponse("/token");
  assert.equal((await errorOf(() => session.refresh())).kind, "offline");
  await session.refresh();
  await session.refresh();
  const { value } = await session.accessToken();
  assert.ok(value);
  assert.equal(faults.requests.filter((one) => one.includes("sign-in/challenge")).length <= 1, true);
});

test("UserSessionTests.signsOut: each kind, at the provider", options, async () => {
  const { client } = clientOf("anna");
  const { profile, session } = await client.register();
  const userinfo = `${provider.issuer}/userinfo`;
  const held = await session.authorize(userinfo);
  assert.equal((await session.fetch(userinfo)).status, 200);
  assert.equal(held.headers.get("authorization").slice(0, 5), "DPoP ");
  for (const scope of ["localOnly", "thisDevice", "everywhere"]) {
    const proof = await session.authorize(userinfo);
    assert.deepEqual(await client.signOut(profile, scope), {});
    assert.equal((await fetch(proof)).status, scope === "localOnly" ? 200 : 401);
    assert.equal(await client.session(profile), null);
    await client.signIn(profile);
  }
});

test("RegistrationTests.removes: installation and key end at the provider", options, async () => {
  const { client, services } = clientOf("anna");
  const { profile, session } = await client.register();
  const proof = await session.authorize(`${provider.issuer}/userinfo`);
  assert.deepEqual(await client.remove(profile), {});
  assert.equal((await fetch(proof)).status, 401);
  assert.deepEqual((await services.storage.names("")).filter((name) => name !== "provider"), []);
  assert.equal(await codeOf(() => client.signIn(profile)), "notRegistered");
});

test("RegistrationTests.removesLocally: offline", options, async () => {
  const { client, faults } = clientOf("anna");
  const { profile } = await client.register();
  faults.disconnect();
  assert.equal((await client.remove(profile)).error.kind, "offline");
  assert.deepEqual(await client.profiles(), []);
});

test("the installation that another device removes: signInNeeded, then a page", options, async () => {
  const { client } = clientOf("otto");
  const { profile, session } = await client.register();
  const { client: other } = clientOf("otto");
  const { session: elsewhere } = await other.register();
  await elsewhere.send("installations", { method: "DELETE", path: `/${profile.installationID}` });
  assert.equal((await errorOf(() => session.refresh())).kind, "signInNeeded");
  const again = await client.requireSession();
  assert.equal(again.profile.id, profile.id);
  assert.notEqual(again.profile.installationID, profile.installationID);
});

test("FlowTests.refusedInBrowser: prompt=none without a session; an unknown client", options, async () => {
  const { client } = clientOf("anna");
  assert.equal(await codeOf(() => client.register({ prompt: "none" })), "notSignedIn");
  const { client: wrong } = clientOf("anna", { clientID: "unknown" });
  const error = await errorOf(() => wrong.register({ by: signedJWT(() => "x") }));
  assert.ok(["misconfigured", "refused"].includes(error.kind), `${error.code}: ${error.detail}`);
});

test("session.fetch at the provider, exchange, claims, deviceSession", options, async () => {
  const { client } = clientOf("anna");
  const { session } = await client.register();
  const answer = await (await session.fetch(`${provider.issuer}/userinfo`)).json();
  assert.equal(answer.sub, session.profile.userID);
  const ledger = await session.exchange("ledger");
  assert.ok((await ledger.accessToken()).isBoundToKey);
  const device = await client.deviceSession({ scopes: ["weather"] });
  assert.deepEqual((await device.accessToken()).scopes, ["weather"]);
});

test("stepUp with max_age opens a page; acr that the person does not reach is refused", options, async () => {
  const { client, faults } = clientOf("anna");
  const { session } = await client.register();
  const before = session.claim("amr");
  const count = faults.requests.length;
  await session.stepUp([], { maxAge: 3600 });
  assert.equal(faults.requests.length, count);
  await client.signIn(session.profile, { inBrowser: true, prompt: "login" });
  assert.notDeepEqual(session.claim("amr"), before);
  await session.refresh();
  assert.ok((await session.accessToken()).value);
});

test("TestKeyTests: people of a test key, RSA and P-256, until it is revoked", options, async () => {
  for (const [alg, words] of [["RS256", []], ["ES256", ["--alg", "ES256"]]]) {
    const made = await provider.testKey(`ci-${alg.toLowerCase()}`, ...words);
    const { client, faults } = clientOf("anna");
    const by = testKey({ ...made, subject: `suite-${alg}`, crypto: webcrypto });
    const idempotencyKey = webcrypto.randomUUID();
    faults.loseResponse("/registration?");
    assert.equal((await errorOf(() => client.register({ by, idempotencyKey }))).kind, "offline");
    const { profile, session } = await client.register({ by, idempotencyKey });
    assert.equal(profile.username, `suite-${alg}`);
    const repeated = await client.register({ by, idempotencyKey });
    assert.equal(repeated.profile.id, profile.id);
    assert.equal((await client.profiles()).length, 1);
    await client.signOut(profile);
    assert.equal(await client.signIn(profile), session);
    assert.equal(await codeOf(() => clientOf("x").client.register({ by })), "alreadyRegistered");
    assert.equal(await codeOf(() => client.signIn(undefined, { by })), "methodNotSupported");
    await client.deleteAccount(profile);
    assert.deepEqual(await client.profiles(), []);
  }
  const windows = await provider.testKey("ci-crlf");
  windows.privateKey = windows.privateKey.replace(/\n/g, "\r\n");
  const by = testKey({ ...windows, subject: "crlf", crypto: webcrypto });
  assert.equal((await clientOf("x").client.register({ by })).profile.username, "crlf");
});

test("RegistrationTests.signedJWT: an issuer's token registers and signs in, once", options, async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const spki = Buffer.from(await webcrypto.subtle.exportKey("spki", pair.publicKey)).toString("base64");
  const file = join(provider.directory, "issuer.pem");
  await writeFile(file, `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`);
  await provider.command(
    "admin", "issuer-keys", "add", "https://idp.example", "--kid", "k1", "--alg", "ES256",
    "--public-key-file", file);
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = async (sub, unit = 1) => {
    const now = Math.floor(Date.now() / 1000) * unit;
    const message = `${part({ alg: "ES256", kid: "k1", typ: "JWT" })}.${part({
      iss: "https://idp.example", aud: "identity-service", sub, jti: webcrypto.randomUUID(),
      iat: now, exp: now + 300 * unit })}`;
    const signature = await webcrypto.subtle.sign(algorithm, pair.privateKey, Buffer.from(message));
    return `${message}.${Buffer.from(signature).toString("base64url")}`;
  };
  const { client } = clientOf("x");
  const by = signedJWT(() => token("anna-7"));
  const { profile } = await client.register({ by });
  assert.equal(profile.username, "anna-7");
  await client.signOut(profile);
  assert.equal((await client.signIn(undefined, { by })).profile.id, profile.id);
  const { client: other } = clientOf("x");
  assert.equal(await codeOf(() => other.register({ by })), "alreadyRegistered");
  assert.equal((await other.signIn(undefined, { by })).profile.hasSignInKey, false);
  const milliseconds = signedJWT(() => token("otto-7", 1000));
  const error = await errorOf(() => other.register({ by: milliseconds }));
  assert.deepEqual([error.kind, error.code], ["misconfigured", "credentialTimeUnit"]);
});

test("provider(): what the project offers", options, async () => {
  const { client } = clientOf("anna");
  const { issuer, bindsTokens, identityProviders } = await client.provider();
  assert.ok(issuer === provider.issuer && bindsTokens && Array.isArray(identityProviders));
});
