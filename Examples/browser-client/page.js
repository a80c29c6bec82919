// SPDX-License-Identifier: Apache-2.0
// Everything that a page does with the browser client, one button each.

const main = document.querySelector("main");
const { issuer, client: clientID } = main.dataset;
const { IdentityClient, deviceKey } = await import(`${issuer}/client/gatehouse.js`);

const client = new IdentityClient({
  issuer, clientID, redirectURI: `${location.origin}/`,
  installationName: "The browser client's example",
});

const place = (name) => main.querySelector(`[data-place="${name}"]`);
const say = (text) => { place("status").textContent = text; };
const button = (action) => main.querySelector(`[data-action="${action}"]`);

let profile;

/** Draws what is: who is signed in, who is registered, what can be done. */
async function draw() {
  const profiles = await client.profiles();
  const session = await client.session().catch(() => undefined);
  profile = session?.profile ?? profiles.at(-1);
  place("who").textContent = session
    ? `Signed in: ${session.profile.username}.` : "Nobody is signed in.";
  place("people").replaceChildren(...profiles.map(({ username, method, hasSignInKey }) => {
    const item = document.createElement("li");
    item.textContent = `${username}, by ${method}${hasSignInKey ? ", with a key" : ""}`;
    return item;
  }));
  for (const action of ["register-installation", "show-token", "delete-account"]) {
    button(action).disabled = !session;
  }
  for (const action of ["sign-out", "sign-out-everywhere"]) button(action).disabled = !session;
  button("remove").disabled = !profile;
  button("sign-in-by-key").disabled = !profile?.hasSignInKey || Boolean(session);
}

function on(action, work) {
  button(action).addEventListener("click", async () => {
    try {
      say((await work()) ?? "");
    } catch (error) {
      // Decide by the code; the reason is for developers.
      say(error.code === "notReachable" ? "The provider cannot be reached." : error.message);
    }
    await draw();
  });
}

const told = ({ isComplete }) => (isComplete ? "Done." : "Done here; the provider was not told.");

on("register-in-browser", () => client.registerInBrowser());
on("sign-in-by-key", async () => {
  await client.signIn(deviceKey, { profileID: profile.id });
});
on("register-installation", async () => {
  await client.registerInstallation(profile.id);
  return "This browser can sign you in by itself now.";
});
on("show-token", async () => {
  const { expiresAt } = await (await client.session(profile.id)).accessToken();
  return `Good until ${expiresAt.toLocaleTimeString()}.`;
});
on("sign-out", async () => told(await client.signOut(profile.id)));
on("sign-out-everywhere", async () => told(await client.signOut(profile.id, "everywhere")));
on("remove", async () => told(await client.remove(profile.id)));
on("delete-account", () => client.deleteAccount(profile.id));

// Every tab hears what happens in any.
for (const event of ["signedin", "signedout"]) client.addEventListener(event, () => draw());

try {
  const outcome = await client.completeInBrowser();
  if (outcome?.isNewProfile) say("Welcome.");
} catch (error) {
  say(error.code === "cancelled" ? "You have turned back." : error.message);
}
await draw();
main.dataset.ready = "";
