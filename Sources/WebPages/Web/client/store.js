// SPDX-License-Identifier: Apache-2.0
// Where everything is kept.

/** One store of IndexedDB; records by name. What is written together is there together or not. */
class Store {
  #name;
  #opening;

  constructor(name) { this.#name = name; }

  #open() {
    this.#opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("records");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        // Another tab erases everything, or the browser has lost its patience.
        database.onversionchange = () => { database.close(); this.#opening = undefined; };
        database.onclose = () => { this.#opening = undefined; };
        resolve(database);
      };
    }).catch((error) => { this.#opening = undefined; throw error; });
    return this.#opening;
  }

  async #run(mode, body) {
    try {
      const database = await this.#open();
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction("records", mode, { durability: "strict" });
        const request = body(transaction.objectStore("records"));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = () => reject(transaction.error ?? request?.error);
      });
    } catch (cause) {
      throw new IdentityError("generic", "storageUnavailable", String(cause), { cause });
    }
  }

  read(name) { return this.#run("readonly", (records) => records.get(name)); }

  names(prefix) {
    const range = IDBKeyRange.bound(`${prefix}/`, `${prefix}/\uffff`);
    return this.#run("readonly", (records) => records.getAllKeys(range));
  }

  all(prefix) {
    const range = IDBKeyRange.bound(`${prefix}/`, `${prefix}/\uffff`);
    return this.#run("readonly", (records) => records.getAll(range));
  }

  /** Writes every member, and removes those that are `null`, at once. */
  write(changes) {
    return this.#run("readwrite", (records) => {
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) records.delete(name); else records.put(value, name);
      }
    });
  }

  /** Reads and removes: of two who ask, one gets it. */
  take(name) {
    return this.#run("readwrite", (records) => {
      const request = records.get(name);
      request.onsuccess = () => records.delete(name);
      return request;
    });
  }

  clear() { return this.#run("readwrite", (records) => { records.clear(); }); }
}

/** The same for a guest: gone with the page, and never written down. */
class MemoryStore {
  #records = new Map();

  async read(name) { return this.#records.get(name); }

  async names(prefix) {
    return [...this.#records.keys()].filter((name) => name.startsWith(`${prefix}/`));
  }

  async all(prefix) { return (await this.names(prefix)).map((name) => this.#records.get(name)); }

  async write(changes) {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) this.#records.delete(name); else this.#records.set(name, value);
    }
  }
}
