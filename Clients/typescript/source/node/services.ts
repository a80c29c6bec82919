// SPDX-License-Identifier: Apache-2.0
// The platform of a program: a sealed file, lock files, WebCrypto, the person's browser.
import { webcrypto } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { ProcessLocks } from "../core/memory.js";
import type { CryptoProvider, Locks, Services } from "../core/seams.js";
import type { ClientConfiguration } from "../core/types.js";
import { FileKeys, FileStorage, SealedFile } from "./files.js";
import { FileLocks } from "./lock-file.js";
import { loopback } from "./loopback.js";
import { mkdir } from "node:fs/promises";

const crypto = webcrypto as CryptoProvider;

/** The directory for the state of programs (XDG Base Directory Specification). */
const stateDirectory = (): string =>
  env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");

/** Lock files need their directory. */
function inDirectory(directory: string, locks: Locks): Locks {
  const made = new ProcessLocks();
  return {
    with: async (name, signal, body) => {
      await made.with("", undefined, () => mkdir(directory, { recursive: true, mode: 0o700 }));
      return locks.with(name, signal, body);
    },
  };
}

export interface FilesOptions {
  /** The default is a directory for issuer and client in the state directory of the person. */
  readonly directory: string;
  /** 32 bytes of a keyring; without it the key is a file in the directory. */
  readonly sealingKey?: Uint8Array;
}

/** Records, keys and locks in a directory, for `services` of the configuration. */
export function files(
  { directory, sealingKey }: FilesOptions,
): Pick<Services, "storage" | "keys" | "locks"> {
  const locks = inDirectory(directory, new FileLocks(directory, crypto));
  const file = new SealedFile(directory, crypto, locks, sealingKey);
  return { storage: new FileStorage(file), keys: new FileKeys(file, crypto), locks };
}

export function nodeServices({ issuer, clientID, services }: ClientConfiguration): Services {
  const name = encodeURIComponent(`${issuer} ${clientID}`).replace(/%/g, "+");
  const isPassed = services?.storage !== undefined && services.keys !== undefined
    && services.locks !== undefined;
  return {
    ...isPassed ? {} as Pick<Services, "storage" | "keys" | "locks">
      : files({ directory: join(stateDirectory(), "gatehouse-client", name) }),
    browser: loopback(), crypto, fetch: (input, init) => fetch(input, init),
    now: () => Date.now(), ...services,
  };
}
