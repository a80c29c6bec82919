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
  | "generic" | "registration" | "authentication" | "deregistration" | "signOut" | "resource";

/** What went wrong. New codes may come with new versions: have a default. */
export type ErrorCode =
  | "notReachable" | "providerUnavailable" | "invalidAnswer" | "requestInvalid"
  | "tooManyRequests" | "configurationInvalid" | "methodNotSupported" | "storageUnavailable"
  | "keyUnavailable" | "cancelled" | "expired" | "redirectMismatch" | "notRegistered"
  | "alreadyRegistered" | "registrationIDTaken" | "notSignedIn" | "notAuthorized"
  | "credentialTimeUnit" | "scopeMissing" | "deregistrationRefused" | "pinRequired"
  | "authenticatorNotRegistered" | (string & {});

/** Why something that was asked did not happen. Nothing else is thrown, but by `evidence`. */
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

/** Somebody who is signed in. Keep it: it outlives sign-ins. */
export class Session {
  private constructor();
  readonly profile: Profile;
  /** Of the verified ID token; `undefined` without the scope `openid`. */
  readonly claims: Claims | undefined;
  /**
   * A token that is good for that many seconds, 30 unless named. From memory when there is one;
   * otherwise one renewal serves all who wait, in all tabs.
   */
  accessToken(options?: { validFor?: number }): Promise<AccessToken>;
  /** Has the tokens renewed, whatever is left of their life. */
  refresh(): Promise<void>;
  /** Needs the scope `entitlements`. */
  entitlements(): Promise<Record<string, boolean | number> | undefined>;
  /**
   * The request with an access token, and with the proof that goes with it: to be sent once.
   * `nonce` is what the service asked for with `DPoP-Nonce`.
   */
  authorize(input: RequestInfo | URL, options?: { nonce?: string }): Promise<Request>;
  /** `fetch` with an access token; over https only, but on this machine. */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
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
  refreshfailed: CustomEvent<{ readonly profile: Profile; readonly error: ErrorCode }>;
}

/** The people of one browser, at one provider. Make one for each configuration, and keep it. */
export class IdentityClient extends EventTarget {
  /** @throws {IdentityError} `configurationInvalid` */
  constructor(configuration: ClientConfiguration);
  close(): void;
  start(): Promise<{ readonly issuer: string; readonly registersApps: boolean }>;
  profiles(): Promise<Profile[]>;
  session(profileID?: string): Promise<Session>;

  register(request: RegistrationRequest, options?: RegistrationOptions): Promise<Registration>;
  pendingRegistrations(): Promise<PendingRegistration[]>;
  registerInstallation(profileID?: string, options?: RegistrationOptions): Promise<Registration>;

  registerInBrowser(options?: BrowserRequestOptions): Promise<never>;
  browserRequest(options?: BrowserRequestOptions): Promise<string>;
  completeInBrowser(address?: string): Promise<BrowserOutcome | null>;

  signIn(
    method?: typeof deviceKey | CredentialProvider,
    options?: { profileID?: string; signal?: AbortSignal },
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
