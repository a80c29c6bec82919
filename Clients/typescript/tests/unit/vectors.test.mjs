// SPDX-License-Identifier: Apache-2.0
// The vectors of the PIN protocol (Vectors/README.md), made by the provider's tests.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cryptoKey, generateKeys } from "../../dist/core/memory.js";
import { thumbprint } from "../../dist/core/jws.js";
import { generateTransportKey, open, seal } from "../../dist/pin/hpke.js";
import { Messages, proofKey } from "../../dist/pin/messages.js";
import { openSecret, pad } from "../../dist/pin/secret.js";
import { registrationBinding, transcript } from "../../dist/pin/transcript.js";
import { opened } from "../support/fake-provider.mjs";

const folder = join(process.env.VECTORS ?? new URL("../../../../Vectors", import.meta.url).pathname, "pin");
const skip = existsSync(folder) ? false : "there are no Vectors";
const { subtle } = webcrypto;
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64url"));
const text = (value) => Buffer.from(value).toString("base64url");
const counts = { run: 0, passed: 0, notApplicable: 0 };

const context = (jwks) => ({
  crypto: webcrypto, provider: {
    known: async () => jwks, fetch: async () => jwks,
    findKey: async (kid, alg) => jwks.keys.find((key) => key.kid === kid && key.alg === alg),
  },
});

async function agreementPair({ d, ...bare }) {
  const curve = { name: "ECDH", namedCurve: "P-256" };
  return {
    privateKey: await subtle.importKey("jwk", { ...bare, d }, curve, false, ["deriveBits"]),
    publicKey: await subtle.importKey("jwk", bare, curve, true, []),
  };
}

/** The key of a vector that signs. */
async function signer({ d, ...bare }) {
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const pair = {
    privateKey: await subtle.importKey("jwk", { ...bare, d }, curve, false, ["sign"]),
    publicKey: await subtle.importKey("jwk", bare, curve, true, ["verify"]),
  };
  const { sealing } = await generateKeys(webcrypto, false);
  return cryptoKey(webcrypto, { pair, sealing });
}

/** `undefined` for what only a provider or version 1 does. */
const compute = {
  key_id: async ({ jwk }) => ({ bytes: await thumbprint(webcrypto, jwk) }),
  proof_key: async ({ jwks }) => ({ bytes: (await proofKey(context(jwks))).keyID }),
  registration_challenge: async ({ issuer, key_id: keyID, nonce, transport_key: key }) =>
    bytes(key).length === 65 ? { bytes: text(await registrationBinding(
      webcrypto, { issuer, keyID }, nonce, bytes(key))) } : undefined,
  transport_key: async ({ key }) => {
    if (bytes(key).length === 32) return undefined;
    await seal(webcrypto, new Uint8Array(32), bytes(key), new Uint8Array(), bytes(key));
    return { version: 2 };
  },
  pad: async ({ pin, salt, rounds }) => ({ bytes: text(await pad(webcrypto, pin, bytes(salt), rounds)) }),
  stored_rounds: async ({ rounds }) => {
    await pad(webcrypto, "24681", new Uint8Array(32), rounds);
    return {};
  },
  box: async ({ issuer, key_id: keyID, ver, pin, salt, rounds, secret }) => {
    const stretched = await pad(webcrypto, pin, bytes(salt), rounds);
    const inner = bytes(secret).map((byte, index) => byte ^ stretched[index]);
    const bound = transcript("sealed", { issuer, keyID }, ver, rounds, bytes(salt));
    const key = await cryptoKey(webcrypto, await generateKeys(webcrypto, false));
    const box = text(await key.seal(inner, bound));
    const found = await openSecret(webcrypto, key, { issuer, keyID }, { ver, rounds, salt, box }, pin);
    assert.equal(text(found.bytes), secret);
    return { inner: text(inner), context: text(bound) };
  },
};

async function make({ issuer, nonce, jwks, keys, ver, what, secret: known }, expect) {
  const keyID = await thumbprint(webcrypto, keys.device);
  const messages = new Messages(context(jwks), await signer(keys.device), { issuer, keyID });
  const secret = known && { version: ver, bytes: bytes(known) };
  const point = text(Buffer.concat([Buffer.of(4), bytes(keys.transport?.x ?? ""), bytes(keys.transport?.y ?? "")]));
  const to = await proofKey(context(jwks));
  const message = what === "resolve" ? await messages.resolve(ver, nonce)
    : secret === undefined ? await messages.firstOffer(bytes(point), nonce)
      : await messages.prove(what === "offer" ? "change" : what, secret, nonce, to,
        what === "offer" ? bytes(point) : undefined);
  const { d: _, ...bare } = keys.device;
  const { header, claims } = opened(message, bare);
  const { enc, ct, ...payload } = JSON.parse(claims);
  assert.deepEqual(header, expect.header);
  assert.deepEqual(payload, expect.payload);
  if (expect.proof === undefined) return;
  const info = transcript("proof/sealed", { issuer, keyID }, ver, bytes(nonce));
  const tag = await open(
    webcrypto, { enc: bytes(enc), ct: bytes(ct) }, await agreementPair(keys.proof), info, to.point);
  assert.equal(text(tag), expect.proof);
}

async function statement({ what, issuer, key_id: keyID, nonce, jwks, keys }, input) {
  const messages = new Messages(context(jwks), undefined, { issuer, keyID });
  if (what === "version") return { ver: await messages.version(input, nonce) };
  if (what === "ending") return { reason: await messages.ending(input) };
  const transport = keys?.transport === undefined
    ? await generateTransportKey(webcrypto) : await agreementPair(keys.transport);
  const { version, bytes: secret } = await messages.delivery(input, nonce, transport);
  return { ver: version, secret: text(secret) };
}

const reasons = { profileLocked: "profile_locked", deviceRevoked: "device_revoked" };

/** Compares the result; a refusal is an error. */
async function compare(expect, body) {
  let result;
  try { result = await body(); } catch (error) {
    if (error instanceof assert.AssertionError || expect.result === "accepted") throw error;
    return true;
  }
  if (result === undefined) return false;
  assert.equal(expect.result, "accepted", "it was accepted");
  for (const [name, value] of Object.entries(result)) {
    assert.equal(name === "reason" ? reasons[value] : value, expect[name]);
  }
  return true;
}

for (const file of ["bytes", "messages", "statements"]) {
  if (skip) { test(`vectors of the PIN protocol: ${file}`, { skip }, () => {}); continue; }
  for (const { id, rule, given, input, expect } of JSON.parse(readFileSync(join(folder, `${file}.json`))).cases) {
    test(`${id}: ${rule}`, async (run) => {
      counts.run += 1;
      const isRun = file === "messages" ? (await make(given, expect), true)
        : await compare(expect, () => file === "bytes" ? compute[given.what](given) : statement(given, input));
      if (isRun) counts.passed += 1;
      else { counts.notApplicable += 1; run.skip("not of a device of version 2"); }
    });
  }
}

test("the count of the vectors", { skip }, () => {
  console.log(`# vectors ${JSON.stringify(counts)}`);
  assert.ok(counts.run > 60 && counts.notApplicable === 4);
  assert.equal(counts.run, counts.passed + counts.notApplicable);
});
