// SPDX-License-Identifier: Apache-2.0
// For the tests of an app: people made with a test registration key, a scripted browser, lost
// responses. Never in an app that others get: a test key registers anyone.
import { concat, decode, encode, random, utf8 } from "../core/bytes.js";
import { misconfigured } from "../core/errors.js";
import { MemoryKeys, MemoryStorage, ProcessLocks } from "../core/memory.js";
import type { Browser, CryptoProvider, Services } from "../core/seams.js";
import type { Evidence } from "../core/types.js";

export interface TestKeyOptions {
  /** Printed by `gatehouse admin test-keys create`. */
  readonly keyID: string;
  /** Its PEM file: PKCS #8 of P-256 or RSA, or PKCS #1 of RSA. */
  readonly privateKey: string;
  /** The username of the person. */
  readonly subject: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly crypto?: CryptoProvider;
}

const algorithms = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
} as const;

/** DER of a length (X.690 section 8.1.3). */
function derLength(length: number): Uint8Array {
  if (length < 128) return Uint8Array.of(length);
  const bytes = length < 256 ? [length] : [length >> 8, length & 255];
  return Uint8Array.of(128 | bytes.length, ...bytes);
}

const der = (tag: number, content: Uint8Array): Uint8Array =>
  concat(Uint8Array.of(tag), derLength(content.length), content);

/** RFC 5208 section 5: version 0, rsaEncryption with NULL, and the PKCS #1 key. */
const wrapped = (key: Uint8Array): Uint8Array => der(48, concat(
  Uint8Array.of(2, 1, 0, 48, 13, 6, 9, 42, 134, 72, 134, 247, 13, 1, 1, 1, 5, 0), der(4, key)));

/** Reads PEM with any line ends. */
async function importPrivateKey({ subtle }: CryptoProvider, pem: string) {
  const found = /-----BEGIN (RSA )?PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END/.exec(pem);
  if (found?.[2] === undefined) throw misconfigured("privateKey is no PEM of PKCS #8 or PKCS #1");
  const base64 = found[2].replace(/\s/g, "").replace(/\+/g, "-").replace(/\//g, "_");
  const bytes = decode(base64.replace(/=/g, ""));
  const pkcs8 = found[1] === undefined ? bytes : wrapped(bytes);
  for (const alg of ["ES256", "RS256"] as const) {
    try {
      const key = await subtle.importKey("pkcs8", pkcs8, algorithms[alg], false, ["sign"]);
      return { alg, key };
    } catch { /* A key of the other algorithm. */ }
  }
  throw misconfigured("privateKey is neither P-256 nor RSA");
}

/** Registers a person of a test registration key (docs/registration.md, `testKey`). */
export function testKey(options: TestKeyOptions): Evidence {
  const { keyID, privateKey, subject, attributes = {} } = options;
  const crypto = options.crypto ?? globalThis.crypto as CryptoProvider;
  const token = async (): Promise<string> => {
    const { alg, key } = await importPrivateKey(crypto, privateKey);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...attributes, iss: "testRegisterIssuer", aud: "testRegisterAudience", sub: subject,
      jti: random(crypto, 16), iat: now, exp: now + 300,
    };
    const part = (value: unknown) => encode(utf8(JSON.stringify(value)));
    const message = `${part({ alg, typ: "JWT", kid: keyID })}.${part(claims)}`;
    const signature = await crypto.subtle.sign(algorithms[alg], key, utf8(message));
    return `${message}.${encode(new Uint8Array(signature))}`;
  };
  return Object.freeze({ method: "testKey", evidence: async () => ({ token: await token() }) });
}

/** A platform in memory: nothing is stored when the process ends. */
export function memoryServices(
  crypto = globalThis.crypto as CryptoProvider,
): Pick<Services, "storage" | "locks" | "keys" | "crypto"> {
  return {
    storage: new MemoryStorage(), locks: new ProcessLocks(), keys: new MemoryKeys(crypto), crypto,
  };
}

/** A browser whose person is a function: it gets the page's URL and returns the redirect. */
export const scriptedBrowser = (
  person: (url: string) => Promise<string>, redirectURI = "http://127.0.0.1:1/callback",
): Browser => ({
  async callback(page, accepts, options) {
    const url = await person(page(options.redirectURI ?? redirectURI));
    if (!accepts(url)) throw new Error("the redirect is of another request");
    return url;
  },
});

/** `fetch` with faults. */
export interface FaultyFetch {
  readonly fetch: typeof fetch;
  /** Loses the next response of a URL that contains `part`; the request arrives. */
  loseResponse(part: string): void;
  /** Fails requests to a URL that contains `part` until `restore`. */
  disconnect(part?: string): void;
  restore(): void;
  /** All requests so far: method and URL without query. */
  readonly requests: readonly string[];
}

export function faultyFetch(real: typeof fetch = globalThis.fetch): FaultyFetch {
  const lost: string[] = [];
  const requests: string[] = [];
  let disconnected: string | undefined;
  const faulty = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const method = input instanceof Request ? input.method : init?.method ?? "GET";
    requests.push(`${method} ${url.replace(/[?#].*$/, "")}`);
    if (disconnected !== undefined && url.includes(disconnected)) throw new TypeError("no network");
    const response = await real(input, init);
    const index = lost.findIndex((part) => url.includes(part));
    if (index < 0) return response;
    lost.splice(index, 1);
    await response.arrayBuffer();
    throw new TypeError("the response was lost");
  };
  return {
    fetch: faulty, requests,
    loseResponse: (part) => { lost.push(part); },
    disconnect: (part = "") => { disconnected = part; },
    restore: () => { disconnected = undefined; },
  };
}
