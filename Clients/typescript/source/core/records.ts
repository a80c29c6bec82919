// SPDX-License-Identifier: Apache-2.0
// Records as JSON in the storage, and what each record contains.
import { IdentityError } from "./errors.js";
import type { Storage } from "./seams.js";
import type { IdentityProvider, Profile } from "./types.js";

/** `profile/ID`. */
export interface ProfileRecord {
  readonly id: string;
  readonly userID: string;
  readonly username: string;
  readonly name?: string | undefined;
  readonly registeredAt: number;
  readonly method: string;
  /** The name of the sign-in key. */
  readonly key?: string | undefined;
  readonly installationID?: string | undefined;
  readonly keyID?: string | undefined;
  /** Of the registration that created it, so that a repeated one finds it. */
  readonly registrationID?: string | undefined;
  readonly hasPIN?: boolean | undefined;
}

export const profileOf = (record: ProfileRecord): Profile => Object.freeze({
  id: record.id, userID: record.userID, username: record.username,
  name: record.name ?? record.username, registeredAt: new Date(record.registeredAt),
  method: record.method, hasSignInKey: record.keyID !== undefined,
  hasPIN: record.hasPIN === true,
  ...record.installationID !== undefined && { installationID: record.installationID },
});

/** `redirect/STATE`: a page of the provider that was opened. */
export interface RedirectRecord {
  readonly purpose: "register" | "signIn" | "stepUp" | "signOut";
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectURI: string;
  readonly startedAt: number;
  readonly returnTo?: string | undefined;
  /** The name of the key to which the tokens will be bound. */
  readonly key?: string | undefined;
  readonly profileID?: string | undefined;
  readonly maxAge?: number | undefined;
  readonly acrValues?: readonly string[] | undefined;
  readonly identityProvider?: IdentityProvider | undefined;
  /** Whether this device is registered with the tokens as evidence. */
  readonly installs?: boolean | undefined;
}

/** `pending/ID`: a registration whose result is not known. */
export interface PendingRecord {
  readonly method: string;
  readonly key: string;
  /** Whether the provider may have registered it. */
  readonly isUncertain: boolean;
  /** The access token of the page, while it counts as evidence. */
  readonly accessToken?: string | undefined;
  readonly returnTo?: string | undefined;
  readonly identityProvider?: IdentityProvider | undefined;
}

export class Records {
  constructor(private readonly storage: Storage) {}

  async read<T>(name: string): Promise<T | undefined> {
    const text = await this.#try(() => this.storage.read(name));
    return text === undefined ? undefined : this.#parse<T>(name, text);
  }

  async all<T>(prefix: string): Promise<T[]> {
    const names = await this.names(prefix);
    const records = await Promise.all(names.map((name) => this.read<T>(name)));
    return records.filter((record) => record !== undefined) as T[];
  }

  names(prefix: string): Promise<string[]> { return this.#try(() => this.storage.names(prefix)); }

  write(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const texts = Object.entries(changes).map(([name, value]) =>
      [name, value === null ? null : JSON.stringify(value)] as const);
    return this.#try(() => this.storage.write(Object.fromEntries(texts)));
  }

  async take<T>(name: string): Promise<T | undefined> {
    const text = await this.#try(() => this.storage.take(name));
    return text === undefined ? undefined : this.#parse<T>(name, text);
  }

  async clear(): Promise<void> {
    const names = await this.names("");
    await this.write(Object.fromEntries(names.map((name) => [name, null])));
  }

  #parse<T>(name: string, text: string): T {
    try { return JSON.parse(text) as T; } catch (cause) {
      throw new IdentityError("storageUnavailable", `${name} is not JSON`, { cause });
    }
  }

  async #try<T>(body: () => Promise<T>): Promise<T> {
    try { return await body(); } catch (cause) {
      if (cause instanceof IdentityError) throw cause;
      throw new IdentityError("storageUnavailable", String(cause), { cause });
    }
  }
}
