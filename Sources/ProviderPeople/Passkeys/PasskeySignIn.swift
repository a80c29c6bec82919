// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Logging
import Primitives
package import ProviderCore
package import Storage
import WebAuthn

/// A sign-in with a passkey or security key, which is found by its ID. If it must belong to a
/// certain person, the challenge contains that person; the response does not.
///
/// A client that knows a credential ID can send any number of responses, so the audit log
/// aggregates refusals before the verification of the signature.
package struct PasskeySignIn: SignInCeremony {
    let ceremony: String
    let response: JSONValue
    package let replacing: Session?

    package init(ceremony: String, response: JSONValue, replacing: Session? = nil) {
        self.ceremony = ceremony
        self.response = response
        self.replacing = replacing
    }

    package var action: String { "sign-in.passkey" }

    package struct Asked: Sendable {
        let challenge: PasskeyChallenge
        let memory: SignInState
    }

    /// Opens the challenge. A successful response consumes it later.
    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<Asked, CeremonyRefusal> {
        PasskeyChallenge.open(ceremony, .passkeySignIn, in: context).map {
            Asked(challenge: $0, memory: SignInState($0.memory))
        }
    }

    package func prove(
        _ asked: Asked, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        let claimed: UnverifiedAssertion
        do throws(WebAuthnRefusal) { claimed = try UnverifiedAssertion(json: response) } catch {
            return .refused(.passkeyRefused, because: "\(error)", isStranger: true)
        }
        guard
            let stored = try await context.store.credentials.credential(
                externalID: claimed.id, kind: .publicKey, in: context.project)
        else {
            return .refused(.passkeyUnknown, because: "unknown credential id", isStranger: true)
        }
        // A key of another person is refused, even if the signature is valid.
        guard !asked.memory.isNamed || asked.memory.person == stored.person else {
            return .refused(
                .passkeyRefused, because: "the credential is another person's",
                person: stored.person, isStranger: true)
        }
        guard asked.memory.allows(stored.externalID) else {
            return .refused(
                .passkeyRefused, because: "the credential was not asked for",
                person: stored.person, isStranger: true)
        }
        return try await verify(claimed, stored, asked, context)
    }

    private func verify(
        _ claimed: UnverifiedAssertion, _ stored: Credential, _ asked: Asked,
        _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        let details = PasskeyDetails(stored.details)
        let policy = context.keyPolicy
        guard !policy.deniedAAGUIDs.contains(details.aaguid) else {
            return .refused(
                .keyNotAllowed, because: "the model \(details.aaguid) is denied",
                person: stored.person, isStranger: true)
        }
        let outcome = context.relyingParty.verify(
            assertion: claimed,
            for: StoredCredential(
                id: stored.externalID, publicKey: stored.publicPart,
                signCount: UInt32(clamping: stored.signCount),
                backupEligible: details.isBackupEligible, userHandle: stored.person.bytes),
            expecting: AssertionExpectation(
                challenge: asked.challenge.bytes, userVerification: policy.verification,
                allowCredentials: asked.memory.isNamed ? [stored.externalID] : [],
                requiresUserHandle: !asked.memory.isNamed, owner: asked.memory.person?.bytes,
                signCountPolicy: policy.counting, acceptsRS1: policy.rs1))
        switch outcome {
        case .failure(let refusal):
            return .refused(
                .passkeyRefused, because: "\(refusal)", person: stored.person, isStranger: true)
        case .success(let assertion):
            if var declined = try await asked.challenge.use(in: context) {
                declined.person = stored.person
                return .failure(declined)
            }
            return try await accept(assertion, stored, details, context)
        }
    }

    private func accept(
        _ assertion: VerifiedAssertion, _ stored: Credential, _ details: PasskeyDetails,
        _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        if assertion.signCountOutcome == .notIncreased {
            context.provider.log.warning(
                "a key's counter did not rise",
                metadata: [
                    "credential": "\(stored.id)", "request_id": "\(context.facts.requestID)",
                ])
        }
        guard try await record(assertion, of: stored, context),
            let person = try await context.store.people.person(stored.person)
        else {
            return .refused(
                .passkeyRefused, because: "the counter changed in the meantime",
                person: stored.person)
        }
        return .success(
            VerifiedPerson(
                person: person,
                factor: .key(
                    stored.id, details.facts,
                    flags: (
                        assertion.flags.contains(.userPresent), assertion.isUserVerified
                    ),
                    trusting: context.keyPolicy.evidence, at: context.now)))
    }

    /// Saves the use of the key. Returns whether the counter still had the value against which the
    /// assertion was verified. If a concurrent use changed only the details, this one is applied to
    /// the new details.
    private func record(
        _ assertion: VerifiedAssertion, of stored: Credential, _ context: CeremonyContext
    ) async throws -> Bool {
        var known = stored
        for _ in 0..<Self.attempts {
            var details = PasskeyDetails(known.details)
            details.isBackedUp = assertion.isBackedUp
            let isRecorded = try await context.store.credentials.recordUse(
                ofUnchanged: known, to: Int64(assertion.signCount), details: details.json,
                now: context.now)
            if isRecorded { return true }
            let newer = try await context.store.credentials.credential(
                externalID: stored.externalID, kind: .publicKey, in: context.project)
            guard let newer, newer.id == stored.id, newer.signCount == stored.signCount else {
                return false
            }
            known = newer
        }
        return false
    }

    private static let attempts = 4
}
