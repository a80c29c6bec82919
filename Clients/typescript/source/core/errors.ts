// SPDX-License-Identifier: Apache-2.0
// The one error type of the package.
import type { CustomPayload, PINViolation } from "./types.js";
import { wordsOf } from "./words.js";

/** What an app does with an error. This set does not grow. */
export type ErrorKind =
  | "cancelled" | "offline" | "signInNeeded" | "ended" | "pin" | "refused" | "outdated"
  | "storage" | "misconfigured";

/** What helps. */
export type Recovery =
  | "none" | "retry" | "signIn" | "register" | "unlockDevice" | "update" | "removeProfile"
  | "askOperator" | "fixConfiguration";

/** Kind, recovery and codes. New versions add codes, not kinds. */
const table = [
  ["cancelled", "none", ["cancelled"]],
  ["offline", "retry", [
    "notReachable", "providerUnavailable", "tooManyRequests", "identityProviderUnavailable",
    "foreignAnswer",
  ]],
  ["signInNeeded", "signIn", ["notSignedIn", "scopeMissing"]],
  ["signInNeeded", "register", ["notRegistered", "pinOutdated", "authenticatorNotRegistered"]],
  ["ended", "register", ["profileLocked", "deviceRevoked"]],
  ["pin", "retry", ["pinRejected"]],
  ["refused", "askOperator", [
    "notAuthorized", "deregistrationRefused", "identityProviderRefused",
    "insufficientEntitlements", "invalidAnswer",
  ]],
  ["refused", "retry", ["expired", "redirectMismatch"]],
  ["refused", "signIn", ["wrongPerson", "stepUpRefused", "alreadyRegistered"]],
  ["refused", "none", [
    "notEnrolled", "approvalHandled", "approvalNotFound", "approvalRefused", "requestInvalid",
  ]],
  ["outdated", "update", ["outdatedApplication", "outdatedSystem"]],
  ["storage", "retry", ["storageUnavailable"]],
  ["storage", "signIn", ["keyUnavailable"]],
  ["misconfigured", "fixConfiguration", [
    "configurationInvalid", "methodNotSupported", "pinRequired", "registrationIDTaken",
    "idempotencyKeyTaken", "credentialTimeUnit", "identityProviderInvalid",
    "approvalsNotOffered", "webTargetRefused",
  ]],
] as const;

export type ErrorCode = (typeof table)[number][2][number];

const rowOf = (code: string) =>
  table.find(([, , codes]) => (codes as readonly string[]).includes(code));

/** @internal */
export const isErrorCode = (code: string): code is ErrorCode => rowOf(code) !== undefined;

export interface ErrorDetails {
  /** The code of the provider, if it answered. */
  readonly serverCode?: string;
  /** Milliseconds. */
  readonly retryAfter?: number;
  /** Of an operator's service. */
  readonly info?: CustomPayload;
  readonly violation?: PINViolation;
  readonly cause?: unknown;
  /** @internal The body of the response. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * The reason why a call failed. `kind` tells what the app does, `recovery` what helps, `message`
 * is text for the person, `detail` is text for the developer.
 */
export class IdentityError extends Error {
  override readonly name = "IdentityError";
  readonly kind: ErrorKind;
  readonly recovery: Recovery;
  readonly serverCode: string | undefined;
  readonly retryAfter: number | undefined;
  readonly info: CustomPayload | undefined;
  readonly violation: PINViolation | undefined;
  /** @internal */
  readonly body: Readonly<Record<string, unknown>> | undefined;

  constructor(readonly code: ErrorCode, readonly detail: string, details: ErrorDetails = {}) {
    const [kind, recovery] = rowOf(code) ?? ["refused", "none"];
    super(wordsOf(code, kind), { cause: details.cause });
    [this.kind, this.recovery] = [kind, recovery];
    this.serverCode = details.serverCode;
    this.retryAfter = details.retryAfter;
    this.info = details.info;
    this.violation = details.violation;
    Object.defineProperty(this, "body", { value: details.body, enumerable: false });
  }

  /** The message in a language: `de` and its regions, otherwise English. */
  text(language: string): string { return wordsOf(this.code, this.kind, language); }
}

/** What a prompter throws if the person gives up. */
export const cancelled = (detail = "the person cancelled"): IdentityError =>
  new IdentityError("cancelled", detail);

/** @internal */
export const invalid = (detail: string): IdentityError =>
  new IdentityError("invalidAnswer", detail);

/** @internal */
export const misconfigured = (detail: string): IdentityError =>
  new IdentityError("configurationInvalid", detail);

/** @internal Whether nothing is known of the result, because the way to the provider failed. */
export const isOffline = (error: unknown): boolean =>
  error instanceof IdentityError && error.kind === "offline";
