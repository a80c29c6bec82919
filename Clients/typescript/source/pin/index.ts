// SPDX-License-Identifier: Apache-2.0
// PINs. The client imports this itself when a profile has a PIN, and more when a person creates or
// changes one; an app needs it to check a PIN while the person types.
export { digitsOf, policyOf, violation } from "./policy.js";
export { PINProfile } from "./profile.js";
export type { OpenedSecret } from "./secret.js";
