// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelled } from "../../dist/index.node.js";
import { scriptedBrowser } from "../../dist/testing/index.js";
import { clientOf, codeOf, errorOf } from "../support/client.mjs";
import { FakeProvider, thumbprint } from "../support/fake-provider.mjs";

const after = (provider) => provider.requests.filter((one) => !/well-known|jwks/.test(one));

test("FlowTests.browser: code with PKCE, bound to the key that is registered; four requests", async () => {
  const provider = await FakeProvider.make();
  const { client, services, events } = clientOf(provider);
  const { profile, session, isNew } = await client.register();
  const query = provider.lastQuery;
  assert.equal(query.get("code_challenge_method"), "S256");
  assert.equal(query.get("max_age"), "300");
  assert.equal(query.get("scope"), "openid profile registration");
  assert.equal(query.get("dpop_jkt"), [...provider.installations.keys()][0]);
  assert.ok(isNew && profile.username === "anna" && profile.hasSignInKey && !profile.hasPIN);
  assert.equal(session.claim("sub"), provider.sub);
  assert.ok((await session.accessToken()).isBoundToKey);
  assert.deepEqual(after(provider), [
    "POST /token", "POST /registration/challenge", "POST /registration", "POST /token",
  ]);
  assert.deepEqual(events, ["signingIn", "signedIn"]);
  assert.deepEqual(await services.storage.names("redirect/"), []);
  assert.deepEqual(await services.storage.names("pending/"), []);
});

test("FlowTests.samePerson: the profile is reused, and the former installation is removed", async () => {
  const provider = await FakeProvider.make();
  const { client } = clientOf(provider);
  const first = await client.register();
  const second = await client.register();
  assert.ok(!second.isNew && second.profile.id === first.profile.id);
  assert.equal(second.session, first.session);
  assert.equal((await client.profiles()).length, 1);
  assert.ok(provider.requests.includes("DELETE /registration/installations/installation-0"));
  provider.sub = "person-2";
  await client.register();
  assert.equal((await client.profiles()).length, 2);
});

test("Attack: FlowTests.foreignAnswer: a response of another request, issuer or person", async () => {
  const provider = await FakeProvider.make();
  const { client } = clientOf(provider);
  const answered = (change) => clientOf(provider, { services: {
    browser: { callback: async (page) => change(provider.authorize(page("https://app.example/"))) },
  } }).client.register();
  assert.equal(await codeOf(() => answered((url) => url.replace(/state=[^&]*/, "state=x"))),
    "redirectMismatch");
  assert.equal(await codeOf(() => answered((url) => url.replace(/iss=[^&]*/, "iss=https://evil.example"))),
    "redirectMismatch");
  assert.equal(await codeOf(() => answered((url) => url.replace(/&iss=[^&]*/, ""))), "redirectMismatch");
  assert.equal(await codeOf(() => answered(() => "https://app.example/")), "redirectMismatch");
  assert.equal(provider.requests.filter((one) => one === "POST /token").length, 0);
  // A code that another client injected: its verifier is not ours.
  let injected;
  await codeOf(() => answered((url) => { injected = new URL(url).searchParams.get("code"); throw cancelled(); }));
  assert.equal(await codeOf(() => answered((url) => url.replace(/code=[^&]*/, `code=${injected}`))),
    "notAuthorized");
  const { profile } = await client.register();
  provider.sub = "person-2";
  assert.equal(await codeOf(() => client.signIn(profile, { inBrowser: true })), "wrongPerson");
});

test("FlowTests.cancelled: nothing stays of a person who gives up or is refused", async () => {
  const provider = await FakeProvider.make();
  const faults = [
    async () => { throw cancelled(); },
    async () => { throw Object.assign(new Error(), { name: "AbortError" }); },
    async (url) => provider.authorize(url, { error: "access_denied" }),
  ];
  for (const person of faults) {
    const keys = [];
    const { client, services } = clientOf(provider, { services: { browser: scriptedBrowser(person) } });
    const make = services.keys.make.bind(services.keys);
    services.keys.make = (name) => { keys.push(name); return make(name); };
    const error = await errorOf(() => client.register());
    assert.equal(error.kind, "cancelled");
    assert.deepEqual(await services.storage.names("redirect/"), []);
    assert.equal(keys.length, 1);
    assert.equal(await services.keys.find(keys[0]), undefined);
  }
});

