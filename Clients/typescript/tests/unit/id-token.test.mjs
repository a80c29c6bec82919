// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { test } from "node:test";
import { verifyIDToken } from "../../dist/core/id-token.js";

const { subtle } = webcrypto;
const now = 1_800_000_000;
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const algorithms = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  RS256: {
    name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
};
const pairs = {};
for (const [alg, algorithm] of Object.entries(algorithms)) {
  pairs[alg] = await subtle.generateKey(algorithm, true, ["sign", "verify"]);
}
const hash = (token) => createHash("sha256").update(token).digest().subarray(0, 16)
  .toString("base64url");
const good = {
  iss: "https://id.example", aud: "notes", sub: "p1", iat: now, exp: now + 300, nonce: "n",
  auth_time: now - 10, at_hash: hash("token"),
};
const expected = {
  issuer: "https://id.example", clientID: "notes", now: now * 1000, accessToken: "token",
  nonce: "n",
};

async function signed(claims, header = {}) {
  const all = { alg: "ES256", kid: "k", ...header };
  const message = `${part(all)}.${part(claims)}`;
  const algorithm = algorithms[all.alg] ?? algorithms.ES256;
  const pair = pairs[all.alg] ?? pairs.ES256;
  const signature = await subtle.sign(algorithm, pair.privateKey, Buffer.from(message));
  return `${message}.${Buffer.from(signature).toString("base64url")}`;
}

const find = async (kid, alg) => kid === "k" && pairs[alg] !== undefined
  ? subtle.exportKey("jwk", pairs[alg].publicKey) : undefined;
const verify = (token, more = {}) =>
  verifyIDToken(webcrypto, token, { ...expected, ...more }, find);

for (const alg of ["ES256", "RS256"]) {
  test(`an ID token of ${alg} is accepted`, async () => {
    assert.equal((await verify(await signed(good, { alg }))).sub, "p1");
  });
}

const without = (name) => { const { [name]: _, ...rest } = good; return rest; };
const accepted = {
  "a list of audiences with azp": { ...good, aud: ["notes", "other"], azp: "notes" },
  "no at_hash": without("at_hash"),
  "a minute of clock difference": { ...good, iat: now + 59, exp: now - 59 },
};
for (const [name, claims] of Object.entries(accepted)) {
  test(`accepted: ${name}`, async () => { await verify(await signed(claims)); });
}

const refused = {
  "another issuer": { ...good, iss: "https://evil.example" },
  "another audience": { ...good, aud: "other" },
  "several audiences without azp": { ...good, aud: ["notes", "other"] },
  "another azp": { ...good, azp: "other" },
  "expired": { ...good, exp: now - 61 },
  "exp missing": without("exp"),
  "exp as text": { ...good, exp: String(now + 300) },
  "from the future": { ...good, iat: now + 61 },
  "iat missing": without("iat"),
  "another nonce": { ...good, nonce: "m" },
  "no nonce": without("nonce"),
  "no sub": without("sub"),
  "at_hash of another token": { ...good, at_hash: hash("other") },
};
for (const [name, claims] of Object.entries(refused)) {
  test(`refused: ${name}`, async () => {
    await assert.rejects(verify(await signed(claims)), { code: "invalidAnswer" });
  });
}

test("refused: another person", async () => {
  await assert.rejects(verify(await signed(good), { subject: "p2" }), { code: "wrongPerson" });
});

test("refused: auth_time older than max_age, or missing", async () => {
  await verify(await signed(good), { maxAge: 10 });
  for (const claims of [{ ...good, auth_time: now - 400 }, without("auth_time")]) {
    await assert.rejects(verify(await signed(claims), { maxAge: 300 }), { code: "invalidAnswer" });
  }
});

test("refused: alg none, HS256, crit, an unknown kid, another key's signature, damaged", async () => {
  const token = await signed(good);
  const [header, claims, signature] = token.split(".");
  const bad = [
    `${part({ alg: "none" })}.${claims}.`, await signed(good, { alg: "HS256" }),
    await signed(good, { crit: ["x"], x: 1 }), await signed(good, { kid: "other" }),
    `${header}.${part({ ...good, sub: "p2" })}.${signature}`, `${header}.${claims}`,
    `${token}.x`, "", `${header}.${claims}.${signature.slice(0, -4)}AAAA`, `${header}.!.${signature}`,
    `${part([1])}.${claims}.${signature}`,
    // RS256 in the header with an ES256 signature.
    `${part({ alg: "RS256", kid: "k" })}.${claims}.${signature}`,
  ];
  for (const one of bad) await assert.rejects(verify(one), { code: "invalidAnswer" });
});
