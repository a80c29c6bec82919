// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelled, IdentityClient, IdentityError, MemoryStorage } from "../../dist/index.node.js";
import { IdentityClient as ReactNativeClient } from "../../dist/index.react-native.js";
import { refusal } from "../../dist/core/refusals.js";

const error = (status, body, headers = {}) => refusal(status, new Headers(headers), body);

test("errors have a kind, a recovery and words in English and German", () => {
  const one = new IdentityError("notReachable", "GET https://id.example: no network");
  assert.deepEqual([one.kind, one.recovery, one.name], ["offline", "retry", "IdentityError"]);
  assert.equal(one.text("en"), "The service cannot be reached. Try again later.");
  assert.equal(one.text("de-AT"), "Der Dienst ist nicht erreichbar. Versuchen Sie es später erneut.");
  assert.ok(one instanceof Error && !one.message.includes("https"));
  assert.equal(cancelled().kind, "cancelled");
});

test("the codes of the provider", () => {
  for (const [status, body, code, kind] of [
    [403, { code: "already_registered" }, "alreadyRegistered", "refused"],
    [400, { error: "invalid_grant" }, "notAuthorized", "refused"],
    [400, { error: "invalid_client" }, "configurationInvalid", "misconfigured"],
    [401, { code: "not_signed_in" }, "notSignedIn", "signInNeeded"],
    [403, { code: "outdated_application" }, "outdatedApplication", "outdated"],
    [403, { code: "something_new" }, "notAuthorized", "refused"],
    [503, undefined, "providerUnavailable", "offline"],
    [401, undefined, "foreignAnswer", "offline"],
    [404, undefined, "foreignAnswer", "offline"],
  ]) {
    const found = error(status, body);
    assert.deepEqual([found.code, found.kind], [code, kind]);
  }
  assert.equal(error(429, { code: "too_many_attempts" }, { "retry-after": "7" }).retryAfter, 7000);
  const { info } = error(403, { code: "identity_provider_refused", provider_status: 5001, data: "x" });
  assert.deepEqual(info, { status: 5001, data: "x" });
});

test("ConfigurationTests.refuses: the error names the line", () => {
  const good = { issuer: "https://id.example", clientID: "notes" };
  for (const [change, line] of [
    [{ issuer: "http://id.example" }, "issuer"], [{ issuer: "https://id.example/" }, "issuer"],
    [{ issuer: "https://user@id.example" }, "issuer"], [{ clientID: "" }, "clientID"],
    [{ scopes: ["a b"] }, "scopes"], [{ scopes: [""] }, "scopes"],
    [{ timeoutSeconds: 0 }, "timeoutSeconds"], [{ installationName: "x".repeat(129) }, "installationName"],
  ]) {
    assert.throws(() => new IdentityClient({ ...good, ...change }), (found) =>
      found.kind === "misconfigured" && found.recovery === "fixConfiguration" && found.detail.includes(line));
  }
  new IdentityClient({ issuer: "http://localhost:8080", clientID: "notes" }).close();
});

test("React Native names each service that the app must pass", () => {
  const good = { issuer: "https://id.example", clientID: "notes" };
  const make = (services) => () => new ReactNativeClient({ ...good, services });
  assert.throws(make({}), { detail: "services.storage is missing" });
  assert.throws(make({ storage: new MemoryStorage() }), { detail: "services.browser is missing" });
  make({ storage: new MemoryStorage(), browser: { callback: async () => "" }, crypto: globalThis.crypto ?? {
    subtle: {} } })();
});
