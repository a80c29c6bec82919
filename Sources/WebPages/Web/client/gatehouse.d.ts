// SPDX-License-Identifier: Apache-2.0
// Types of the browser client, gatehouse.js. What everything means: docs/browser-client.md.

/** Where an app belongs, and how it is known there. */
export interface ClientConfiguration {
  /** The issuer identifier of the project, letter for letter, without a slash at its end. */
  issuer: string;
  /** The public client that the app is. Its redirect URIs say which origins may ask. */
  clientID: string;
  /** Asked for at every sign-in; {@link usualScopes} unless named. */
  scopes?: readonly string[];
  /** Where the provider's page sends people back to: a registered redirect URI. */
  redirectURI?: string;
  /** What people call this browser: "Firefox on Anna's laptop". 128 bytes at most. */
  installationName?: string;
  /** For one exchange with the provider: 1 to 600, 30 unless named. */
  timeoutSeconds?: number;
}

export const registrationScope: "registration";
export const usualScopes: readonly string[];

/** What was being done when something went wrong. */
export type ErrorDomain =
  | "generic" | "registration" | "authentication" | "deregistration" | "signOut" | "resource"
  | "approvals" | "webHandoff";

/** What went wrong. New codes may come with new versions: have a default. */
export type ErrorCode =
  | "notReachable" | "providerUnavailable" | "invalidAnswer" | "requestInvalid"
  | "tooManyRequests" | "configurationInvalid" | "methodNotSupported" | "storageUnavailable"
  | "keyUnavailable" | "cancelled" | "expired" | "redirectMismatch" | "notRegistered"
  | "alreadyRegistered" | "registrationIDTaken" | "notSignedIn" | "notAuthorized"
  | "credentialTimeUnit" | "scopeMissing" | "deregistrationRefused" | "pinRequired"
  | "authenticatorNotRegistered" | "identityProviderInvalid" | "identityProviderRefused"
  | "identityProviderUnavailable" | "approvalsNotOffered" | "notEnrolled" | "approvalHandled"
  | "approvalNotFound" | "approvalRefused" | "webTargetRefused" | "outdatedApplication"
  | "outdatedSystem" | "insufficientEntitlements" | "idempotencyKeyTaken" | (string & {});

/** What the operator's own service has said. */
export interface CustomPayload {
  /** Its own number: 2000 to 2999 agrees, 4000 to 4999 asks to try again, 5000 to 5999 refuses. */
  readonly status: number;
  /** Its own words, in its own format. */
  readonly data?: string;
}

/** Why something that was asked did not happen. Nothing else is thrown, but by what pages bring. */
export class IdentityError extends Error {
  private constructor();
  readonly name: "IdentityError";
  readonly domain: ErrorDomain;
  readonly code: ErrorCode;
  /** For a log or a developer. Holds no secret; not for people. */
  readonly reason: string;
  /** When asking again can help. */
  readonly retry: "never" | "withOtherInput" | "later" | "afterSignIn";
  /** With `later`, when the provider said how long to wait. */
  readonly retryAfterSeconds?: number;
  /** What the provider said, when it was the provider. */
  readonly serverCode?: string;
  /** What the operator's own service said, where it was asked. */
  readonly providerAnswer?: CustomPayload;
  /** Who can do something about it. */
  readonly audience: "user" | "developer";
}

/** Somebody who is registered in this browser. */
export interface Profile {
  readonly id: string;
  /** `sub` of the person's tokens. */
  readonly userID: string;
  readonly username: string;
  readonly registeredAt: Date;
  readonly method: string;
  /** Absent for who has signed in on the provider's page only. */
  readonly installationID?: string;
  /** Whether this browser has a key that signs them in without asking. */
  readonly hasSignInKey: boolean;
}

export interface AccessToken {
  readonly value: string;
  /** By this machine's clock. */
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
  /**
   * Whether it is worth nothing without this browser's key (DPoP, RFC 9449): each request then
   * takes a proof along, which `fetch` and `authorize` of the session make.
   */
  readonly isBoundToKey: boolean;
}

