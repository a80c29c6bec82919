// SPDX-License-Identifier: Apache-2.0
// The client in React Native.
import { CoreClient } from "./core/client.js";
import type { ClientConfiguration } from "./core/types.js";
import { passedServices } from "./react-native/services.js";

export * from "./core/index.js";
export { MemoryKeys, MemoryStorage, ProcessLocks } from "./core/memory.js";

/** The people of this app at one provider. */
export class IdentityClient extends CoreClient {
  /** @throws IdentityError `misconfigured` */
  constructor(configuration: ClientConfiguration) {
    super(configuration, passedServices(configuration));
  }
}
