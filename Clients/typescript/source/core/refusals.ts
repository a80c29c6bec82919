// SPDX-License-Identifier: Apache-2.0
// Responses that are no success, as errors. Codes are of docs/registration.md and RFC 6749.
import { ErrorCode, IdentityError, isErrorCode } from "./errors.js";
import type { CustomPayload } from "./types.js";

/** Names of the provider whose code has another name. All others are the code in snake case. */
const others: readonly (readonly [ErrorCode, string])[] = [
  ["expired", "challenge_refused transaction_refused transaction_expired"],
  ["credentialTimeUnit", "token_time_unit"],
  ["alreadyRegistered", "key_taken device_registered"],
  ["notRegistered", "unknown_installation"],
  ["configurationInvalid", "origin_not_registered invalid_client unauthorized_client "
    + "unsupported_grant_type invalid_scope unknown_application"],
  ["cancelled", "access_denied"],
  ["notSignedIn", "login_required interaction_required fresh_sign_in_needed"],
  ["stepUpRefused", "unmet_authentication_requirements"],
  ["providerUnavailable", "temporarily_unavailable server_error vendor_unavailable"],
  ["tooManyRequests", "too_many_attempts slow_down"],
  ["identityProviderInvalid", "unknown_identity_provider"],
  ["approvalNotFound", "unknown_approval"],
  ["idempotencyKeyTaken", "request_id_taken"],
  ["requestInvalid", "invalid_target"],
  ["pinRequired", "pin_not_offered"],
  ["notAuthorized", "invalid_grant"],
];

/** The code for a name of the provider. */
function named(name: string): ErrorCode | undefined {
  const code = name.replace(/_(id|.)/g, (_, next: string) =>
    next === "id" ? "ID" : next.toUpperCase());
  if (isErrorCode(code)) return code;
  return others.find(([, names]) => names.split(" ").includes(name))?.[0];
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return "notSignedIn";
  if (status === 403) return "notAuthorized";
  if (status === 429) return "tooManyRequests";
  if (status >= 500) return "providerUnavailable";
  return status >= 400 ? "requestInvalid" : "invalidAnswer";
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The code for an error of the authorization endpoint. */
export const codeOfName = (name: string): ErrorCode => named(name) ?? "requestInvalid";

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
  const code = name === undefined ? undefined : named(name);
  const detail = text(body?.["detail"]) ?? text(body?.["error_description"]) ?? `status ${status}`;
  const seconds = Number(headers.get("retry-after"));
  return new IdentityError(code ?? codeOfStatus(status), detail, {
    serverCode: name, body, info: payloadOf(body),
    retryAfter: Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 : undefined,
  });
}
