// SPDX-License-Identifier: Apache-2.0
import Agent
import AttestationSupport
import Crypto
import JOSE
import PlatformSSO
import Primitives
import Support
import Testing

/// `jwksTrustedRootCertificates`: a provider whose keys are led to a root.
@Suite struct CertifiedKeysTests {
    private let clock = ManualClock()
    private let authority: AttestationAuthority
    private let key = P256.Signing.PrivateKey()

    init() throws { authority = try AttestationAuthority() }

    /// What a sign-in comes to when the provider's key has these certificates.
    private func failure(
        roots: [[UInt8]], chain: [[UInt8]]?, at clock: ManualClock? = nil
    ) async throws -> String? {
        let (clock, random) = (clock ?? self.clock, SystemRandomSource())
        let keys = AgentKeyStore(.file, random: random)
        let signing = try await keys.makeSigningKey()
        let encryption = try await keys.makeAgreementKey()
        let provider = try PlayedProvider(
            clock: clock,
            device: DeviceKeys(signing: signing.publicKey, encryption: [encryption.publicKey]),
            signing: PrivateJWK(scalar: Secret(Array(key.rawRepresentation)), on: .p256)
                .with(KeyParameters(keyID: "signer")))
        if let chain { provider.certify(chain) }
        var configuration = PlayedProvider.configuration
        configuration.jwksTrustedRootCertificates = roots
        let client = ProviderClient(
            exchange: ProviderExchange(web: provider, clock: clock, random: random),
            configuration: configuration, keys: keys, signing: signing, encryption: encryption)
        do {
            _ = try await client.signIn(
                UserLoginConfiguration(loginUserName: "anna"),
                password: Secret(PlayedProvider.password))
            return nil
        } catch {
            // Not `catch .notTrusted`: the compiler of 6.3 trips over it here.
            guard case .notTrusted(let reason) = error else { throw error }
            return reason
        }
    }

    private func chain(_ key: P256.Signing.PrivateKey? = nil) throws -> [[UInt8]] {
        [try authority.issue(key: key ?? self.key).der, try authority.intermediate.der]
    }

    @Test("A key whose certificates lead to a configured root signs people in")
    func trusted() async throws {
        let root = try authority.root.der
        #expect(try await failure(roots: [root], chain: try chain()) == nil)
        // The root itself may come along, and one of several is enough.
        #expect(try await failure(roots: [root], chain: try chain() + [root]) == nil)
        let other = try AttestationAuthority().root.der
        #expect(try await failure(roots: [other, root], chain: try chain()) == nil)
        // Without configured roots certificates do not matter.
        #expect(try await failure(roots: [], chain: [[0x30]]) == nil)
    }

    @Test(
        "A key without certificates, with those of another key, or without a trusted path is refused"
    )
    func untrusted() async throws {
        let root = try authority.root.der
        #expect(try await failure(roots: [root], chain: nil)?.contains("no x5c") == true)
        #expect(try await failure(roots: [root], chain: [])?.contains("no x5c") == true)
        #expect(try await failure(roots: [root], chain: [[0x30, 0x00]]) != nil)
        #expect(
            try await failure(roots: [root], chain: try chain(.init()))?
                .contains("of another key") == true)
        let other = try AttestationAuthority().root.der
        #expect(try await failure(roots: [other], chain: try chain()) != nil)
        // A root that only the provider names proves nothing.
        #expect(try await failure(roots: [other], chain: try chain() + [root]) != nil)
        // Certificates that are cut off before the root.
        #expect(
            try await failure(roots: [root], chain: [try authority.issue(key: key).der]) != nil)
    }

    @Test("Expired certificates sign no person in")
    func expired() async throws {
        let late = ManualClock()
        late.advance(by: .days(365 * 30))
        #expect(
            try await failure(
                roots: [try authority.root.der], chain: try chain(), at: late) != nil)
    }
}
