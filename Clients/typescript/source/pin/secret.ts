// SPDX-License-Identifier: Apache-2.0
// A PIN secret on the device: sealing key( secret XOR PBKDF2(PIN) ). The inner layer has no tag:
// every PIN opens it to 32 bytes that could be the secret.
import { decode, encode, utf8 } from "../core/bytes.js";
import { IdentityError, misconfigured } from "../core/errors.js";
import type { CryptoProvider, Key } from "../core/seams.js";
import { digitsOf } from "./policy.js";
import { Binding, transcript } from "./transcript.js";

/** As stored. */
export interface SealedSecret {
  readonly ver: number;
  readonly rounds: number;
  readonly salt: string;
  readonly box: string;
}

/** The result of opening with a PIN, right or wrong: only the provider can distinguish them. */
export interface OpenedSecret { readonly version: number; readonly bytes: Uint8Array }

/** `pin/KEY`. */
export interface PINState {
  /** The active secret by the provider's last statement. */
  readonly current?: SealedSecret | undefined;
  /** A sealed secret that may be active by now. */
  readonly offered?: SealedSecret | undefined;
}

/** The OWASP Password Storage Cheat Sheet's number for PBKDF2 with HMAC-SHA-256. */
export const rounds = 600_000;
const length = 32;

/** RFC 8018 section 5.2. */
export async function pad(
  { subtle }: CryptoProvider, pin: string, salt: Uint8Array, iterations: number,
): Promise<Uint8Array> {
  if (!(iterations >= 210_000 && iterations <= 10_000_000)) {
    throw new IdentityError("storageUnavailable", "the number of rounds is not acceptable");
  }
  const digits = digitsOf(pin);
  if (digits === undefined) throw misconfigured("prompter: a PIN has digits only");
  const key = await subtle.importKey("raw", utf8(digits), "PBKDF2", false, ["deriveBits"]);
  const bits = await subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations }, key, length * 8);
  return new Uint8Array(bits);
}

const xor = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  left.map((byte, index) => byte ^ (right[index] ?? 0));

/** Seals a secret under a new PIN, once, with a fresh salt. */
export async function sealSecret(
  crypto: CryptoProvider, key: Key, binding: Binding, secret: OpenedSecret, pin: string,
): Promise<SealedSecret> {
  const salt = crypto.getRandomValues(new Uint8Array(length));
  const inner = xor(secret.bytes, await pad(crypto, pin, salt, rounds));
  const context = transcript("sealed", binding, secret.version, rounds, salt);
  const box = encode(await key.seal(inner, context));
  return { ver: secret.version, rounds, salt: encode(salt), box };
}

/** Opens a secret with any PIN. An error is about the storage, not about the PIN. */
export async function openSecret(
  crypto: CryptoProvider, key: Key, binding: Binding, sealed: SealedSecret, pin: string,
): Promise<OpenedSecret> {
  const salt = decode(sealed.salt);
  const context = transcript("sealed", binding, sealed.ver, sealed.rounds, salt);
  const stretched = await pad(crypto, pin, salt, sealed.rounds);
  try {
    const inner = await key.open(decode(sealed.box), context);
    if (inner.length !== length) throw new Error("another length");
    return { version: sealed.ver, bytes: xor(inner, stretched) };
  } catch (cause) {
    throw new IdentityError("storageUnavailable", "the PIN's box is damaged", { cause });
  }
}
