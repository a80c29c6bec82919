// SPDX-License-Identifier: Apache-2.0
// Bytes, base64url (RFC 4648 section 5) and random values.
import { invalid } from "./errors.js";
import type { CryptoProvider } from "./seams.js";

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function encode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

export function decode(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw invalid("not base64url");
  const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export const random = (crypto: CryptoProvider, count: number): string =>
  encode(crypto.getRandomValues(new Uint8Array(count)));

/** A random UUID (RFC 9562 section 5.4). */
export function uuid(crypto: CryptoProvider): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 15) | 64;
  bytes[8] = (bytes[8]! & 63) | 128;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const sha256 = async (
  crypto: CryptoProvider, bytes: Uint8Array,
): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
