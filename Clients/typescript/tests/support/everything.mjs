// SPDX-License-Identifier: Apache-2.0
// All of the package for a page in one file.
export * from "../../dist/index.browser.js";
export * from "../../dist/pin/index.js";
export * from "../../dist/passkeys/index.js";
export * from "../../dist/approvals/index.js";
export * from "../../dist/evidence/index.js";
export * from "../../dist/testing/index.js";
