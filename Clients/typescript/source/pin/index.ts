// SPDX-License-Identifier: Apache-2.0
// Checks of a PIN while a person types it. The client itself loads the rest of this directory when a
// profile has a PIN, or a person creates or changes one.
export { digitsOf, policyOf, violation } from "./policy.js";
