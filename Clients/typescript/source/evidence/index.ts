// SPDX-License-Identifier: Apache-2.0
// Evidence of who registers, other than a page of the provider.
import type { Evidence, EvidenceChallenge } from "../core/types.js";

/** A JWT that a registered issuer signs. It is requested for each use, because it is valid once. */
export const signedJWT = (
  token: (challenge?: EvidenceChallenge) => string | Promise<string>,
): Evidence => Object.freeze({
  method: "signedJWT", evidence: async (challenge: EvidenceChallenge) => ({
    token: await token(challenge),
  }), credential: async () => token(),
});

/** Evidence of any method of docs/registration.md. */
export const evidence = (
  method: string, make: Evidence["evidence"],
): Evidence => Object.freeze({ method, evidence: make });
