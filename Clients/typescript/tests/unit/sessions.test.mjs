// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { stepUpChallenge } from "../../dist/core/authorizing.js";
import { clientOf, codeOf, errorOf } from "../support/client.mjs";
import { FakeProvider, opened } from "../support/fake-provider.mjs";

async function signedIn(more) {
  const provider = await FakeProvider.make();
  const made = clientOf(provider, typeof more === "function" ? more(provider) : more);
  const { session, profile } = await made.client.register();
  return { provider, ...made, session, profile };
}

/** Answers requests to a service, and records them. */
function service(provider, answer) {
  const real = provider.fetch;
  const seen = [];
  provider.fetch = async (input, init) => {
    if (!String(input.url ?? input).startsWith("https://api.example/")) return real(input, init);
    const request = new Request(input, init);
    const proof = opened(request.headers.get("dpop"));
    seen.push({ token: request.headers.get("authorization"), proof: JSON.parse(proof.claims), body: await request.text() });
    return answer(seen.length, request);
  };
  return seen;
}

const withService = async (answer, more) => {
  const provider = await FakeProvider.make();
  const seen = service(provider, answer);
  const made = clientOf(provider, more);
  const { session, profile } = await made.client.register();
  return { provider, seen, ...made, session, profile };
};

test("UserSessionTests.resources: each request has a proof for itself", async () => {
  const { session, seen } = await withService(() => new Response("ok"));
  const answer = await session.fetch("https://api.example/notes?x=1#y", { method: "POST", body: "b" });
  assert.equal(await answer.text(), "ok");
  const { proof, token, body } = seen[0];
  assert.ok(token.startsWith("DPoP ") && body === "b");
  assert.deepEqual([proof.htm, proof.htu], ["POST", "https://api.example/notes"]);
  assert.ok(proof.ath.length === 43 && proof.jti.length === 22);
  assert.equal(await codeOf(() => session.fetch("http://api.example/")), "requestInvalid");
});

test("RFC 9449 section 9: the nonce of a service, and from then on without a repetition", async () => {
  const { session, seen } = await withService((count) => count === 1
    ? new Response(null, { status: 401, headers: {
      "dpop-nonce": "n1", "www-authenticate": 'DPoP error="use_dpop_nonce"' } })
    : new Response("ok"));
  await session.fetch("https://api.example/", { method: "POST", body: "again" });
  await session.fetch("https://api.example/");
  assert.deepEqual(seen.map(({ proof }) => proof.nonce), [undefined, "n1", "n1"]);
  assert.equal(seen[1].body, "again");
});

test("RFC 9449 section 8: the nonce of the token endpoint", async () => {
  const { session, provider } = await signedIn();
  provider.dpopNonce = "t1";
  await session.refresh();
  provider.requests.length = 0;
  await session.refresh();
  assert.deepEqual(provider.requests, ["POST /token"]);
});

test("after 401 the tokens are renewed once", async () => {
  const { session, seen, provider } = await withService((count) => new Response(null, {
    status: count === 1 ? 401 : 200 }));
  provider.requests.length = 0;
  assert.equal((await session.fetch("https://api.example/")).status, 200);
  assert.notEqual(seen[0].token, seen[1].token);
  assert.deepEqual(provider.requests, ["POST /token"]);
});

const challenge = 'DPoP error="insufficient_user_authentication", acr_values="phr phrh", max_age="60"';

test("RFC 9470: a service requires a stronger authentication, and the request is sent again", async () => {
  const { session, provider, seen } = await withService((count) => count === 1
    ? new Response(null, { status: 401, headers: { "www-authenticate": challenge } })
    : new Response("paid"));
  provider.claims = { acr: "phrh" };
  const answer = await session.fetch("https://api.example/pay", { method: "POST", body: "5" });
  assert.equal(await answer.text(), "paid");
  const query = provider.lastQuery;
  assert.deepEqual([query.get("acr_values"), query.get("max_age"), query.get("login_hint")],
    ["phr phrh", "60", "anna"]);
  assert.equal(seen[1].body, "5");
  assert.equal(session.claim("acr"), "phrh");
});

test("RFC 9470: a page that gives less than required; and turned off", async () => {
  const answer = () => new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
  const weak = await withService(answer);
  assert.equal(await codeOf(() => weak.session.fetch("https://api.example/")), "stepUpRefused");
  const off = await withService(answer, { stepsUp: false });
  assert.equal((await off.session.fetch("https://api.example/")).status, 401);
  assert.equal(off.seen.length, 1);
  assert.equal(stepUpChallenge(new Headers({ "www-authenticate": 'Bearer error="invalid_token"' })), undefined);
});

