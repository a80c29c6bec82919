// SPDX-License-Identifier: Apache-2.0
// Storage, locks and software keys of one process: for tests, guests and React Native.
import { concat } from "./bytes.js";
import { canonical } from "./jws.js";
import type { CryptoProvider, Key, Keys, Locks, PublicJWK, Storage } from "./seams.js";

export class MemoryStorage implements Storage {
  readonly #texts = new Map<string, string>();

  async read(name: string): Promise<string | undefined> { return this.#texts.get(name); }

  async write(changes: Readonly<Record<string, string | null>>): Promise<void> {
    for (const [name, text] of Object.entries(changes)) {
      if (text === null) this.#texts.delete(name); else this.#texts.set(name, text);
    }
  }

  async names(prefix: string): Promise<string[]> {
    return [...this.#texts.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  async take(name: string): Promise<string | undefined> {
    const text = this.#texts.get(name);
    this.#texts.delete(name);
    return text;
  }
}

/** One at a time for each name, within this process. */
export class ProcessLocks implements Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  async with<T>(
    name: string, signal: AbortSignal | undefined, body: () => Promise<T>,
  ): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(() => {
      if (signal?.aborted) throw Object.assign(new Error("aborted"), { name: "AbortError" });
      return body();
    });
    const finished = turn.catch(() => {});
    this.#last.set(name, finished);
    try { return await turn; } finally {
      if (this.#last.get(name) === finished) this.#last.delete(name);
    }
  }
}

const ecdsa = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** WebCrypto's form of a key. */
export interface CryptoKeys {
  readonly pair: CryptoKeyPair;
  readonly sealing: CryptoKey;
}

export async function generateKeys(
  { subtle }: CryptoProvider, isExtractable: boolean,
): Promise<CryptoKeys> {
  const [pair, sealing] = await Promise.all([
    subtle.generateKey(ecdsa, isExtractable, ["sign", "verify"]),
    subtle.generateKey({ name: "AES-GCM", length: 256 }, isExtractable, ["encrypt", "decrypt"]),
  ]);
  return { pair: pair as CryptoKeyPair, sealing: sealing as CryptoKey };
}

/** A key of WebCrypto. */
export async function cryptoKey(
  crypto: CryptoProvider, { pair, sealing }: CryptoKeys,
): Promise<Key> {
  const { subtle } = crypto;
  const jwk = canonical(await subtle.exportKey("jwk", pair.publicKey) as unknown as PublicJWK);
  const algorithm = (iv: Uint8Array, additionalData: Uint8Array) =>
    ({ name: "AES-GCM", iv, additionalData });
  return {
    jwk, isHardware: false,
    async sign(message) {
      return new Uint8Array(await subtle.sign(ecdsa, pair.privateKey, message));
    },
    async seal(plaintext, context) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await subtle.encrypt(algorithm(iv, context), sealing, plaintext);
      return concat(iv, new Uint8Array(sealed));
    },
    async open(sealed, context) {
      const [iv, text] = [sealed.slice(0, 12), sealed.slice(12)];
      return new Uint8Array(await subtle.decrypt(algorithm(iv, context), sealing, text));
    },
  };
}

/** Keys in the memory of this process, not extractable. */
export class MemoryKeys implements Keys {
  readonly #keys = new Map<string, Key>();

  constructor(private readonly crypto: CryptoProvider) {}

  async make(name: string): Promise<Key> {
    const key = await cryptoKey(this.crypto, await generateKeys(this.crypto, false));
    this.#keys.set(name, key);
    return key;
  }

  async find(name: string): Promise<Key | undefined> { return this.#keys.get(name); }

  async remove(name: string): Promise<void> { this.#keys.delete(name); }

  async clear(): Promise<void> { this.#keys.clear(); }
}
