// SPDX-License-Identifier: Apache-2.0
// PINs. The client imports this itself when a project or a profile uses PINs; an app needs it to
// check a PIN while the person types.
export { digitsOf, policyOf, violation } from "./policy.js";
export { choosePIN } from "./registration.js";
export type { PINOffer } from "./registration.js";
export { PINProfile } from "./profile.js";
export type { OpenedSecret } from "./secret.js";