test("stepUp: nothing is asked that is so already; another person is refused", async () => {
  const { session, provider } = await signedIn();
  const before = provider.lastQuery;
  await session.stepUp("pwd", { maxAge: 60 });
  assert.equal(provider.lastQuery, before);
  provider.sub = "person-2";
  assert.equal(await codeOf(() => session.stepUp("phr")), "wrongPerson");
});

test("UserSessionTests.oneCall: a thousand callers, one renewal", async () => {
  const { session, provider, services } = await signedIn();
  session.tokens = { ...session.tokens, expiresAt: 0 };
  const [name] = await services.storage.names("tokens/");
  await services.storage.write({ [name]: JSON.stringify(session.tokens) });
  provider.requests.length = 0;
  const all = await Promise.all(Array.from({ length: 1000 }, () => session.accessToken()));
  assert.equal(new Set(all.map(({ value }) => value)).size, 1);
  assert.deepEqual(provider.requests, ["POST /token"]);
});

test("UserSessionTests.renewsAhead: in the last fifth the present token is used during the renewal", async () => {
  const { session, provider, services } = await signedIn();
  const { value } = await session.accessToken();
  session.tokens = { ...session.tokens, expiresAt: services.now?.() ?? Date.now() + 40_000 };
  provider.requests.length = 0;
  assert.equal((await session.accessToken()).value, value);
  while (provider.requests.length === 0) await new Promise((done) => { setTimeout(done, 1); });
  await session.accessToken({ validFor: 120 });
  assert.deepEqual(provider.requests, ["POST /token"]);
});

test("tabs: one renews, the other takes its tokens; both hear of a sign-out", async () => {
  const { client, session, provider, services, profile } = await signedIn();
  const tabs = new Map();
  const channel = (name) => (listener) => {
    tabs.set(name, listener);
    return { post: (text) => { for (const [other, heard] of tabs) if (other !== name) heard(text); },
      close: () => {} };
  };
  const first = clientOf(provider, { services: { ...services, channel: channel("a") } }).client;
  const second = clientOf(provider, { services: { ...services, channel: channel("b") } }).client;
  const [one, two] = [await first.session(), await second.session()];
  provider.requests.length = 0;
  const [before] = [(await one.accessToken()).value];
  await Promise.all([one.refresh(), two.refresh()]);
  assert.deepEqual(provider.requests, ["POST /token"]);
  assert.equal((await one.accessToken()).value, (await two.accessToken()).value);
  assert.notEqual((await one.accessToken()).value, before);
  const heard = [];
  second.listen((event) => { heard.push(`${event.type} ${event.profile?.registeredAt instanceof Date}`); });
  await first.signOut(profile);
  assert.deepEqual(heard, ["signedOut true"]);
  assert.equal(await second.session(), null);
  assert.equal((await errorOf(() => two.accessToken())).kind, "signInNeeded");
  await errorOf(() => session.refresh());
  void client;
});

test("UserSessionTests.lostRefresh: offline keeps the session; the same refresh token again", async () => {
  const { client, session, faults, events } = await signedIn();
  faults.loseResponse("/token");
  assert.equal((await errorOf(() => session.refresh())).kind, "offline");
  await session.refresh();
  faults.disconnect();
  assert.equal((await errorOf(() => session.refresh())).kind, "offline");
  assert.equal(await client.requireSession(), session);
  faults.restore();
  assert.ok(events.includes("refreshFailed") && !events.includes("signedOut"));
});

test("a gateway that answers in place of the provider signs no person out", async () => {
  const { client, session, provider, events } = await signedIn();
  const real = provider.fetch;
  for (const [status, type, text] of [
    [401, "text/html", "<html>"], [403, "text/html", "<html>"], [404, "text/plain", "none"],
    [200, "text/html", "<html>"], [403, "application/json", '{"message":"blocked"}'],
  ]) {
    provider.answer = async () => new Response(text, { status, headers: { "content-type": type } });
    const error = await errorOf(() => session.refresh());
    assert.deepEqual([error.kind, error.code], ["offline", "foreignAnswer"]);
  }
  assert.ok(!events.includes("signedOut"));
  assert.equal(await client.session(), session);
  void real;
});