export interface Claims {
  readonly sub: string;
  readonly [name: string]: unknown;
}

/** An address that signs the person in to a browser, once. */
export interface WebHandoff {
  /** Open it at once. Whoever opens it first has it: show it to nobody, and log it nowhere. */
  readonly url: string;
  /** By this machine's clock. */
  readonly expiresAt: Date;
}

export interface CurrentEntitlements {
  readonly effective: Record<string, boolean | number>;
  /** What is left of each that is used up. */
  readonly expendable: Record<string, number>;
  readonly set?: string;
  readonly sequence?: {
    readonly name: string; readonly startedAt: Date;
    /** Absent when no other set takes the place of this one. */
    readonly changesAt?: Date;
  };
}

export interface Consumption {
  readonly name: string;
  readonly amount: number;
  /** What was left then. */
  readonly remaining: number;
}

/** Whoever holds tokens. */
export interface RequestAuthorizing {
  /**
   * A token that is good for that many seconds, 30 unless named. From memory when there is one;
   * otherwise one renewal serves all who wait, in all tabs.
   */
  accessToken(options?: { validFor?: number }): Promise<AccessToken>;
  /** Has the tokens renewed, whatever is left of their life. */
  refresh(): Promise<void>;
  /**
   * The request with an access token, and with the proof that goes with it: to be sent once.
   * `nonce` is what the service asked for with `DPoP-Nonce`.
   */
  authorize(input: RequestInfo | URL, options?: { nonce?: string }): Promise<Request>;
  /** `fetch` with an access token; over https only, but on this machine. */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
}

/** Somebody who is signed in. Keep it: it outlives sign-ins. */
export class Session {
  private constructor();
  readonly profile: Profile;
  /** Of the verified ID token; `undefined` without the scope `openid`. */
  readonly claims: Claims | undefined;
  /** By the newest access token; `undefined` without the scope `entitlements`. */
  entitlements(): Promise<Record<string, boolean | number> | undefined>;
  /** Now, by the provider's word; and what is left of what is used up. */
  currentEntitlements(): Promise<CurrentEntitlements>;
  /**
   * Uses some up. Keep the key, a UUID, until the outcome is known: with the same one, for thirty
   * days, nothing more is used up. @throws {IdentityError} `insufficientEntitlements`
   */
  consume(
    name: string, options: { amount?: number; idempotencyKey: string },
  ): Promise<Consumption>;
  /**
   * Tokens for another of the operator's services, one of the client's `exchange_audiences`: for
   * that one alone, with no more scopes, and no longer than the session. @throws {IdentityError}
   * `requestInvalid` for another audience
   */
  exchange(
    audience: string, options?: { scopes?: readonly string[]; signal?: AbortSignal },
  ): Promise<ServiceSession>;
  /** `target` is one of the client's `web_handoff_uris`, with whatever query. */
  webHandoff(target: string | URL): Promise<WebHandoff>;
}
export interface Session extends RequestAuthorizing {}

/** Somebody's tokens for another of the operator's services; renewed as long as they are in. */
export class ServiceSession {
  private constructor();
}
export interface ServiceSession extends RequestAuthorizing {}

/** This browser's installation, which has shown its key; its tokens' `sub` is the installation. */
export class DeviceSession {
  private constructor();
}
export interface DeviceSession extends RequestAuthorizing {}

/** This browser itself, without anybody who uses it. */
export interface Device {
  /**
   * By this browser's key, with nobody signed in and nobody asked; nothing of it is kept. Without
   * `scopes` all that the project gives to devices; `profileID` says whose key.
   */
  session(options?: {
    scopes?: readonly string[];
    profileID?: string;
    signal?: AbortSignal;
  }): Promise<DeviceSession>;
}

