// SPDX-License-Identifier: Apache-2.0
// Records and keys in one sealed file (AES-256-GCM), which is replaced whole. The sealing key is a
// file next to it, unless the app passes one from a safer place.
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { pid } from "node:process";
import { concat, decode, encode, utf8 } from "../core/bytes.js";
import { IdentityError } from "../core/errors.js";
import { cryptoKey, generateKeys } from "../core/memory.js";
import type { CryptoProvider, Key, Keys, Locks, Storage } from "../core/seams.js";

type Content = Record<string, string>;

const isMissing = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "ENOENT";

/** Writes a file under another name, waits for the disk, then renames it. */
async function replace(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${pid}.new`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally { await file.close(); }
  await rename(temporary, path);
}

export class SealedFile {
  #key: Promise<CryptoKey> | undefined;

  constructor(
    private readonly directory: string, private readonly crypto: CryptoProvider,
    private readonly locks: Locks, private readonly sealingKey?: Uint8Array,
  ) {}

  get #path(): string { return join(this.directory, "state"); }

  async read(): Promise<Content> {
    let bytes: Uint8Array;
    try { bytes = await readFile(this.#path); } catch (error) {
      if (isMissing(error)) return {};
      throw error;
    }
    const algorithm = { name: "AES-GCM", iv: bytes.slice(0, 12) };
    const key = await this.#sealing();
    try {
      const text = await this.crypto.subtle.decrypt(algorithm, key, bytes.slice(12));
      return JSON.parse(new TextDecoder().decode(text)) as Content;
    } catch (cause) {
      const detail = "the file is damaged or of another key";
      throw new IdentityError("storageUnavailable", detail, { cause });
    }
  }

  /** Reads, changes and replaces the content; `body` returns whether it changed. */
  change<T>(body: (content: Content) => T): Promise<T> {
    return this.locks.with("state", undefined, async () => {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      const content = await this.read();
      const result = body(content);
      const iv = this.crypto.getRandomValues(new Uint8Array(12));
      const sealed = await this.crypto.subtle.encrypt(
        { name: "AES-GCM", iv }, await this.#sealing(), utf8(JSON.stringify(content)));
      await replace(this.#path, concat(iv, new Uint8Array(sealed)));
      return result;
    });
  }

  #sealing(): Promise<CryptoKey> {
    this.#key ??= (async () => {
      const bytes = this.sealingKey ?? await this.#storedKey();
      return this.crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
    })().catch((error) => { this.#key = undefined; throw error; });
    return this.#key;
  }

  /** The first process creates it: `wx` fails if the file exists. */
  async #storedKey(): Promise<Uint8Array> {
    const path = join(this.directory, "sealing-key");
    try { return decode((await readFile(path, "utf8")).trim()); } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const bytes = this.crypto.getRandomValues(new Uint8Array(32));
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(encode(bytes));
      await file.sync();
    } finally { await file.close(); }
    return bytes;
  }
}

const own = "record/";

export class FileStorage implements Storage {
  constructor(private readonly file: SealedFile) {}

  async read(name: string): Promise<string | undefined> {
    return (await this.file.read())[own + name];
  }

  write(changes: Readonly<Record<string, string | null>>): Promise<void> {
    return this.file.change((content) => {
      for (const [name, text] of Object.entries(changes)) {
        if (text === null) delete content[own + name]; else content[own + name] = text;
      }
    });
  }

  async names(prefix: string): Promise<string[]> {
    return Object.keys(await this.file.read()).filter((name) => name.startsWith(own + prefix))
      .map((name) => name.slice(own.length)).sort();
  }

  take(name: string): Promise<string | undefined> {
    return this.file.change((content) => {
      const text = content[own + name];
      delete content[own + name];
      return text;
    });
  }
}

const ecdsa = { name: "ECDSA", namedCurve: "P-256" };

/** Software keys of WebCrypto in the sealed file. */
export class FileKeys implements Keys {
  constructor(private readonly file: SealedFile, private readonly crypto: CryptoProvider) {}

  async make(name: string): Promise<Key> {
    const { subtle } = this.crypto;
    const keys = await generateKeys(this.crypto, true);
    const text = JSON.stringify({
      pair: await subtle.exportKey("jwk", keys.pair.privateKey),
      sealing: await subtle.exportKey("jwk", keys.sealing),
    });
    await this.file.change((content) => { content[`key/${name}`] = text; });
    return cryptoKey(this.crypto, keys);
  }

  async find(name: string): Promise<Key | undefined> {
    const text = (await this.file.read())[`key/${name}`];
    if (text === undefined) return undefined;
    const { subtle } = this.crypto;
    const { pair, sealing } = JSON.parse(text) as { pair: JsonWebKey; sealing: JsonWebKey };
    const { kty, crv, x, y } = pair;
    const [privateKey, publicKey, secret] = await Promise.all([
      subtle.importKey("jwk", pair, ecdsa, false, ["sign"]),
      subtle.importKey("jwk", { kty, crv, x, y } as JsonWebKey, ecdsa, true, ["verify"]),
      subtle.importKey("jwk", sealing, "AES-GCM", false, ["encrypt", "decrypt"]),
    ]);
    return cryptoKey(this.crypto, { pair: { privateKey, publicKey }, sealing: secret });
  }

  remove(name: string): Promise<void> {
    return this.file.change((content) => { delete content[`key/${name}`]; });
  }

  clear(): Promise<void> {
    return this.file.change((content) => {
      for (const name of Object.keys(content)) if (name.startsWith("key/")) delete content[name];
    });
  }
}
