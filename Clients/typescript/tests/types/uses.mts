// SPDX-License-Identifier: Apache-2.0
// An app that uses each call. It is compiled, not run.
import {
  cancelled, IdentityClient, IdentityError, popup, redirect, registrationScope,
  type Browser, type Keys, type Locks, type Profile, type Prompter, type Registration, type Session,
  type SessionEvent, type Storage,
} from "../../dist/index.browser.js";
import { files, IdentityClient as NodeClient, loopback } from "../../dist/index.node.js";
import { IdentityClient as NativeClient, MemoryStorage } from "../../dist/index.react-native.js";
import { addPasskey, passkeys, removePasskey, signInWithPasskey } from "../../dist/passkeys/index.js";
import { evidence, signedJWT } from "../../dist/evidence/index.js";
import { violation } from "../../dist/pin/index.js";
import { faultyFetch, memoryServices, scriptedBrowser, testKey } from "../../dist/testing/index.js";

const prompter: Prompter = {
  newPIN: async ({ policy, rejection }) => rejection ?? "0".repeat(policy.length),
  pin: async ({ profile, attempts }) => `${profile?.name}${attempts?.remaining}`,
  answer: async ({ stage, payload, identityProvider }) =>
    stage === "start" ? identityProvider.name : payload?.data,
};
const client = new IdentityClient({
  issuer: "https://id.example", clientID: "notes", redirectURI: `${location.origin}/`,
  scopes: ["openid", registrationScope], installationName: "Firefox", timeoutSeconds: 10,
  stepsUp: false, prompter, services: { browser: popup({ width: 400 }), log: console.warn },
});

export async function life(): Promise<void> {
  const back: Registration | null = await client.completeRedirect();
  console.log(back?.isNew, back?.returnTo, back?.info?.status, back?.identityProvider?.icon);
  const session: Session = await client.requireSession({ prompt: "login", maxAge: 60 });
  const answer: Response = await session.fetch("https://api.example/notes", { method: "POST" });
  console.log(answer.ok, (await session.accessToken({ validFor: 60 })).expiresAt.getTime());
  await fetch(await session.authorize("https://api.example/", { nonce: "n" }));
  await session.stepUp("phr");
  await session.stepUp(["phr", "phrh"], { maxAge: 300 });
  const name: string | undefined = session.claim<string>("name");
  console.log(name, session.idToken, session.claims?.sub, session.profile.registeredAt.getTime());
  const ledger = await session.exchange("ledger", { scopes: ["read"] });
  await ledger.fetch("https://ledger.example/");
  console.log((await session.webHandoff("https://shop.example/")).url);
  console.log((await session.entitlements({ fresh: true }))?.effective["export"]);
  const left: number = await session.consume("exports", { amount: 1, idempotencyKey: "u" });
  console.log(left);
  await session.refresh();
  await client.changePIN(session.profile);
  const profiles: Profile[] = await client.profiles();
  for (const one of profiles) await client.rename(one, `${one.name} ${one.hasPIN}`);
  const { error } = await client.signOut(session.profile, "everywhere");
  if (error instanceof IdentityError) console.log(error.kind, error.recovery, error.text("de"));
  console.log((await client.remove(session.profile)).error?.message);
  await client.deleteAccount(session.profile);
  await client.eraseLocalState();
  client.close();
}

export async function more(): Promise<void> {
  const { identityProviders, methods, bindsTokens } = await client.provider();
  const [first] = identityProviders;
  if (first !== undefined) await client.register({ with: first });
  console.log(methods?.includes("oidc"), bindsTokens, first?.kind === "upstream");
  await client.register({ by: signedJWT(async (challenge) => challenge?.nonce ?? "") });
  await client.register({ by: evidence("appAttest", async ({ binding }) => ({ binding })) });
  const key = testKey({ keyID: "k", privateKey: "", subject: "s", attributes: { a: 1 } });
  const { profile } = await client.register({ by: key, idempotencyKey: "u" });
  for (const pending of await client.pendingRegistrations()) await client.resume(pending);
  await client.signIn(profile);
  await client.signIn(undefined, { by: signedJWT(() => "") });
  await client.signIn(profile, { inBrowser: true, acrValues: ["phr"] });
  const stop: () => void = client.listen((event: SessionEvent) => {
    if (event.type === "signedOut") console.log(event.profile.name, event.reason);
  });
  stop();
  await (await client.deviceSession({ scopes: ["weather"] })).fetch("https://api.example/");
  await client.implicitSession(profile, { scopes: ["profile"] });
  const session = await client.session(profile);
  if (session === null) throw cancelled();
  const passkey = await addPasskey(session, { name: "Phone" });
  console.log((await passkeys(session)).length);
  await removePasskey(session, passkey);
  await signInWithPasskey(client, { scopes: ["openid"] });
  const approvals = await client.approvals();
  await approvals.enroll(profile);
  for await (const request of approvals.requests(profile)) {
    await approvals.answer(request, ({ message }) => message !== "");
  }
  console.log(violation("12345", {
    length: 5, maximumRepeats: 2, allowsSequences: false, blocked: [],
  }));
}

const storage: Storage = new MemoryStorage();
declare const keys: Keys, locks: Locks, browser: Browser;
new NativeClient({ issuer: "https://id.example", clientID: "n", services: { storage, keys, locks, browser } });
new NodeClient({
  issuer: "https://id.example", clientID: "n",
  services: { ...files({ directory: "/tmp/x" }), browser: loopback({ open: console.log }) },
});
const faults = faultyFetch();
new NodeClient({
  issuer: "https://id.example", clientID: "n",
  services: { ...memoryServices(), fetch: faults.fetch, browser: scriptedBrowser(async (url) => url) },
});
redirect();
