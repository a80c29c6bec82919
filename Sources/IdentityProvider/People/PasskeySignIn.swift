// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import Storage
import WebAuthn

/// A passkey, found by its own id: the person need not say who they are.
package struct PasskeySignIn: SignInSteps {
    let ceremony: String
    let response: JSONValue

    package init(ceremony: String, response: JSONValue) {
        self.ceremony = ceremony
        self.response = response
    }

    package var action: String { "sign-in.passkey" }

    /// The consumed challenge.
    package func challenge(_ context: CeremonyContext) async throws -> Result<[UInt8], Declined> {
        try await PasskeyChallenge.consume(ceremony, .passkeySignIn, in: context).map(\.bytes)
    }

    package func proof(
        _ challenge: [UInt8], _ context: CeremonyContext
    ) async throws -> Result<ProvenPerson, Declined> {
        let claimed: UnverifiedAssertion
        do throws(WebAuthnRefusal) { claimed = try UnverifiedAssertion(json: response) } catch {
            return .refused(.passkeyRefused, because: "\(error)")
        }
        guard
            let stored = try await context.store.credential(
                externalID: claimed.id, kind: .publicKey, in: context.project)
        else { return .refused(.passkeyUnknown, because: "unknown credential id") }
        return try await verify(claimed, stored, challenge, context)
    }

    private func verify(
        _ claimed: UnverifiedAssertion, _ stored: Credential, _ challenge: [UInt8],
        _ context: CeremonyContext
    ) async throws -> Result<ProvenPerson, Declined> {
        let details = PasskeyDetails(stored.details)
        let outcome = context.relyingParty.verify(
            assertion: claimed,
            for: StoredCredential(
                id: stored.externalID, publicKey: stored.publicPart,
                signCount: UInt32(clamping: stored.signCount),
                backupEligible: details.isBackupEligible, userHandle: stored.person.bytes),
            expecting: AssertionExpectation(
                challenge: challenge, userVerification: .required, requiresUserHandle: true))
        switch outcome {
        case .failure(let refusal):
            return .refused(.passkeyRefused, because: "\(refusal)", person: stored.person)
        case .success(let assertion):
            return try await accept(assertion, stored, details, context)
        }
    }

    private func accept(
        _ assertion: VerifiedAssertion, _ stored: Credential, _ details: PasskeyDetails,
        _ context: CeremonyContext
    ) async throws -> Result<ProvenPerson, Declined> {
        var details = details
        details.isBackedUp = assertion.isBackedUp
        let isRecorded = try await context.store.recordUse(
            of: stored.id, from: stored.signCount, to: Int64(assertion.signCount),
            details: details.json, now: context.now)
        guard isRecorded, let person = try await context.store.person(stored.person) else {
            return .refused(
                .passkeyRefused, because: "the counter moved meanwhile", person: stored.person)
        }
        return .success(
            ProvenPerson(
                person: person,
                methods: PasskeyMethods.of(isBackedUp: assertion.isBackupEligible)))
    }
}
