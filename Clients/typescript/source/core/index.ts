// SPDX-License-Identifier: Apache-2.0
// The API that is the same on every platform.
export type { RegisterOptions, SignInMethodOptions } from "./client.js";
export { defaultScopes, registrationScope } from "./context.js";
export type { Entitlements } from "./entitlements.js";
export { cancelled, IdentityError } from "./errors.js";
export type { ErrorCode, ErrorKind, Recovery } from "./errors.js";
export type { Claims } from "./id-token.js";
export type {
  Browser, BrowserOptions, Channel, CryptoProvider, CurrentPage, Key, Keys, Locks, PublicJWK,
  Services, Storage,
} from "./seams.js";
export type { Session } from "./session.js";
export type { ServiceSession } from "./session-calls.js";
export * from "./types.js";
