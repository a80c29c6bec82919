// SPDX-License-Identifier: Apache-2.0
import Attestation
import OAuth
import Primitives
import Storage

/// An assertion of App Attest that came with a sign-in: the app says over the letters of what the
/// installation's key has signed that it is still itself (Apple, "Validating Apps That Connect to
/// Your Server").
struct AppAssertion: Sendable {
    /// CBOR in base64url or base64, as it came.
    private let text: String
    private let clientData: [UInt8]

    private static let longest = 8192

    init(_ text: String, over assertion: String) {
        self.text = text
        clientData = Array(assertion.utf8)
    }

    func verify(
        by key: AttestedAppKey, since counter: Int64, now: Timestamp
    ) async -> Result<UInt32, AttestationRefusal> {
        guard text.utf8.count <= Self.longest, let bytes = AttestedEvidence.decode(text) else {
            return .failure(AttestationRefusal(.evidenceMalformed, "no base64"))
        }
        // The whole of the client data is the challenge: the nonce in it was given out for this.
        let verifier = AppAttestAssertionVerifier(
            applications: [key.application], key: key.key, counter: UInt32(clamping: counter),
            place: .prefix)
        do throws(AttestationRefusal) {
            let verified = try await verifier.check(
                UnverifiedAppAttestAssertion(assertion: bytes, clientData: clientData),
                expecting: AttestationExpectation(challenge: clientData, now: now))
            return .success(verified.counter)
        } catch { return .failure(error) }
    }
}

/// Whether an installation that registered with App Attest signs in as it must.
struct AppAssertionCheck: Sendable {
    let call: TokenCall

    init(_ call: TokenCall) { self.call = call }

    /// Counts the assertion and says `nil`, or why nobody is signed in. Of two assertions with one
    /// counter one counts: the counter is moved from the value that was verified against.
    func refusal(
        _ app: AppAssertion?, of credential: Credential, _ details: SignInKeyDetails
    ) async throws -> Refusal? {
        guard let key = details.attestedKey else {
            return app == nil ? nil : Self.refuse("an assertion of no attested app")
        }
        guard let app else {
            let rules = call.tenant.project.policy.registration.apple
            return rules.assertions == "required" ? Self.missing : nil
        }
        guard call.tenant.project.policy.registration.apple.applications.contains(key.application)
        else { return Self.refuse("the app is no longer one of ours") }
        switch await app.verify(by: key, since: credential.signCount, now: call.facts.now) {
        case .failure(let refusal): return Self.refuse(refusal.description)
        case .success(let counter):
            let moved = try await call.provider.store.recordUse(
                of: credential.id, from: credential.signCount, to: Int64(counter),
                details: credential.details, now: call.facts.now)
            return moved ? nil : Self.refuse("another assertion was faster")
        }
    }

    private static let missing = Refusal(
        ErrorCode.invalidGrant, "app_assertion is missing: sign the assertion with App Attest too.",
        reason: "no app assertion")

    private static func refuse(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.invalidGrant, "The app_assertion is not one of this installation's app.",
            reason: "app assertion: \(reason)")
    }
}
