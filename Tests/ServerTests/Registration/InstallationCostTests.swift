// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import Storage
import Testing

/// The cost of app installations for the store, and in key operations: the speed that
/// `Benchmarks/run --only apps` measures depends on these numbers.
@Suite struct InstallationCostTests {
    private let house: RegistrationHouse

    init() async throws { house = try await RegistrationHouse(provesKeys: false) }

    /// Without what takes a proof of possession, which is written down too.
    private static let scope = "openid profile offline_access"

    private struct Cost: Equatable {
        var reads: Int
        var writes: Int
        var verifications: Int
        var signatures: Int
    }

    private func cost(of work: () async throws -> Void) async throws -> Cost {
        let (operations, asked) = try await KeyOperationCounter.counting {
            try await house.oauth.engine.count(work)
        }
        return Cost(
            reads: asked.reads, writes: asked.writes, verifications: operations[.verification],
            signatures: operations[.signature])
    }

    private func assertion(_ user: AppRegistrationResponse, _ key: AppKey) async throws -> String {
        let challenge = try await house.signInChallenge()
        return try SignInToken(
            userID: user.userID, audience: challenge.audience, nonce: challenge.nonce,
            expiresAt: house.now + 300
        ).signed(by: key.signer)
    }

    @Test("A challenge costs nothing")
    func challenge() async throws {
        _ = try await house.signInChallenge()
        let cost = try await cost { _ = try await house.signInChallenge() }
        #expect(cost == Cost(reads: 0, writes: 0, verifications: 0, signatures: 0))
    }

    @Test("A sign-in reads the person and their keys, and writes nonce, grant and event at once")
    func signIn() async throws {
        let key = try AppKey()
        let user = try await house.registered(key)
        // So that client and signing key are known.
        _ = try await house.signIn(try await assertion(user, key), scope: Self.scope)
        let message = try await assertion(user, key)
        let cost = try await cost {
            let status = try await house.signIn(message, scope: Self.scope).status.code
            #expect(status == 200)
        }
        // Of the installation's key; of access and ID token, which has the person's claims.
        #expect(cost == Cost(reads: 2, writes: 1, verifications: 1, signatures: 2))
    }

    @Test("A registration asks about the key once, and everything is written in one commit")
    func registration() async throws {
        _ = try await house.registered(try AppKey(), subject: "bea")
        let request = try await house.request(
            token: house.token().signed(by: house.signer), key: try AppKey())
        let cost = try await cost {
            let status = try await house.send(request).status
            #expect(status == 201)
        }
        // Of the issuer's token and of the key's proof.
        #expect(cost == Cost(reads: 1, writes: 1, verifications: 2, signatures: 0))
    }
}
