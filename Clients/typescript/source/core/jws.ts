// SPDX-License-Identifier: Apache-2.0
// Compact JWS (RFC 7515 section 7.1) and JWK thumbprints (RFC 7638).
import { decode, encode, sha256, utf8 } from "./bytes.js";
import { invalid } from "./errors.js";
import type { CryptoProvider, Key, PublicJWK } from "./seams.js";

export type JSONObject = Readonly<Record<string, unknown>>;

const part = (value: JSONObject): string => encode(utf8(JSON.stringify(value)));

/** Signs bytes; the header gets `alg`. */
export async function signBytes(
  key: Key, header: JSONObject, payload: Uint8Array,
): Promise<string> {
  const message = `${part({ alg: "ES256", ...header })}.${encode(payload)}`;
  return `${message}.${encode(await key.sign(utf8(message)))}`;
}

export const signClaims = (key: Key, header: JSONObject, claims: JSONObject): Promise<string> =>
  signBytes(key, header, utf8(JSON.stringify(claims)));

/** The members of the key in the order of RFC 7638 section 3.2. */
export const canonical = ({ crv, kty, x, y }: PublicJWK): PublicJWK => ({ crv, kty, x, y });

export const thumbprint = async (crypto: CryptoProvider, jwk: PublicJWK): Promise<string> =>
  encode(await sha256(crypto, utf8(JSON.stringify(canonical(jwk)))));

function object(text: string): JSONObject {
  const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(decode(text)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("a part of the JWS is no object");
  }
  return value as JSONObject;
}

/** The claims of a JWS that another party verifies. */
export const unverifiedClaims = (token: string): JSONObject => object(token.split(".")[1] ?? "");

const algorithms: Readonly<Record<string, EcKeyImportParams & EcdsaParams>> = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  RS256: { name: "RSASSA-PKCS1-v1_5", namedCurve: "", hash: "SHA-256" },
};

/** A JWS that was read and not verified. */
export interface UnverifiedJWS {
  readonly header: JSONObject;
  readonly claims: JSONObject;
  verify(crypto: CryptoProvider, jwk: JsonWebKey): Promise<boolean>;
}

/** Reads a JWS of ES256 or RS256 (RFC 7518 section 3). */
export function readJWS(token: string): UnverifiedJWS {
  const [first, second, third, ...more] = token.split(".");
  if (first === undefined || second === undefined || third === undefined || more.length > 0) {
    throw invalid("not a compact JWS");
  }
  const header = object(first);
  const algorithm = algorithms[String(header["alg"])];
  // RFC 7515 section 4.1.11: extensions that are not understood are refused.
  if (algorithm === undefined || "crit" in header) throw invalid("not ES256 or RS256");
  const verify = async ({ subtle }: CryptoProvider, jwk: JsonWebKey): Promise<boolean> => {
    const key = await subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    return subtle.verify(algorithm, key, decode(third), utf8(`${first}.${second}`));
  };
  return { header, claims: object(second), verify };
}
