// SPDX-License-Identifier: Apache-2.0
// The client in a page.
import { browserServices } from "./browser/services.js";
import { CoreClient } from "./core/client.js";
import type { ClientConfiguration } from "./core/types.js";

export * from "./core/index.js";
export { popup, redirect } from "./browser/pages.js";

/** The people of this browser at one provider. All tabs share their sessions. */
export class IdentityClient extends CoreClient {
  /** @throws IdentityError `misconfigured` */
  constructor(configuration: ClientConfiguration) {
    super(configuration, browserServices(configuration));
  }
}
