// SPDX-License-Identifier: Apache-2.0
// The client in a program of Node.
import { CoreClient } from "./core/client.js";
import type { ClientConfiguration } from "./core/types.js";
import { nodeServices } from "./node/services.js";

export * from "./core/index.js";
export { MemoryKeys, MemoryStorage, ProcessLocks } from "./core/memory.js";
export { loopback } from "./node/loopback.js";
export { files } from "./node/services.js";
export type { FilesOptions } from "./node/services.js";

/** The people of this program at one provider. Its processes share their sessions. */
export class IdentityClient extends CoreClient {
  /** @throws IdentityError `misconfigured` */
  constructor(configuration: ClientConfiguration) {
    super(configuration, nodeServices(configuration));
  }
}