test("a redirect that leaves the page: completeRedirect continues, once", async () => {
  const provider = await FakeProvider.make();
  let href = "https://app.example/notes?tab=1";
  const page = { href: () => href, replace: (url) => { href = url; } };
  let leftFor;
  const browser = { callback: (make) => {
    leftFor = make("https://app.example/");
    return new Promise(() => {});
  } };
  const { client, services } = clientOf(provider, { services: { page, browser } });
  void client.requireSession();
  while (leftFor === undefined) await new Promise((done) => { setTimeout(done, 1); });
  href = `${provider.authorize(leftFor)}&tab=2`;
  const response = href;
  // The page is a new one, with the same storage.
  const { client: later } = clientOf(provider, { services: { ...services, page, browser } });
  const [made, none] = await Promise.all([later.completeRedirect(), later.completeRedirect()]);
  assert.equal(made.returnTo, "https://app.example/notes?tab=1");
  assert.equal(none, null);
  assert.equal(href, "https://app.example/?tab=2");
  assert.equal(await codeOf(() => later.completeRedirect(response)), "redirectMismatch");
  assert.equal((await later.session()).profile.id, made.profile.id);
});

test("RegistrationTests.lost: a lost response of the registration, then resume", async () => {
  const provider = await FakeProvider.make();
  const { client, faults, services } = clientOf(provider);
  faults.loseResponse("/registration?");
  const error = await errorOf(() => client.register());
  assert.equal(error.kind, "offline");
  const [pending] = await client.pendingRegistrations();
  assert.equal(pending.method, "oidc");
  const { profile } = await client.resume(pending);
  assert.equal(provider.installations.size, 1);
  assert.equal((await client.profiles()).length, 1);
  assert.deepEqual(await services.storage.names("pending/"), []);
  assert.equal(profile.installationID, "installation-0");
});

test("requireSession finishes a registration whose response was lost, without a page", async () => {
  const provider = await FakeProvider.make();
  const { client, faults } = clientOf(provider);
  faults.loseResponse("/registration?");
  await errorOf(() => client.requireSession());
  const { codes, lastQuery } = provider;
  const session = await client.requireSession();
  assert.equal(provider.lastQuery, lastQuery);
  assert.equal(codes.size, 0);
  assert.equal(session.profile.username, "anna");
});

test("a registration that the provider refuses leaves nothing", async () => {
  const provider = await FakeProvider.make();
  provider.register = async () => { throw Object.assign(new Error(), { code: "token_refused" }); };
  const { client, services } = clientOf(provider);
  await errorOf(() => client.register());
  assert.deepEqual(await services.storage.names("pending/"), []);
  assert.deepEqual(await client.profiles(), []);
});

test("without the scope registration: tokens of the page, no installation", async () => {
  const provider = await FakeProvider.make();
  const { client } = clientOf(provider, { scopes: ["openid", "offline_access"] });
  const { profile, session } = await client.register({ prompt: "login", loginHint: "anna", acrValues: ["phr"],
    uiLocales: ["de"] });
  const query = provider.lastQuery;
  assert.deepEqual(["prompt", "login_hint", "acr_values", "ui_locales", "max_age"].map((name) => query.get(name)),
    ["login", "anna", "phr", "de", null]);
  assert.equal(profile.installationID, undefined);
  await session.refresh();
  assert.deepEqual(after(provider), ["POST /token", "POST /token"]);
  assert.equal(thumbprint(JSON.parse(Buffer.from(
    (await session.authorize("https://api.example/")).headers.get("dpop").split(".")[0], "base64url")).jwk),
  query.get("dpop_jkt"));
});

test("an identity provider is named at the authorization endpoint", async () => {
  const provider = await FakeProvider.make();
  const { client } = clientOf(provider);
  await client.register({ with: { id: "google", name: "Google", kind: "upstream" } });
  assert.equal(provider.lastQuery.get("identity_provider"), "google");
});
