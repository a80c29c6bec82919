// SPDX-License-Identifier: Apache-2.0
// The values of the public API.
import type { IdentityError } from "./errors.js";
import type { Services } from "./seams.js";
import type { Session } from "./session.js";

/** Options of a sign-in on a page of the provider (OpenID Connect Core section 3.1.2.1). */
export interface SignInOptions {
  /** Replaces the scopes of the configuration. */
  readonly scopes?: readonly string[];
  /** `login`: authenticate again; `select_account`, `consent`, `create`. */
  readonly prompt?: string;
  readonly loginHint?: string;
  readonly acrValues?: readonly string[];
  /** The maximum number of seconds since the person authenticated. */
  readonly maxAge?: number;
  readonly uiLocales?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A way to register: a page of the provider, an upstream provider, or an operator's service. */
export interface IdentityProvider {
  readonly id: string;
  readonly name: string;
  readonly kind: "browser" | "upstream" | "custom";
  /** Of a service of the operator: how many steps it has. */
  readonly method?: "customOneStep" | "customTwoStep";
  readonly icon?: string;
}

export interface PINPolicy {
  readonly length: number;
  readonly maximumRepeats: number;
  readonly allowsSequences: boolean;
  readonly blocked: readonly string[];
}

export type PINViolation = "length" | "digits" | "repeats" | "sequence" | "blocked";

/** A request for a PIN. After a rejected or wrong one the prompter is called again. */
export interface PINPrompt {
  /** Absent while the profile does not exist yet. */
  readonly profile?: Profile;
  readonly policy: PINPolicy;
  /** Why the last PIN was not accepted as a new one. */
  readonly rejection?: PINViolation;
  /** After a wrong PIN. */
  readonly attempts?: { readonly limit: number; readonly used: number; readonly remaining: number };
}

/** What an operator's service sent: 2000 to 2999 accepts, 4000 to 4999 asks again. */
export interface CustomPayload {
  readonly status: number;
  readonly data?: string;
}

/** An operator's service needs text of the person. */
export interface CustomPrompt {
  readonly identityProvider: IdentityProvider;
  /** `start` before the service has sent anything; only with two steps. */
  readonly stage: "start" | "complete";
  readonly payload?: CustomPayload;
}

/**
 * Prompts of the app. Each is needed only if the project uses it. A prompt that throws
 * `cancelled()` or a DOM `AbortError` cancels the call.
 */
export interface Prompter {
  newPIN?(prompt: PINPrompt): Promise<string>;
  pin?(prompt: PINPrompt): Promise<string>;
  answer?(prompt: CustomPrompt): Promise<string | null | undefined>;
}

export interface ClientConfiguration {
  /** The issuer identifier of the project, without a slash at its end. */
  readonly issuer: string;
  /** A public client of the project. */
  readonly clientID: string;
  /** A registered redirect URI. Node's loopback browser does not need one. */
  readonly redirectURI?: string;
  /** The default is `openid profile offline_access registration`. */
  readonly scopes?: readonly string[];
  /** The name that the person gave this device: 128 bytes at most. */
  readonly installationName?: string;
  /** Of one request: 1 to 600; the default is 30. */
  readonly timeoutSeconds?: number;
  /** Whether `session.fetch` authenticates the person again if a service requires it (RFC 9470). */
  readonly stepsUp?: boolean;
  readonly prompter?: Prompter;
  /** Replaces parts of the platform. */
  readonly services?: Partial<Services>;
}

/** A person on this device. */
export interface Profile {
  readonly id: string;
  /** `sub` of the person's tokens. */
  readonly userID: string;
  readonly username: string;
  /** Set by `rename`; otherwise the username. */
  readonly name: string;
  readonly registeredAt: Date;
  readonly method: string;
  /** Absent for a person who signed in on the provider's page only. */
  readonly installationID?: string;
  readonly hasSignInKey: boolean;
  readonly hasPIN: boolean;
}

/** The result of a registration or of a sign-in on a page. */
export interface Registration {
  readonly profile: Profile;
  readonly session: Session;
  readonly isNew: boolean;
  readonly identityProvider?: IdentityProvider;
  /** What an operator's service sent at the end. */
  readonly info?: CustomPayload;
  /** The URL of the page from which the person left. */
  readonly returnTo?: string;
}

/** A registration whose result is not known. */
export interface PendingRegistration {
  readonly id: string;
  readonly method: string;
}

export interface ProviderInfo {
  readonly issuer: string;
  readonly identityProviders: readonly IdentityProvider[];
  /** The registration methods of the project, if the provider publishes them. */
  readonly methods?: readonly string[];
  /** Whether tokens are bound to keys (RFC 9449). */
  readonly bindsTokens: boolean;
}

export interface AccessToken {
  readonly value: string;
  /** By the clock of this device. */
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
  /** With a key, each request needs a proof, which `fetch` and `authorize` add. */
  readonly isBoundToKey: boolean;
}

/** `browser` signs the person out of the provider's pages in this browser as well. */
export type SignOutScope = "thisDevice" | "everywhere" | "localOnly" | "browser";

/** Local data are removed in any case. `error` says why the provider was not notified. */
export interface LeavingOutcome {
  readonly error?: IdentityError;
}

export type SessionEvent =
  | { readonly type: "signingIn"; readonly profile?: Profile }
  | { readonly type: "signedIn"; readonly profile: Profile }
  | { readonly type: "signInFailed"; readonly code: string }
  | {
    readonly type: "signedOut"; readonly profile: Profile;
    readonly reason: "requested" | "refused" | "removed";
  }
  | { readonly type: "refreshFailed"; readonly profile: Profile; readonly code: string }
  | { readonly type: "entitlementsChanged"; readonly profile: Profile };

/** What the provider binds evidence to. */
export interface EvidenceChallenge {
  readonly method: string;
  readonly nonce: string;
  readonly audience: string;
  /** SHA-256 of nonce and key: what an attestation contains. */
  readonly binding: Uint8Array;
}

/** Evidence of who registers, other than a page of the provider (docs/registration.md). */
export interface Evidence {
  readonly method: string;
  evidence(challenge: EvidenceChallenge): Promise<Readonly<Record<string, unknown>>>;
  /** A JWT that signs the same person in (RFC 7523 section 2.1). */
  credential?(): Promise<string>;
}