/** What the provider has the evidence bound to. */
export interface RegistrationChallenge {
  readonly method: string;
  /** Used once. */
  readonly nonce: string;
  readonly audience: string;
  /** 32 bytes that tie evidence to this moment and to the key that is being registered. */
  readonly binding: Uint8Array;
}

/** How this browser asks to be registered: by which method, and with what evidence. */
export interface RegistrationRequest {
  readonly method: string;
  evidence(challenge: RegistrationChallenge): Promise<Record<string, unknown>>;
}

/** A registration request whose tokens sign in as well. */
export interface CredentialProvider extends RegistrationRequest {
  credential(): Promise<string>;
}

/** Credentials that a registered issuer signs; asked for each time, for they are used up. */
export function signedJWT(
  token: (challenge?: RegistrationChallenge) => string | Promise<string>,
): CredentialProvider;

/** People for tests. Whoever has the page has the key: never where others get it. */
export function testKey(options: {
  keyID: string;
  /** PKCS #8 in PEM, P-256 or RSA. */
  privateKey: string;
  subject: string;
  attributes?: Record<string, unknown>;
}): CredentialProvider;

/** This browser's own key as the way to sign in. */
export const deviceKey: "deviceKey";

export interface RegistrationOptions {
  /** A UUID. When the end is not known, do it again with the same one. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface Registration {
  readonly profile: Profile;
  readonly isNewProfile: boolean;
  readonly method: string;
  readonly idempotencyKey: string;
  /** Of the operator's own service, where people came by one. */
  readonly providerAnswer?: CustomPayload;
}

/** A service of the operator's own by which people register. */
export interface CustomIdentityProvider {
  /** What it is named by: it never changes. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly method: "customOneStep" | "customTwoStep";
}

/** The operator's own service is to be told something. */
export interface CustomChallenge {
  readonly identityProvider: CustomIdentityProvider;
  /** `start` before the service has said anything, in two steps only. */
  readonly stage: "start" | "complete";
  /** What it said last: of the first step, or why it asks again. */
  readonly payload: CustomPayload | undefined;
}

/**
 * What the person says, at most 8,192 bytes; nothing says nothing, and goes on. Throwing gives up:
 * a service that waits for the second step is told.
 */
export type CustomAnswer = (
  challenge: CustomChallenge,
) => string | null | undefined | void | Promise<string | null | undefined | void>;

/** Something that somebody else asks a person to approve. Show all of it: it is what is signed. */
export interface ApprovalRequest {
  readonly id: string;
  readonly profile: Profile;
  readonly clientID: string;
  readonly clientName: string;
  /** Empty for none. */
  readonly message: string;
  /** What is to be signed, word by word; empty for none. */
  readonly transactionText: string;
  /** The provider's name for the question, which the answer carries. */
  readonly nonce: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type ApprovalOutcome = "approved" | "denied";

export interface ApprovalEnrollment {
  readonly enrolledAt: Date;
  readonly hasPushToken: boolean;
}

/** What others ask people to approve in this browser. */
export interface Approvals {
  /** Again when the push token has changed. @throws {IdentityError} `approvalsNotOffered` */
  enroll(profileID?: string, options?: { pushToken?: string }): Promise<void>;
  unenroll(profileID?: string): Promise<void>;
  /** `null` when this browser is not asked. */
  enrollment(profileID?: string): Promise<ApprovalEnrollment | null>;
  /** @throws {IdentityError} `notEnrolled` */
  pending(profileID?: string): Promise<ApprovalRequest[]>;
  /** Letters, or an address with `approval_code`. @throws {IdentityError} `approvalNotFound` */
  resolve(code: string, profileID?: string): Promise<ApprovalRequest>;
  /** Each request once, beginning with what waits; looks when it begins and on `received`. */
  requests(profileID?: string, options?: { signal?: AbortSignal }): AsyncGenerator<ApprovalRequest>;
  /** A push has come, or the page is in front again. */
  received(): void;
  /** `true` approves, `false` denies; throwing leaves it waiting. Signed by this browser's key. */
  handle(
    request: ApprovalRequest,
    decide: (request: ApprovalRequest) => boolean | Promise<boolean>,
  ): Promise<ApprovalOutcome>;
}

export interface PendingRegistration {
  readonly idempotencyKey: string;
  readonly method: string;
}

export interface BrowserRequestOptions {
  scopes?: readonly string[];
  redirectURI?: string;
  /** Comes back with the outcome; the address of the page unless named. */
  returnTo?: string;
  /**
   * With `ephemeral`, for a guest or a kiosk, nothing of them is kept here: profile, key and tokens
   * are gone with the page that completes it. What the provider's page remembers is its own.
   */
  persistence?: "kept" | "ephemeral";
  prompt?: string;
  loginHint?: string;
  acrValues?: readonly string[];
  /** Seconds since the person has last shown who they are. */
  maxAge?: number;
  uiLocales?: readonly string[];
}

export interface BrowserOutcome {
  readonly profile: Profile;
  readonly session: Session;
  readonly isNewProfile: boolean;
  readonly returnTo: string;
}

export type SignOutScope = "thisDevice" | "everywhere" | "localOnly";

/** It is done here either way; `isComplete` says whether the provider knows. */
export type LeavingOutcome =
  | { readonly isComplete: true }
  | { readonly isComplete: false; readonly error: IdentityError };

export interface IdentityClientEvents {
  signedin: CustomEvent<{ readonly profile: Profile }>;
  signedout: CustomEvent<{
    readonly profile: Profile;
    readonly reason: "requested" | "refused" | "removed";
  }>;
  /** A newer access token says something else of what the person may do. */
  entitlementschanged: CustomEvent<{ readonly profile: Profile }>;
  refreshfailed: CustomEvent<{ readonly profile: Profile; readonly error: ErrorCode }>;
}

/** The people of one browser, at one provider. Make one for each configuration, and keep it. */
export class IdentityClient extends EventTarget {
  /** @throws {IdentityError} `configurationInvalid` */
  constructor(configuration: ClientConfiguration);
  close(): void;
  readonly approvals: Approvals;
  readonly device: Device;
  start(): Promise<{ readonly issuer: string; readonly registersApps: boolean }>;
  profiles(): Promise<Profile[]>;
  session(profileID?: string): Promise<Session>;

