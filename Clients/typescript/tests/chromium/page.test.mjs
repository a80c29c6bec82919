// SPDX-License-Identifier: Apache-2.0
// In headless Chromium against a real provider: a page of another origin than the provider's, under
// a strict content security policy.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Chromium, needsChromium } from "../support/chromium.mjs";
import { app, needsProvider, password, person, Provider, until } from "../support/provider.mjs";
import { site } from "../support/site.mjs";

const skip = needsProvider || needsChromium;
const options = { skip };
let provider, browser, notes;
/** Whether the service asks for a stronger authentication. */
let strong = false;

before(async () => {
  if (skip) return;
  provider = await Provider.start();
  notes = await site(provider.issuer, ({ headers }) => {
    const claims = JSON.parse(Buffer.from(headers.authorization.split(".")[1], "base64url"));
    const isStrong = ["phr", "phrh"].includes(claims.acr);
    return strong && !isStrong
      ? { status: 401, headers: { "WWW-Authenticate": 'DPoP error="insufficient_user_authentication", acr_values="phr phrh"' } }
      : { status: 200, body: `${headers.authorization.slice(0, 4)} ${claims.acr}` };
  });
  await provider.apply({
    clients: [app([`${notes.origin}/`, `${provider.issuer}/client`])],
    users: [person("anna"), person("otto")],
  });
  browser = await Chromium.start();
});
after(async () => {
  await browser?.stop();
  await notes?.stop();
  await provider?.stop();
});

/** A browser of its own for passkeys: virtual authenticators of several tabs disturb one another. */
async function alone(body) {
  const own = await Chromium.start();
  try { await body(await own.tab()); } finally { await own.stop(); }
}

/** The module as `m`, and a client as `c`; then the body of an async function. */
const script = (body, browserOf = "redirect", at = undefined) => `
  const m = await import("${notes.origin}/dist/index.browser.js");
  window.c ??= new m.IdentityClient({
    issuer: ${JSON.stringify(provider.issuer)}, clientID: "notes",
    redirectURI: ${JSON.stringify(at ?? `${notes.origin}/`)}, services: { browser: m.${browserOf}() },
  });
  const c = window.c;
  const code = async (work) => { try { await work(); return "nothing"; } catch (error) { return error.code ?? String(error); } };
  ${body}`;

async function registered(tab, username = "anna") {
  await tab.open(`${notes.origin}/notes?tab=1`);
  await tab.run(script("void c.register({ prompt: 'login' });"));
  await tab.arrives("/sign-in");
  await tab.signIn(username, password);
  await tab.arrives(`${notes.origin}/`);
  return tab.run(script(`
    const done = await c.completeRedirect();
    return { name: done.profile.username, returnTo: done.returnTo, url: location.href, isNew: done.isNew };`));
}

const erase = (tab) => tab.run(script("await c.eraseLocalState();"));

test("a page: leaves, comes back, has a session, a key that cannot be exported, and a clean URL", options, async () => {
  const tab = await browser.tab();
  const done = await registered(tab);
  assert.deepEqual(done, { name: "anna", returnTo: `${notes.origin}/notes?tab=1`, url: `${notes.origin}/`, isNew: true });
  const found = await tab.run(script(`
    const session = await c.requireSession();
    const answer = await session.fetch("/api");
    const open = indexedDB.open("gatehouse 2 " + ${JSON.stringify(provider.issuer)} + " notes");
    const database = await new Promise((done) => { open.onsuccess = () => done(open.result); });
    const all = database.transaction("keys").objectStore("keys").getAll();
    const keys = await new Promise((done) => { all.onsuccess = () => done(all.result); });
    const [{ pair, sealing }] = keys;
    database.close();
    return [
      (await answer.text()).slice(0, 4), keys.length, pair.privateKey.extractable, sealing.extractable,
      await code(() => c.completeRedirect()), (await session.accessToken()).isBoundToKey,
      session.claim("sub") === session.profile.userID,
    ];`));
  assert.deepEqual(found, ["DPoP", 1, false, false, "nothing", true, true]);
  // After a reload everything is still there, without a request to the provider.
  await tab.open(`${notes.origin}/`);
  const [name, count] = await tab.run(script(`
    const real = window.fetch; let count = 0;
    window.fetch = (...words) => { count += 1; return real(...words); };
    const session = await c.requireSession();
    await session.accessToken();
    return [session.profile.username, count];`));
  assert.deepEqual([name, count], ["anna", 0]);
  await erase(tab);
});

test("two tabs: one renewal for both; who signs out in one is out in the other", options, async () => {
  const first = await browser.tab();
  await registered(first);
  const second = await browser.tab(`${notes.origin}/`);
  const start = script(`
    const real = window.fetch; window.asked = 0;
    window.fetch = (input, init) => {
      if (String(input).endsWith("/token")) window.asked += 1;
      return real(input, init);
    };
    const session = await c.session();
    window.heard = [];
    c.listen(({ type }) => window.heard.push(type));
    const held = "gatehouse " + ${JSON.stringify(provider.issuer)} + " notes session " + session.profile.id;`);
  // The lock is held until both tabs wait for it.
  await first.run(`${start}
    await new Promise((got) => navigator.locks.request(held, () => {
      got();
      return new Promise((done) => { window.release = done; });
    }));
    window.renewal = session.refresh();`);
  await second.run(`${start} window.renewal = session.refresh();`);
  await until("both wait", () => first.run(
    "return (await navigator.locks.query()).pending.length === 2;"));
  await first.run("window.release();");
  const asked = await Promise.all([first, second].map((tab) =>
    tab.run("await window.renewal; return window.asked;")));
  assert.equal(asked[0] + asked[1], 1);
  await first.run(script("await c.signOut((await c.session()).profile);"));
  await until("the other tab hears of it", () => second.run("return window.heard.includes('signedOut');"));
  assert.equal(await second.run(script("return await c.session();")), null);
  // The key signs in without a prompt.
  assert.equal(await second.run(script("return (await c.requireSession()).profile.username;")), "anna");
  await erase(second);
});

