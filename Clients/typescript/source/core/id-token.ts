// SPDX-License-Identifier: Apache-2.0
// Verification of ID tokens (OpenID Connect Core section 3.1.3.7).
import { encode, sha256, utf8 } from "./bytes.js";
import { IdentityError, invalid, isOffline } from "./errors.js";
import { JSONObject, readJWS } from "./jws.js";
import type { CryptoProvider } from "./seams.js";

export interface Claims {
  readonly sub: string;
  readonly [name: string]: unknown;
}

/** What an ID token must match. */
export interface Expectation {
  readonly issuer: string;
  readonly clientID: string;
  /** Milliseconds, by the provider's clock. */
  readonly now: number;
  readonly accessToken: string;
  readonly nonce?: string | undefined;
  readonly subject?: string | undefined;
  /** The `max_age` that was requested. */
  readonly maxAge?: number | undefined;
}

/** Returns the key of the JWK set; fetches the set again if the key is not known. */
export type FindKey = (
  kid: unknown, alg: string,
) => Promise<(JsonWebKey & { readonly alg?: string }) | undefined>;

/** Tolerated difference of clocks, in seconds. */
const leeway = 60;

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

async function checkHash(crypto: CryptoProvider, claims: JSONObject, accessToken: string) {
  const hash = claims["at_hash"];
  if (hash === undefined) return;
  // Section 3.1.3.6: the left half of the hash.
  const whole = await sha256(crypto, utf8(accessToken));
  if (hash !== encode(whole.slice(0, 16))) throw invalid("at_hash is of another access token");
}

function checkClaims(claims: JSONObject, expected: Expectation): void {
  const now = expected.now / 1000;
  const { iss, aud, azp, sub, exp, iat, nonce, auth_time: time } = claims;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (iss !== expected.issuer) throw invalid("another issuer");
  if (!audiences.includes(expected.clientID)) throw invalid("another audience");
  if ((audiences.length > 1 || azp !== undefined) && azp !== expected.clientID) {
    throw invalid("another authorized party");
  }
  if (typeof sub !== "string" || sub === "") throw invalid("sub is missing");
  if (!isNumber(exp) || exp <= now - leeway) throw invalid("it has expired");
  if (!isNumber(iat) || iat >= now + leeway) throw invalid("it is from the future");
  if (expected.nonce !== undefined && nonce !== expected.nonce) throw invalid("another nonce");
  if (expected.subject !== undefined && sub !== expected.subject) {
    throw new IdentityError("wrongPerson", "the ID token is another person's");
  }
  if (expected.maxAge !== undefined
    && !(isNumber(time) && time >= now - expected.maxAge - leeway)) {
    throw invalid("auth_time is older than max_age");
  }
}

/** Verifies an ID token and returns its claims. */
export async function verifyIDToken(
  crypto: CryptoProvider, token: string, expected: Expectation, findKey: FindKey,
): Promise<Claims> {
  try {
    const { header, claims, verify } = readJWS(token);
    const alg = String(header["alg"]);
    const jwk = await findKey(header["kid"], alg);
    if (jwk === undefined) throw invalid("no such key");
    if (!await verify(crypto, jwk)) throw invalid("the signature is wrong");
    checkClaims(claims, expected);
    await checkHash(crypto, claims, expected.accessToken);
    return claims as Claims;
  } catch (cause) {
    if (isOffline(cause)) throw cause;
    if (cause instanceof IdentityError && cause.code === "wrongPerson") throw cause;
    const detail = cause instanceof IdentityError ? cause.detail : String(cause);
    throw new IdentityError("invalidAnswer", `the ID token is not valid: ${detail}`, { cause });
  }
}
