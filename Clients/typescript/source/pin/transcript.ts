// SPDX-License-Identifier: Apache-2.0
// The bytes that are hashed, authenticated or bound (docs/protocols/pin.md, "Bytes").
import { concat, decode, sha256, utf8 } from "../core/bytes.js";
import type { CryptoProvider } from "../core/seams.js";
import { hmac } from "./hpke.js";

/** The issuer and the key, by its RFC 7638 thumbprint, to which everything is bound. */
export interface Binding { readonly issuer: string; readonly keyID: string }

export type Purpose = "sign-in" | "change" | "commit";

const number = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

/** A label and fields, each after its length; a number is a field of four bytes. */
export function transcript(
  label: string, { issuer, keyID }: Binding, ...fields: readonly (Uint8Array | number)[]
): Uint8Array {
  const all = [utf8(`gatehouse/pin/2/${label}`), utf8(issuer), decode(keyID), ...fields];
  return concat(...all.flatMap((field) => {
    const bytes = typeof field === "number" ? number(field) : field;
    return [number(bytes.length), bytes];
  }));
}

/** HMAC-SHA-256 under the secret. */
export const proofOf = (
  crypto: CryptoProvider, secret: Uint8Array, purpose: Purpose, binding: Binding, version: number,
  nonce: string, transportKey: readonly Uint8Array[] = [],
): Promise<Uint8Array> => hmac(
  crypto, secret, transcript(`proof/${purpose}`, binding, version, decode(nonce), ...transportKey));

/** What the evidence of a key contains if it is registered with a PIN. */
export const registrationBinding = (
  crypto: CryptoProvider, binding: Binding, nonce: string, transportKey: Uint8Array,
): Promise<Uint8Array> =>
  sha256(crypto, transcript("registration", binding, decode(nonce), transportKey));
