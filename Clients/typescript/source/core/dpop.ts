// SPDX-License-Identifier: Apache-2.0
// Proofs of possession (DPoP, RFC 9449).
import { encode, random, sha256, utf8 } from "./bytes.js";
import { canonical, signClaims } from "./jws.js";
import type { CryptoProvider, Key } from "./seams.js";

export interface ProofOptions {
  readonly accessToken?: string | undefined;
  readonly nonce?: string | undefined;
  /** Milliseconds, by the provider's clock. */
  readonly now: number;
}

/** A proof for one request (section 4.2). */
export async function proofOfPossession(
  crypto: CryptoProvider, key: Key, method: string, url: string, options: ProofOptions,
): Promise<string> {
  const { accessToken, nonce, now } = options;
  const claims = {
    jti: random(crypto, 16), htm: method, htu: url.replace(/[?#].*$/, ""),
    iat: Math.floor(now / 1000), nonce,
    ath: accessToken === undefined ? undefined : encode(await sha256(crypto, utf8(accessToken))),
  };
  return signClaims(key, { typ: "dpop+jwt", jwk: canonical(key.jwk) }, claims);
}

/** The newest nonce of each origin (sections 8.2 and 9). */
export class Nonces {
  readonly #byOrigin = new Map<string, string>();

  find(url: string): string | undefined { return this.#byOrigin.get(new URL(url).origin); }

  /** Stores the nonce of a response; returns whether it is another one than before. */
  update(url: string, headers: Headers): boolean {
    const nonce = headers.get("dpop-nonce");
    if (nonce === null || nonce === this.find(url)) return false;
    this.#byOrigin.set(new URL(url).origin, nonce);
    return true;
  }
}

/** Whether a response requires a nonce: of the token endpoint or of a resource. */
export const needsNonce = (headers: Headers, error: unknown): boolean =>
  headers.has("dpop-nonce") && (error === "use_dpop_nonce"
    || /use_dpop_nonce/.test(headers.get("www-authenticate") ?? ""));