test("UserSessionTests.endedInRefresh: then the key signs in; without the key the person is out", async () => {
  const { client, session, provider, services, events } = await signedIn();
  provider.grants.clear();
  await session.refresh();
  assert.equal(session.profile.username, "anna");
  provider.grants.clear();
  provider.installations.clear();
  assert.equal((await errorOf(() => session.refresh())).code, "notSignedIn");
  assert.ok(events.includes("signedOut"));
  assert.equal((await client.profiles()).length, 1);
  // requireSession: tokens, key, then a page, which registers the same person again.
  const again = await client.requireSession();
  assert.equal(again.profile.id, session.profile.id);
  assert.equal(provider.lastQuery.get("login_hint"), "anna");
  void services;
});

test("RequireSessionTests.once: concurrent calls open one page", async () => {
  const provider = await FakeProvider.make();
  const { client } = clientOf(provider);
  const [one, two] = await Promise.all([client.requireSession(), client.requireSession()]);
  assert.equal(one, two);
  assert.equal(provider.installations.size, 1);
});

test("signing out, each kind, and offline", async () => {
  for (const [scope, request] of [
    ["thisDevice", "POST /revoke"], ["everywhere", "DELETE /registration/sign-ins"],
    ["localOnly", undefined],
  ]) {
    const { client, profile, provider } = await signedIn();
    provider.requests.length = 0;
    assert.deepEqual(await client.signOut(profile, scope), {});
    assert.deepEqual(provider.requests, request === undefined ? [] : [request]);
    assert.equal(await client.session(profile), null);
    assert.equal((await client.profiles()).length, 1);
    // The key signs in without a prompt.
    await client.signIn(profile);
  }
  const { client, profile, faults } = await signedIn();
  faults.disconnect();
  assert.equal((await client.signOut(profile)).error.kind, "offline");
  assert.equal(await client.session(profile), null);
});

test("signOut(browser): the provider's page ends its session", async () => {
  let address;
  const { client, profile } = await signedIn((provider) => ({ services: { browser: {
    callback: async (page, accepts) => {
      const url = page("https://app.example/");
      if (url.includes("/authorize")) return provider.authorize(url);
      address = new URL(url);
      const back = `https://app.example/?state=${address.searchParams.get("state")}`;
      assert.ok(accepts(back));
      return back;
    },
  } } }));
  assert.deepEqual(await client.signOut(profile, "browser"), {});
  assert.equal(address.pathname, "/end");
  assert.equal(address.searchParams.get("post_logout_redirect_uri"), "https://app.example/");
  assert.ok(address.searchParams.get("id_token_hint"));
});

test("RegistrationTests.removes, .removesLocally, .erases: no key and no record remains", async () => {
  for (const offline of [false, true]) {
    const { client, profile, services, faults, provider } = await signedIn();
    const [{ key }] = await Promise.all((await services.storage.names("profile/"))
      .map(async (name) => JSON.parse(await services.storage.read(name))));
    if (offline) faults.disconnect();
    const left = await client.remove(profile);
    assert.equal(left.error?.kind, offline ? "offline" : undefined);
    if (!offline) assert.ok(provider.requests.includes("DELETE /registration/installations/current"));
    assert.deepEqual((await services.storage.names("")).filter((name) => name !== "provider"), []);
    assert.equal(await services.keys.find(key), undefined);
  }
  const { client, services } = await signedIn();
  await client.eraseLocalState();
  assert.deepEqual(await services.storage.names(""), []);
});

test("BrowserPINTests.renames: the name stays after another registration", async () => {
  const { client, profile, session } = await signedIn();
  const renamed = await client.rename(profile, "Work");
  assert.equal(renamed.name, "Work");
  assert.equal(session.profile.name, "Work");
  const { profile: again } = await client.register();
  assert.deepEqual([again.name, again.username], ["Work", "anna"]);
});

test("deviceSession and implicitSession: nothing of them is stored", async () => {
  const { client, profile, services, provider } = await signedIn();
  const before = await services.storage.names("");
  const device = await client.deviceSession({ scopes: ["weather"] });
  const implicit = await client.implicitSession(profile, { scopes: ["profile"] });
  assert.ok((await device.accessToken()).isBoundToKey && (await implicit.accessToken()).value);
  await device.refresh();
  assert.deepEqual(await services.storage.names(""), before);
  void provider;
});

test("a printed session contains no token", async () => {
  const { inspect } = await import("node:util");
  const { session, client } = await signedIn();
  const { value } = await session.accessToken();
  for (const one of [session, client]) {
    assert.ok(!inspect(one, { depth: 8 }).includes(value) && !JSON.stringify(session).includes(value));
  }
});
