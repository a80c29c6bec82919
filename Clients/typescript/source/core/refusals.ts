// SPDX-License-Identifier: Apache-2.0
// Responses that are no success, as errors. Codes are of docs/registration.md and RFC 6749.
import { ErrorCode, IdentityError } from "./errors.js";
import type { CustomPayload } from "./types.js";

const codesByName: Readonly<Record<string, ErrorCode>> = {
  method_not_supported: "methodNotSupported", challenge_refused: "expired",
  registration_id_taken: "registrationIDTaken", token_time_unit: "credentialTimeUnit",
  already_registered: "alreadyRegistered", key_taken: "alreadyRegistered",
  device_registered: "alreadyRegistered", not_signed_in: "notSignedIn",
  scope_missing: "scopeMissing", deregistration_refused: "deregistrationRefused",
  unknown_installation: "notRegistered", origin_not_registered: "configurationInvalid",
  invalid_client: "configurationInvalid", unauthorized_client: "configurationInvalid",
  unsupported_grant_type: "configurationInvalid", invalid_scope: "configurationInvalid",
  access_denied: "cancelled", login_required: "notSignedIn", interaction_required: "notSignedIn",
  unmet_authentication_requirements: "stepUpRefused",
  temporarily_unavailable: "providerUnavailable",
  server_error: "providerUnavailable", too_many_attempts: "tooManyRequests",
  too_many_requests: "tooManyRequests", slow_down: "tooManyRequests",
  vendor_unavailable: "providerUnavailable", fresh_sign_in_needed: "notSignedIn",
  unknown_identity_provider: "identityProviderInvalid",
  identity_provider_refused: "identityProviderRefused",
  identity_provider_unavailable: "identityProviderUnavailable", transaction_refused: "expired",
  transaction_expired: "expired", outdated_application: "outdatedApplication",
  outdated_system: "outdatedSystem", unknown_application: "configurationInvalid",
  approvals_not_offered: "approvalsNotOffered", not_enrolled: "notEnrolled",
  unknown_approval: "approvalNotFound", approval_handled: "approvalHandled",
  approval_refused: "approvalRefused", insufficient_entitlements: "insufficientEntitlements",
  request_id_taken: "idempotencyKeyTaken", web_target_refused: "webTargetRefused",
  invalid_target: "requestInvalid", pin_not_offered: "pinRequired",
};

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return "notSignedIn";
  if (status === 403) return "notAuthorized";
  if (status === 429) return "tooManyRequests";
  if (status >= 500) return "providerUnavailable";
  return status >= 400 ? "requestInvalid" : "invalidAnswer";
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The code for an error of the provider, `invalid_grant` and others without one aside. */
export const codeOfName = (name: string): ErrorCode =>
  codesByName[name] ?? (name === "invalid_grant" ? "notAuthorized" : "requestInvalid");

/** A gateway or a firewall answered, not the provider. It signs no person out. */
export const foreign = (status: number, headers: Headers): IdentityError => new IdentityError(
  "foreignAnswer", `status ${status} without a code, ${headers.get("content-type") ?? "no type"}`);

/** Statuses that mean something only with a code of the provider. */
const ofGateways = new Set([401, 402, 403, 404, 407, 409, 410, 451]);

/** What an operator's service sent (docs/identity-providers.md). */
export function payloadOf(
  body: Readonly<Record<string, unknown>> | undefined,
): CustomPayload | undefined {
  const status = body?.["provider_status"];
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  const data = text(body?.["data"]);
  return data === undefined ? { status } : { status, data };
}

/** The error for a response with its JSON object, if it has one. */
export function refusal(
  status: number, headers: Headers, body: Readonly<Record<string, unknown>> | undefined,
): IdentityError {
  const name = text(body?.["code"]) ?? text(body?.["error"]);
  if (name === undefined && ofGateways.has(status)) return foreign(status, headers);
  const named = name === undefined ? undefined
    : codesByName[name] ?? (name === "invalid_grant" ? "notAuthorized" : undefined);
  const detail = text(body?.["detail"]) ?? text(body?.["error_description"]) ?? `status ${status}`;
  const seconds = Number(headers.get("retry-after"));
  return new IdentityError(named ?? codeOfStatus(status), detail, {
    serverCode: name, body, info: payloadOf(body),
    retryAfter: Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 : undefined,
  });
}
