// SPDX-License-Identifier: Apache-2.0
// Bytes, hashes, and compact JWS by keys that never leave the browser.

const utf8 = new TextEncoder();

const encode = (bytes) => {
  let text = "";
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const decode = (text) => {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw invalid("not base64url");
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
};

/** JSON of a part of a JWS. */
const readJSON = (part) => JSON.parse(new TextDecoder().decode(decode(part)));

const random = (count) => encode(crypto.getRandomValues(new Uint8Array(count)));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const json = (value) => encode(utf8.encode(JSON.stringify(value)));

const signing = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
};

/** RFC 7515 section 7.1, by a key that stays where it is. */
async function sign(payload, header, key) {
  const message = `${json(header)}.${payload}`;
  const signature = await crypto.subtle.sign(signing[header.alg], key, utf8.encode(message));
  return `${message}.${encode(signature)}`;
}

/** RFC 7638 section 3.2: the members that make the key, in their order. */
async function publicJWK(pair) {
  const { crv, kty, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return { crv, kty, x, y };
}

const makeKey = () => crypto.subtle.generateKey(signing.ES256, false, ["sign", "verify"]);
