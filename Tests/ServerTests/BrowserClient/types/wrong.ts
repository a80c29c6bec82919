// SPDX-License-Identifier: Apache-2.0
// Uses that the types must refuse: each line that ends in a number is refused with that error, and
// no other line is.
import {
  ClientConfiguration, IdentityClient, IdentityError, LeavingOutcome, Profile, Session, deviceKey,
  signedJWT, testKey,
} from "./gatehouse.js";
declare const client: IdentityClient;
declare const session: Session;
declare const profile: Profile;
declare const outcome: LeavingOutcome;
declare const error: IdentityError;

const nobody: ClientConfiguration = { issuer: "https://login.example.com" }; // 2741
new IdentityClient(); // 2554
new IdentityClient({ issuer: "https://x.example", clientID: 7 }); // 2322
new IdentityClient({ issuer: "https://x.example", clientID: "a", clientId: "a" }); // 2345
new IdentityError(); // 2673
new Session(); // 2673
client.signOut(profile.id, "everybody"); // 2345
client.signIn("passkey"); // 2345
client.signIn(deviceKey, { profile: "x" }); // 2345
client.register(deviceKey); // 2345
client.register({ method: "own" }); // 2345
client.register({ method: "own", evidence: () => ({}) }); // 2739
client.register(signedJWT(() => "x"), { idempotencyKey: 7 }); // 2322
client.session(profile); // 2345
client.registerWith("badge"); // 2554
client.registerWith({ id: "badge" }, () => "x"); // 2345
client.registerWith("badge", () => 7); // 2322
client.registerWith("badge", () => "x", { key: "x" }); // 2345
client.implicitSession(profile.id); // 2554
client.implicitSession(profile.id, {}); // 2345
client.device.session("weather"); // 2559
client.device.session().then(({ profile: found }) => found); // 2339
client.approvals = client.approvals; // 2540
client.approvals.pending(profile); // 2345
client.approvals.resolve(); // 2554
client.approvals.handle(profile, () => true); // 2345
client.approvals.enrollment().then(({ hasPushToken }) => hasPushToken); // 2339
session.webHandoff(); // 2554
session.consume("sms"); // 2554
session.consume("sms", { amount: 2 }); // 2345
session.currentEntitlements().then(({ left }) => left); // 2339
session.webHandoff("https://x.example/").then(({ token }) => token); // 2339
client.deletePerson(); // 2339
client.addEventListener("signedin", ({ detail }) => detail.reason); // 2339
client.completeInBrowser().then(({ profile: found }) => found); // 2339
client.browserRequest({ acrValues: "phr" }); // 2322
client.browserRequest({ persistence: "for ever" }); // 2322
session.exchange(); // 2554
session.exchange("ledger").then(({ value }) => value); // 2339
signedJWT("a.b.c"); // 2345
signedJWT(() => 7); // 2322
testKey({ keyID: "k", subject: "anna" }); // 2345
session.accessToken(60); // 2559
session.accessToken().value; // 2339
session.accessToken({ validFor: "long" }); // 2322
session.claims.sub; // 2532
session.profile = profile; // 2540
session.authorize(); // 2554
session.fetch(); // 2554
profile.username = "olga"; // 2540
profile.registeredAt.toFixed(); // 2339
profile.installationID.length; // 2532
outcome.error; // 2339
error.retry === "tomorrow"; // 2367
error.domain === "resourse"; // 2367
error.retryAfterSeconds.toFixed(); // 2532
console.log(nobody);
