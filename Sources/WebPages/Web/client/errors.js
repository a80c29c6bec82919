// SPDX-License-Identifier: Apache-2.0
// The browser client: registers people and this browser with a Gatehouse provider, signs them in
// without asking, keeps one session for all tabs, and removes everything cleanly. The same calls as
// GatehouseClient, the SDK for apps. docs/browser-client.md; types in gatehouse.d.ts. It is served
// as one module, whose parts are the files of this folder in the order of BrowserClientModule.
//
// Keys are made by WebCrypto, cannot be exported, and live in IndexedDB with everything else. Of
// all tabs one at a time renews a session (Web Locks). Nothing is loaded, evaluated or written to
// the page, so the strictest content security policy and Trusted Types are satisfied.


/** The scope with which an installation can remove itself and people can close their accounts. */
export const registrationScope = "registration";
export const usualScopes = Object.freeze([
  "openid", "profile", "offline_access", registrationScope,
]);

const comesBack = new Set([
  "notReachable", "providerUnavailable", "storageUnavailable", "tooManyRequests",
  "identityProviderUnavailable",
]);
const asksForOther = new Set([
  "notAuthorized", "expired", "cancelled", "registrationIDTaken", "idempotencyKeyTaken",
]);
const forDevelopers = new Set([
  "invalidAnswer", "requestInvalid", "configurationInvalid", "methodNotSupported",
  "redirectMismatch", "registrationIDTaken", "idempotencyKeyTaken", "credentialTimeUnit",
  "scopeMissing", "pinRequired",
  "authenticatorNotRegistered", "identityProviderInvalid", "approvalNotFound", "approvalRefused",
  "webTargetRefused", "unknown",
]);

const usualAdvice = (code) => {
  if (comesBack.has(code)) return "later";
  if (asksForOther.has(code)) return "withOtherInput";
  return code === "notSignedIn" || code === "scopeMissing" ? "afterSignIn" : "never";
};

/** The body of a refusal, for this module alone. */
const said = Symbol("body");

/** Why something that was asked did not happen. Decide by `code`; `retry` says if asking helps. */
export class IdentityError extends Error {
  constructor(domain, code, reason, { retry, retryAfterSeconds, serverCode, body, cause } = {}) {
    super(`${domain}.${code}${serverCode ? ` [${serverCode}]` : ""}: ${reason}`, { cause });
    this.name = "IdentityError";
    this.domain = domain;
    this.code = code;
    this.reason = reason;
    this.retry = retry ?? usualAdvice(code);
    this.retryAfterSeconds = retryAfterSeconds;
    this.serverCode = serverCode;
    this.providerAnswer = payloadOf(body);
    Object.defineProperty(this, said, { value: body });
    this.audience = forDevelopers.has(code) ? "developer" : "user";
  }
}

// The words of docs/registration.md and of RFC 6749, where the status alone does not say it.
const codesByName = {
  method_not_supported: "methodNotSupported", challenge_refused: "expired",
  registration_id_taken: "registrationIDTaken", token_time_unit: "credentialTimeUnit",
  already_registered: "alreadyRegistered", key_taken: "alreadyRegistered",
  device_registered: "alreadyRegistered", not_signed_in: "notSignedIn",
  scope_missing: "scopeMissing", deregistration_refused: "deregistrationRefused",
  unknown_installation: "notRegistered", invalid_grant: "notAuthorized",
  origin_not_registered: "configurationInvalid", invalid_client: "configurationInvalid",
  unauthorized_client: "configurationInvalid", unsupported_grant_type: "configurationInvalid",
  invalid_scope: "configurationInvalid", access_denied: "cancelled", login_required: "notSignedIn",
  interaction_required: "notSignedIn", temporarily_unavailable: "providerUnavailable",
  server_error: "providerUnavailable", too_many_attempts: "tooManyRequests",
  too_many_requests: "tooManyRequests", slow_down: "tooManyRequests",
  vendor_unavailable: "providerUnavailable", fresh_sign_in_needed: "notSignedIn",
  unknown_identity_provider: "identityProviderInvalid",
  identity_provider_refused: "identityProviderRefused",
  identity_provider_unavailable: "identityProviderUnavailable",
  transaction_refused: "expired", transaction_expired: "expired",
  outdated_application: "outdatedApplication", outdated_system: "outdatedSystem",
  unknown_application: "configurationInvalid", approvals_not_offered: "approvalsNotOffered",
  not_enrolled: "notEnrolled", unknown_approval: "approvalNotFound",
  approval_handled: "approvalHandled", approval_refused: "approvalRefused",
  insufficient_entitlements: "insufficientEntitlements", request_id_taken: "idempotencyKeyTaken",
  web_target_refused: "webTargetRefused", invalid_target: "requestInvalid",
};

const codeOfStatus = (status) => {
  if (status === 401) return "notSignedIn";
  if (status === 403) return "notAuthorized";
  if (status === 429) return "tooManyRequests";
  if (status >= 500) return "providerUnavailable";
  return status >= 400 ? "requestInvalid" : "invalidAnswer";
};

const ofSomebodyElse = new Set([401, 402, 403, 404, 407, 409, 410, 451]);

/** No word of the provider's: a gateway or a firewall has answered, and signs nobody out. */
const unworded = ({ status, headers }, domain) => new IdentityError(
  domain, "invalidAnswer",
  `status ${status} and no word of the provider's, but ${headers.get("content-type") ?? "nothing"}`,
  { retry: "later" });

function refusal(answer, body, domain) {
  const name = [body?.code, body?.error].find((word) => typeof word === "string");
  if (name === undefined && ofSomebodyElse.has(answer.status)) return unworded(answer, domain);
  const text = body?.detail ?? body?.error_description ?? `status ${answer.status}`;
  const code = codesByName[name] ?? codeOfStatus(answer.status);
  const seconds = Number(answer.headers.get("retry-after"));
  const waits = comesBack.has(code) && Number.isInteger(seconds) && seconds > 0;
  return new IdentityError(domain, code, text, {
    serverCode: name, body, retry: waits ? "later" : undefined,
    retryAfterSeconds: waits ? seconds : undefined,
  });
}

const isAboutTheWay = (error) => error instanceof IdentityError
  && (["notReachable", "providerUnavailable", "tooManyRequests"].includes(error.code)
    || (error.code === "invalidAnswer" && error.retry === "later"));

const invalid = (reason) => new IdentityError("generic", "invalidAnswer", reason);