test("a popup: the page stays, the window closes", options, async () => {
  const tab = await browser.tab(`${notes.origin}/`);
  const known = await browser.targets();
  await tab.run(script("window.done = c.register({ prompt: 'login' });", "popup"), true);
  const popup = await browser.opened(known);
  await popup.arrives("/sign-in");
  await popup.signIn("otto", password);
  await popup.arrives(`${notes.origin}/`);
  await popup.run(script("void c.completeRedirect();", "popup"));
  const name = await tab.run(script("return (await window.done).profile.username;", "popup"));
  assert.equal(name, "otto");
  await until("the window is closed", async () =>
    !(await browser.targets()).some(({ targetId }) => targetId === popup.targetId));
  await tab.run(script("await c.remove((await c.session()).profile);", "popup"));
  assert.equal(await tab.run(script("return (await c.profiles()).length;", "popup")), 0);
});

test("FlowTests.foreignAnswer, .refusedInBrowser: in a page", options, async () => {
  const tab = await browser.tab(`${notes.origin}/`);
  const found = await tab.run(script(`
    const iss = ${JSON.stringify(provider.issuer)};
    const back = (query) => code(() => c.completeRedirect(location.origin + "/?" + new URLSearchParams(query)));
    return [
      await back({ code: "x", state: "of-another-client", iss }), await back({ error: "access_denied", state: "y", iss }),
      await code(() => c.completeRedirect()), await code(() => c.completeRedirect(location.origin + "/?state=z")),
    ];`));
  assert.deepEqual(found, ["redirectMismatch", "redirectMismatch", "nothing", "nothing"]);
});

test("a passkey of the page: added after a page of the provider, then it signs in", options, () => alone(async (tab) => {
  // Related origins must be public names, so this page has the origin of the provider.
  const at = `${provider.issuer}/client`;
  await tab.addAuthenticator();
  await tab.send("Page.setBypassCSP", { enabled: true });
  const run = (body) => tab.run(script(body, "redirect", at), true);
  await tab.open(at);
  await run("void c.register({ prompt: 'login' });");
  await tab.arrives("/sign-in");
  await tab.signIn("anna", password);
  await tab.arrives(at);
  await run("await c.completeRedirect(); void c.signIn((await c.profiles())[0], { inBrowser: true });");
  await tab.arrives("/client?");
  const found = await run(`
    const p = await import("${notes.origin}/dist/passkeys/index.js");
    const { session } = await c.completeRedirect();
    const made = await p.addPasskey(session, { name: "Test" });
    const before = (await p.passkeys(session)).map(({ name }) => name);
    await c.signOut(session.profile);
    const again = await p.signInWithPasskey(c);
    const acr = again.claim("acr");
    const left = await code(() => p.removePasskey(again, made));
    return [before, again.profile.username, acr, left, (await p.passkeys(again)).length];`);
  assert.deepEqual(found, [["Test"], "anna", "phr", "nothing", 0]);
  await run("await c.eraseLocalState();");
}));

test("RFC 9470 in a page: a service requires a passkey, the person shows it, the session has it", options, () => alone(async (tab) => {
  await tab.addAuthenticator();
  await tab.open(`${provider.issuer}/register`);
  await tab.type("ada", "[name=username]");
  await tab.type("Ada Lovelace", "[name=name]");
  await tab.click("[data-action=passkey-register]");
  await tab.arrives("/account");
  await tab.send("Network.clearBrowserCookies");
  // Autofill may sign in by itself; a click in the middle of that would start again.
  const passkeySignIn = async () => {
    let last = Date.now();
    await until("the person has signed in", async () => {
      const url = await tab.url().catch(() => "");
      if (url.startsWith(`${notes.origin}/?`)) return true;
      if (url.startsWith(provider.issuer) && Date.now() - last > 3000) {
        last = Date.now();
        await tab.click("[data-action=passkey-sign-in]");
      }
      return false;
    });
    await tab.arrives(`${notes.origin}/?`);
  };
  await tab.open(`${notes.origin}/`);
  await tab.run(script("void c.register();"));
  await passkeySignIn();
  await tab.run(script("await c.completeRedirect();"));
  strong = true;
  await tab.run(script("void (await c.session()).fetch('/api');"));
  await passkeySignIn();
  const found = await tab.run(script(`
    await c.completeRedirect();
    const session = await c.session();
    return [session.profile.username, session.claim("acr"), await (await session.fetch("/api")).text()];`));
  strong = false;
  assert.deepEqual(found, ["ada", "phr", "DPoP phr"]);
  await erase(tab);
}));

test("signOut(browser): the provider's session in this browser ends", options, async () => {
  const tab = await browser.tab();
  await registered(tab);
  await tab.run(script("void c.signOut((await c.session()).profile, 'browser');"));
  await until("back at the app", async () => {
    const url = await tab.url().catch(() => "");
    if (url.startsWith(notes.origin) && url.includes("state=")) return true;
    await tab.run("document.querySelector('form button[type=submit], [data-action=sign-out]')?.click();", true).catch(() => {});
    return false;
  });
  await tab.arrives(`${notes.origin}/`);
  const found = await tab.run(script("return [await c.completeRedirect(), location.href, await c.session()];"));
  assert.deepEqual(found, [null, `${notes.origin}/`, null]);
  await tab.run(script("void c.signIn((await c.profiles())[0], { inBrowser: true });"));
  await tab.arrives("/sign-in");
  await tab.open(`${notes.origin}/`);
  await erase(tab);
});
