// SPDX-License-Identifier: Apache-2.0
// Each line that ends with `wrong` must be refused by the compiler.
import { IdentityClient, IdentityError, type Profile, type Session } from "../../dist/index.browser.js";

declare const client: IdentityClient, session: Session, profile: Profile;

new IdentityClient({ issuer: "https://id.example" }); // wrong
new IdentityClient({ issuer: 1, clientID: "n" }); // wrong
new IdentityClient({ issuer: "https://id.example", clientID: "n", scope: "openid" }); // wrong
new IdentityClient({ issuer: "https://id.example", clientID: "n", prompter: { pin: () => "1" } }); // wrong
(await client.session()).fetch("https://api.example/"); // wrong
client.signOut("anna"); // wrong
client.signOut(profile, "here"); // wrong
client.register({ by: "token" }); // wrong
client.register({ with: "google" }); // wrong
client.requireSession({ maxAge: "60" }); // wrong
client.implicitSession(profile, {}); // wrong
profile.username = "otto"; // wrong
const claim: number = session.claim("sub"); // wrong
session.stepUp(3); // wrong
session.tokens; // wrong
session.context; // wrong
session.profile = profile; // wrong
client.context; // wrong
session.consume("exports", { amount: 1 }); // wrong
const error = new IdentityError("somethingElse", ""); // wrong
if (error.kind === "offlin") console.log(claim); // wrong
client.listen((event) => event.session); // wrong
