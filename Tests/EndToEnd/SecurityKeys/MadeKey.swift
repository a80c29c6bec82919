// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CTAP
import Crypto
import Foundation
import Primitives
import Support

/// A key of a maker: our software authenticator, with an attestation key that the maker certified,
/// on a pseudo-terminal as any other.
struct MadeKey {
    let device: String
    private let served: ServedSecurityKey

    /// The model that the maker's certificate names.
    static let model = "1d8a4c0e-5f0b-4e63-9d2c-6761746b6579"

    init(by maker: AttestationAuthority) throws {
        let random = SystemRandomSource()
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = [
            try AttestationAuthority.aaguid(AuthenticatorConfiguration.softwareKeyModel)
        ]
        // Statements of this authenticator carry one certificate: the root must be its issuer.
        let issued = try maker.issue(leaf, by: maker.root)
        let certificate = try issued.der
        let store = MemoryAuthenticatorStore()
        store.save(
            AuthenticatorState(
                random: random, attestationKey: Secret(issued.key.rawRepresentation),
                attestationCertificate: certificate))
        var configuration = AuthenticatorConfiguration()
        configuration.attestation = .certificate
        configuration.verification = .platform
        let authenticator = try SoftwareAuthenticator(
            store: store, configuration: configuration, gesture: AutomaticGesture(),
            clock: SystemWallClock(), random: random)
        served = try EmulatedSecurityKey(authenticator, random: random).serve(on: .pty)
        guard let path = served.path else { throw HarnessError("the key has no device") }
        device = path
    }

    /// `gatehouse register security-key` with this key and the person's password.
    func register(at server: ServerProcess, for username: String) async throws -> Command.Outcome {
        try await Command.run(
            try EmulatedKey.setsid,
            [Repository.gatehouse.path(), "register", "security-key", "--username", username],
            environment: [
                "GATEHOUSE_SECURITY_KEY": device, "GATEHOUSE_ISSUER": server.issuer,
                "XDG_STATE_HOME": server.data.file("state").path(),
                "GATEHOUSE_PASSWORD": DeclaredState.password,
            ])
    }

    func stop() { served.stop() }
}
