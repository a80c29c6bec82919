// SPDX-License-Identifier: Apache-2.0
// Records and keys in IndexedDB: one database for each issuer and client.
import { CryptoKeys, cryptoKey, generateKeys } from "../core/memory.js";
import type { CryptoProvider, Key, Keys, Storage } from "../core/seams.js";

type Store = "records" | "keys";

export class Database {
  #opening: Promise<IDBDatabase> | undefined;

  constructor(private readonly name: string) {}

  #open(): Promise<IDBDatabase> {
    this.#opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => {
        for (const store of ["records", "keys"]) request.result.createObjectStore(store);
      };
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        // Another tab deletes the database, or the browser closes it.
        database.onversionchange = () => { database.close(); this.#opening = undefined; };
        database.onclose = () => { this.#opening = undefined; };
        resolve(database);
      };
    }).catch((error) => { this.#opening = undefined; throw error; });
    return this.#opening;
  }

  /** One transaction, which is on the disk when it ends. */
  async run<T>(
    store: Store, mode: IDBTransactionMode, body: (store: IDBObjectStore) => IDBRequest<T> | void,
  ): Promise<T> {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      // `durability` is newer than the types of TypeScript 4.8.
      const transaction = (database.transaction as (
        store: string, mode: string, options: { durability: string },
      ) => IDBTransaction).call(database, store, mode, { durability: "strict" });
      const request = body(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request?.result as T);
      transaction.onabort = () => reject(transaction.error ?? request?.error);
    });
  }
}

export class DatabaseStorage implements Storage {
  constructor(private readonly database: Database) {}

  read(name: string): Promise<string | undefined> {
    return this.database.run("records", "readonly", (store) => store.get(name));
  }

  write(changes: Readonly<Record<string, string | null>>): Promise<void> {
    return this.database.run("records", "readwrite", (store) => {
      for (const [name, text] of Object.entries(changes)) {
        if (text === null) store.delete(name); else store.put(text, name);
      }
    });
  }

  async names(prefix: string): Promise<string[]> {
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    const names = await this.database.run(
      "records", "readonly", (store) => store.getAllKeys(range));
    return names.map(String);
  }

  take(name: string): Promise<string | undefined> {
    return this.database.run("records", "readwrite", (store) => {
      const request = store.get(name);
      request.onsuccess = () => store.delete(name);
      return request;
    });
  }
}

/** Keys of WebCrypto that are not extractable: no script can export them. */
export class DatabaseKeys implements Keys {
  constructor(private readonly database: Database, private readonly crypto: CryptoProvider) {}

  async make(name: string): Promise<Key> {
    const keys = await generateKeys(this.crypto, false);
    await this.database.run("keys", "readwrite", (store) => store.put(keys, name));
    return cryptoKey(this.crypto, keys);
  }

  async find(name: string): Promise<Key | undefined> {
    const keys = await this.database.run<CryptoKeys | undefined>(
      "keys", "readonly", (store) => store.get(name));
    return keys && cryptoKey(this.crypto, keys);
  }

  async remove(name: string): Promise<void> {
    await this.database.run("keys", "readwrite", (store) => store.delete(name));
  }

  async clear(): Promise<void> {
    await this.database.run("keys", "readwrite", (store) => store.clear());
  }
}
