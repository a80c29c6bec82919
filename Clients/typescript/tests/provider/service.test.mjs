// SPDX-License-Identifier: Apache-2.0
// Registration by a service of the operator, against a real provider (docs/identity-providers.md).
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { cancelled, IdentityClient } from "../../dist/index.node.js";
import { faultyFetch, memoryServices } from "../../dist/testing/index.js";
import { codeOf, errorOf } from "../support/client.mjs";
import { app, needsProvider, Provider, until } from "../support/provider.mjs";

let provider, service;
const steps = [];

before(async () => {
  if (needsProvider) return;
  service = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { step, data, identity_provider: id } = JSON.parse(text);
    steps.push(step);
    const user = { sub: "4711", username: "anna" };
    const answer = step === "cancel" ? { status: 2000 }
      : step === "start" ? { status: 2000, data: "code sent", state: data ?? "" }
        : data === "2468" ? { status: 2000, data: "welcome", user }
          : data === "never" ? { status: 5000, data: "blocked" }
            : { status: 4001, data: "wrong code", state: id };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  await new Promise((done) => { service.listen(0, "127.0.0.1", done); });
  const url = `http://127.0.0.1:${service.address().port}/`;
  const rules = (id, two_step) => ({ id, name: id, enabled: true, url, two_step });
  provider = await Provider.start({
    clients: [app(["http://127.0.0.1/callback"])],
    registration: { identity_providers: [rules("badge", true), rules("card", false)] },
  });
});
after(async () => {
  service?.close();
  await provider?.stop();
});

function clientOf(answer) {
  const faults = faultyFetch();
  const client = new IdentityClient({
    issuer: provider.issuer, clientID: "notes", prompter: { answer },
    services: { ...memoryServices(webcrypto), fetch: faults.fetch },
  });
  return { client, faults };
}

const by = async (client, id) =>
  (await client.provider()).identityProviders.find((one) => one.id === id);
const options = { skip: needsProvider };

test("CustomRegistrationTests.lists: kind and number of steps", options, async () => {
  const { client } = clientOf();
  const { identityProviders } = await client.provider();
  assert.deepEqual(identityProviders.filter(({ kind }) => kind === "custom")
    .map(({ id, method }) => `${id} ${method}`).sort(), ["badge customTwoStep", "card customOneStep"]);
});

test("CustomRegistrationTests.twoSteps: a wrong code, then the right one", options, async () => {
  const [asked, answers] = [[], ["4711", "0000", "2468"]];
  const { client } = clientOf(async ({ stage, payload }) => {
    asked.push([stage, payload?.status, payload?.data]);
    return answers.shift();
  });
  const badge = await by(client, "badge");
  const { profile, info, identityProvider, session } = await client.register({ with: badge });
  assert.deepEqual(asked, [
    ["start", undefined, undefined], ["complete", 2000, "code sent"], ["complete", 4001, "wrong code"],
  ]);
  assert.deepEqual([profile.username, info.data, identityProvider.id], ["anna", "welcome", "badge"]);
  assert.equal(session.claim("sub"), profile.userID);
});

test("CustomRegistrationTests.oneStep: a lost response; the repetition asks for nothing", options, async () => {
  const answers = ["2468"];
  const { client, faults } = clientOf(async () => answers.shift() ?? assert.fail("asked again"));
  const card = await by(client, "card");
  const idempotencyKey = webcrypto.randomUUID();
  faults.loseResponse("/registration?");
  assert.equal((await errorOf(() => client.register({ with: card, idempotencyKey }))).kind, "offline");
  const { profile } = await client.register({ with: card, idempotencyKey });
  assert.equal(profile.username, "anna");
  const badge = await by(client, "badge");
  assert.equal(await codeOf(() => client.register({ with: badge, idempotencyKey })), "registrationIDTaken");
});

test("CustomRegistrationTests.cancels, .refused: the service is notified; nothing is registered", options, async () => {
  const answers = ["4711", undefined];
  const { client } = clientOf(async () => answers.shift() ?? (() => { throw cancelled(); })());
  const badge = await by(client, "badge");
  steps.length = 0;
  assert.equal((await errorOf(() => client.register({ with: badge }))).kind, "cancelled");
  await until("the service is notified", () => steps.includes("cancel"));
  const { client: other } = clientOf(async () => "never");
  const error = await errorOf(() => by(other, "card").then((card) => other.register({ with: card })));
  assert.deepEqual([error.code, error.info], ["identityProviderRefused", { status: 5000, data: "blocked" }]);
  assert.deepEqual(await other.pendingRegistrations(), []);
});
