// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createECDH, webcrypto } from "node:crypto";
import { test } from "node:test";
import { generateTransportKey, open, pointOf, seal } from "../../dist/pin/hpke.js";
import { openSecret, pad, rounds, sealSecret } from "../../dist/pin/secret.js";
import { proofOf, transcript } from "../../dist/pin/transcript.js";
import { cryptoKey, generateKeys } from "../../dist/core/memory.js";

const { subtle } = webcrypto;
const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const text = (bytes) => Buffer.from(bytes).toString("hex");
const utf8 = (value) => new TextEncoder().encode(value);

async function pairOf(scalar) {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(scalar, "hex");
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"), d: Buffer.from(scalar, "hex").toString("base64url"),
  };
  const { d: _, ...bare } = jwk;
  const curve = { name: "ECDH", namedCurve: "P-256" };
  return {
    privateKey: await subtle.importKey("jwk", jwk, curve, false, ["deriveBits"]),
    publicKey: await subtle.importKey("jwk", bare, curve, true, []),
  };
}

const vectors = [
  {
    name: "RFC 9180 A.3.1, AES-128-GCM", cipher: 128,
    scalar: "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2",
    enc: "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac9"
      + "8536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
    ct: "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f"
      + "9076ac232e3ab2523f39513434",
  },
  {
    name: "the vectors of RFC 9180's authors, AES-256-GCM", cipher: 256,
    scalar: "317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2",
    enc: "04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e"
      + "0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0",
    ct: "58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d2917424"
      + "65e902cd216f8908da49f8f96f",
  },
];

for (const { name, cipher, scalar, enc, ct } of vectors) {
  test(`PINKnownAnswerTests.opens: HPKE on P-256 opens ${name}`, async () => {
    const opened = await open(
      webcrypto, { enc: hex(enc), ct: hex(ct) }, await pairOf(scalar),
      utf8("Ode on a Grecian Urn"), utf8("Count-0"), cipher);
    assert.equal(new TextDecoder().decode(opened), "Beauty is truth, truth beauty");
  });
}

test("HPKE refuses another key, other info, other data and a changed ciphertext", async () => {
  const pair = await generateTransportKey(webcrypto);
  const point = await pointOf(webcrypto, pair.publicKey);
  const box = await seal(webcrypto, utf8("secret"), point, utf8("info"), point);
  const opens = (...changed) => open(webcrypto, ...changed).then(() => true, () => false);
  assert.equal(await opens(box, pair, utf8("info"), point), true);
  const flipped = { ...box, ct: box.ct.map((byte, index) => index === 3 ? byte ^ 1 : byte) };
  assert.equal(await opens(flipped, pair, utf8("info"), point), false);
  assert.equal(await opens(box, pair, utf8("inf0"), point), false);
  assert.equal(await opens(box, pair, utf8("info"), utf8("x")), false);
  assert.equal(await opens(box, await generateTransportKey(webcrypto), utf8("info"), point), false);
  assert.equal(await opens({ ...box, enc: box.enc.map((b) => b ^ 1) }, pair, utf8("info"), point), false);
});

test("PINKnownAnswerTests.pbkdf2: the pad is PBKDF2 with HMAC-SHA-256", async () => {
  const salt = Uint8Array.from({ length: 32 }, (_, index) => index);
  const { pbkdf2Sync } = await import("node:crypto");
  const expected = pbkdf2Sync("24681", salt, 210_000, 32, "sha256");
  assert.equal(text(await pad(webcrypto, "24681", salt, 210_000)), text(expected));
  assert.equal(text(await pad(webcrypto, "٢٤٦٨١", salt, 210_000)), text(expected));
  await assert.rejects(pad(webcrypto, "24681", salt, 209_999), { code: "storageUnavailable" });
  await assert.rejects(pad(webcrypto, "24681", salt, 10_000_001), { code: "storageUnavailable" });
});

test("PINSealerTests: every PIN opens a box, one of them to the secret", async () => {
  const key = await cryptoKey(webcrypto, await generateKeys(webcrypto, false));
  const binding = { issuer: "https://id.example", keyID: Buffer.alloc(32, 7).toString("base64url") };
  const secret = { version: 1, bytes: webcrypto.getRandomValues(new Uint8Array(32)) };
  const sealed = await sealSecret(webcrypto, key, binding, secret, "24681");
  assert.equal(sealed.rounds, rounds);
  const right = await openSecret(webcrypto, key, binding, sealed, "24681");
  assert.deepEqual(right, secret);
  const wrong = await openSecret(webcrypto, key, binding, sealed, "13579");
  assert.equal(wrong.bytes.length, 32);
  assert.notDeepEqual(wrong.bytes, secret.bytes);
  const other = { ...binding, issuer: "https://other.example" };
  for (const damaged of [{ ...sealed, ver: 2 }, { ...sealed, salt: sealed.box.slice(0, 43) }]) {
    await assert.rejects(
      openSecret(webcrypto, key, binding, damaged, "24681"), { code: "storageUnavailable" });
  }
  await assert.rejects(openSecret(webcrypto, key, other, sealed, "24681"), { kind: "storage" });
});

test("PINBytesTests: transcripts are a label and fields after their lengths", async () => {
  const keyID = Buffer.alloc(32, 1).toString("base64url");
  const bytes = transcript("delivery", { issuer: "https://a", keyID }, 5);
  assert.equal(text(bytes), [
    "00000018", Buffer.from("gatehouse/pin/2/delivery").toString("hex"),
    "00000009", Buffer.from("https://a").toString("hex"),
    "00000020", "01".repeat(32), "00000004", "00000005",
  ].join(""));
  const nonce = Buffer.alloc(32, 2).toString("base64url");
  const { createHmac } = await import("node:crypto");
  const binding = { issuer: "https://a", keyID };
  const proof = await proofOf(webcrypto, new Uint8Array(32).fill(3), "sign-in", binding, 1, nonce);
  const expected = createHmac("sha256", Buffer.alloc(32, 3))
    .update(transcript("proof/sign-in", binding, 1, Buffer.alloc(32, 2))).digest("hex");
  assert.equal(text(proof), expected);
});