  register(request: RegistrationRequest, options?: RegistrationOptions): Promise<Registration>;
  identityProviders(): Promise<CustomIdentityProvider[]>;
  /** @param provider the `id` of one of {@link identityProviders} */
  registerWith(
    provider: string, answer: CustomAnswer, options?: RegistrationOptions,
  ): Promise<Registration>;
  pendingRegistrations(): Promise<PendingRegistration[]>;
  registerInstallation(profileID?: string, options?: RegistrationOptions): Promise<Registration>;

  registerInBrowser(options?: BrowserRequestOptions): Promise<never>;
  browserRequest(options?: BrowserRequestOptions): Promise<string>;
  completeInBrowser(address?: string): Promise<BrowserOutcome | null>;

  signIn(
    method?: typeof deviceKey | CredentialProvider,
    options?: { profileID?: string; signal?: AbortSignal },
  ): Promise<Session>;
  /** By this browser's key alone, beside the person's session; nothing of it is kept. */
  implicitSession(
    profileID: string | undefined,
    options: { scopes: readonly string[]; signal?: AbortSignal },
  ): Promise<Session>;

  signOut(profileID?: string, scope?: SignOutScope): Promise<LeavingOutcome>;
  remove(profileID?: string): Promise<LeavingOutcome>;
  deleteAccount(profileID?: string): Promise<void>;
  eraseLocalState(): Promise<void>;

  /** Told in every tab. */
  addEventListener<Name extends keyof IdentityClientEvents>(
    type: Name, listener: (event: IdentityClientEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
}
