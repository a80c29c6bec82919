// SPDX-License-Identifier: Apache-2.0
// React Native: the app passes what its native modules do.
import { misconfigured } from "../core/errors.js";
import { MemoryKeys, ProcessLocks } from "../core/memory.js";
import type { Services } from "../core/seams.js";
import type { ClientConfiguration } from "../core/types.js";

/**
 * `services.storage` (keychain) and `services.browser` (system authentication session) are
 * required, and `services.crypto` where there is no WebCrypto. Without `services.keys` the keys are
 * in memory: people sign in again after each start of the app.
 */
export function passedServices({ services = {} }: ClientConfiguration): Services {
  const { storage, browser, crypto = globalThis.crypto } = services;
  if (storage === undefined) throw misconfigured("services.storage is missing");
  if (browser === undefined) throw misconfigured("services.browser is missing");
  if (crypto === undefined) throw misconfigured("services.crypto is missing");
  return {
    keys: new MemoryKeys(crypto as Services["crypto"]), locks: new ProcessLocks(),
    fetch: (input, init) => fetch(input, init), now: () => Date.now(),
    ...services, storage, browser, crypto: crypto as Services["crypto"],
  };
}
