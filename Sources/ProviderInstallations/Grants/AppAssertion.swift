// SPDX-License-Identifier: Apache-2.0
import Attestation
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// An App Attest assertion that accompanies a sign-in. It covers the bytes of the JWS that the key
/// of the installation signed, and proves that the app is unmodified (Apple, "Validating Apps That
/// Connect to Your Server").
package struct AppAssertion: Sendable {
    /// CBOR in base64url or Base64, as received.
    private let text: String
    private let clientData: [UInt8]

    private static let maximumLength = 8192

    package init(_ text: String, over assertion: String) {
        self.text = text
        clientData = Array(assertion.utf8)
    }

    func verify(
        by key: AttestedAppKey, since counter: Int64, now: Timestamp
    ) async -> Result<UInt32, AttestationRefusal> {
        guard text.utf8.count <= Self.maximumLength, let bytes = AttestedEvidence.decode(text)
        else {
            return .failure(AttestationRefusal(.evidenceMalformed, "no base64"))
        }
        // The client data as a whole is the challenge, because it contains the nonce of the
        // provider.
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

/// Verifies the App Attest assertion of an installation that registered with App Attest.
struct AppAssertionCheck: Sendable {
    let call: TokenRequestContext

    init(_ call: TokenRequestContext) { self.call = call }

    /// Maximum number of attempts if concurrent assertions change the counter.
    private static let attempts = 4

    /// Verifies the assertion and saves its counter. Returns a refusal or `nil`.
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
        else { return Self.refuse("the app is no longer in the policy") }
        return try await count(app, by: key, of: credential)
    }

    /// If two assertions have the same counter, one succeeds: the counter is changed only if it and
    /// the key are those of the verification. If a concurrent assertion changed the counter, this
    /// one is verified again.
    private func count(
        _ app: AppAssertion, by key: AttestedAppKey, of credential: Credential
    ) async throws -> Refusal? {
        let store = call.provider.store
        var known = credential
        for _ in 0..<Self.attempts {
            switch await app.verify(by: key, since: known.signCount, now: call.facts.now) {
            case .failure(let refusal): return Self.refuse(refusal.description)
            case .success(let counter):
                let isMoved = try await store.credentials.recordUse(
                    ofUnchanged: known, to: Int64(counter), details: known.details,
                    now: call.facts.now)
                if isMoved { return nil }
            }
            let newer = try await store.credentials.credential(
                externalID: credential.externalID, kind: .signInKey, in: credential.project)
            guard let newer, newer.id == credential.id,
                SignInKeyDetails(newer.details)?.attestedKey == key
            else { return Self.refuse("the key was deleted, or replaced in the meantime") }
            known = newer
        }
        return Self.refuse("concurrent assertions changed the counter repeatedly")
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
