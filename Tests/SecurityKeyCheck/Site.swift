// SPDX-License-Identifier: Apache-2.0
import CTAP
import JOSE
import Primitives
import WebAuthn

/// A relying party that verifies registrations and assertions.
struct Site {
    struct Registered {
        let credential: StoredCredential
        let algorithm: COSEAlgorithm
        let transports: [String]
    }

    let verifiesPeople: Bool
    private let party = RelyingParty(id: "example.com", origins: ["https://example.com"])
    private let caller = CeremonyCaller.web(origin: "https://example.com")
    private let random = SystemRandomSource()

    init(verifiesPeople: Bool) { self.verifiesPeople = verifiesPeople }

    private var verification: UserVerificationRequirement {
        verifiesPeople ? .required : .discouraged
    }

    func register(_ client: SecurityKeyClient) async throws -> Registered {
        let challenge = random.bytes(32)
        var options = RegistrationOptions(
            relyingPartyId: "example.com", relyingPartyName: "Example",
            // Long enough for more than one short APDU.
            user: CTAPUser(
                id: [1, 2, 3], name: "anna.johnson.of.the.security.department@mail.example.com",
                displayName: "Anna Johnson of the department that looks after the locks"),
            challenge: challenge, algorithms: [-7])
        options.userVerification = verification
        options.attestation = .direct
        let made = try await client.register(options, caller: caller)
        let verified = try await party.verify(
            registration: UnverifiedRegistration(json: made.json.bytes),
            expecting: RegistrationExpectation(
                challenge: challenge, userVerification: verification,
                algorithms: AcceptedAlgorithms([.es256]),
                now: SystemWallClock().now)
        ).get()
        return Registered(
            credential: StoredCredential(
                id: verified.credentialId, publicKey: verified.publicKey,
                signCount: verified.signCount, backupEligible: verified.isBackupEligible),
            algorithm: verified.algorithm, transports: verified.transports)
    }

    func signIn(_ client: SecurityKeyClient, _ credential: StoredCredential) async throws {
        let challenge = random.bytes(32)
        var options = AssertionOptions(relyingPartyId: "example.com", challenge: challenge)
        options.allowCredentials = [CTAPCredentialDescriptor(id: credential.id)]
        options.userVerification = verification
        let assertion = try await client.signIn(options, caller: caller)
        _ = try party.verify(
            assertion: UnverifiedAssertion(json: assertion.json.bytes), for: credential,
            expecting: AssertionExpectation(
                challenge: challenge, userVerification: verification,
                allowCredentials: [credential.id])
        ).get()
    }
}
