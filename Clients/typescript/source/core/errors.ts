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

/** Kind and recovery of each code. New versions add codes, not kinds. */
const codes = {
  cancelled: ["cancelled", "none"],
  notReachable: ["offline", "retry"],
  providerUnavailable: ["offline", "retry"],
  tooManyRequests: ["offline", "retry"],
  identityProviderUnavailable: ["offline", "retry"],
  foreignAnswer: ["offline", "retry"],
  notSignedIn: ["signInNeeded", "signIn"],
  notRegistered: ["signInNeeded", "register"],
  scopeMissing: ["signInNeeded", "signIn"],
  pinOutdated: ["signInNeeded", "register"],
  profileLocked: ["ended", "register"],
  deviceRevoked: ["ended", "register"],
  pinRejected: ["pin", "retry"],
  notAuthorized: ["refused", "askOperator"],
  expired: ["refused", "retry"],
  wrongPerson: ["refused", "signIn"],
  stepUpRefused: ["refused", "signIn"],
  redirectMismatch: ["refused", "retry"],
  alreadyRegistered: ["refused", "signIn"],
  deregistrationRefused: ["refused", "askOperator"],
  identityProviderRefused: ["refused", "askOperator"],
  insufficientEntitlements: ["refused", "askOperator"],
  notEnrolled: ["refused", "none"],
  approvalHandled: ["refused", "none"],
  approvalNotFound: ["refused", "none"],
  approvalRefused: ["refused", "none"],
  invalidAnswer: ["refused", "askOperator"],
  requestInvalid: ["refused", "none"],
  outdatedApplication: ["outdated", "update"],
  outdatedSystem: ["outdated", "update"],
  storageUnavailable: ["storage", "retry"],
  keyUnavailable: ["storage", "signIn"],
  configurationInvalid: ["misconfigured", "fixConfiguration"],
  methodNotSupported: ["misconfigured", "fixConfiguration"],
  pinRequired: ["misconfigured", "fixConfiguration"],
  registrationIDTaken: ["misconfigured", "fixConfiguration"],
  idempotencyKeyTaken: ["misconfigured", "fixConfiguration"],
  credentialTimeUnit: ["misconfigured", "fixConfiguration"],
  authenticatorNotRegistered: ["signInNeeded", "register"],
  identityProviderInvalid: ["misconfigured", "fixConfiguration"],
  approvalsNotOffered: ["misconfigured", "fixConfiguration"],
  webTargetRefused: ["misconfigured", "fixConfiguration"],
} as const;

export type ErrorCode = keyof typeof codes;

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
    super(wordsOf(code, codes[code][0]), { cause: details.cause });
    [this.kind, this.recovery] = codes[code];
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
