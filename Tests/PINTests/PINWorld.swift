// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives
import Support
import Synchronization
import Testing

/// An issuer with its store, and devices that talk to it without a network between.
struct PINWorld: Sendable {
    static let issuer = "https://id.example"
    /// The private key to which devices seal proofs.
    static let proofScalar = [UInt8](repeating: 3, count: 32)
    static let now = Timestamp(seconds: 1_800_000_000)

    let table = PINTable()
    let vault = TestVault()
    let random = SeededRandom()
    let proofKey: PINProofKey
    let keys: JWKSet
    let verifier: PINVerifier
    let signer: PINStatementSigner
    let endpoint: PINEndpoint

    init(limit: Int = 3, issuer: String = PINWorld.issuer) throws {
        let signingKey = try PrivateJWK.generate(for: .es256)
        keys = try JWKSet([.publicKey(signingKey.publicKey)])
        proofKey = try #require(PINProofKey(scalar: Secret(Self.proofScalar)))
        verifier = PINVerifier(
            issuer: issuer, limit: PINAttemptLimit(limit) ?? .standard, vault: vault,
            proofKeys: [proofKey], random: random)
        signer = PINStatementSigner(issuer: issuer, signer: try JOSESigner(signingKey))
        endpoint = PINEndpoint(verifier: verifier, signer: signer, store: table)
    }

    func nonce() -> PINNonce { table.issue(random) }

    /// The server's answer to bytes from the wire.
    func answer(_ bytes: [UInt8]) async throws -> PINResponse {
        guard let request = UnverifiedPINRequest(compact: bytes) else { return .refused }
        return try await endpoint.answer(request, now: Self.now).answer
    }

    /// The same within a registration of that key.
    func register(_ bytes: [UInt8], _ key: PublicJWK) async throws -> PINResponse {
        guard let request = UnverifiedPINRequest(compact: bytes),
            let record = PINRecord(registering: key)
        else { return .refused }
        return try await endpoint.register(request, key: record, now: Self.now).answer
    }

    /// A device with a profile whose PIN is that.
    func device(pin: String = "24680") async throws -> PINTestDevice {
        var device = try PINTestDevice(self)
        try await device.enrol(pin)
        return device
    }
}

/// The two verbs of a database, in memory.
final class PINTable: PINStore {
    private struct Content {
        var records: [PINKeyID: PINRecord] = [:]
        var nonces: Set<PINNonce> = []
    }

    private let content = Mutex(Content())

    func issue(_ random: some RandomSource) -> PINNonce {
        let nonce = PINNonce(random: random)
        content.withLock { _ = $0.nonces.insert(nonce) }
        return nonce
    }

    var records: [PINRecord] { content.withLock { Array($0.records.values) } }

    func record(_ keyID: PINKeyID) -> PINRecord? { content.withLock { $0.records[keyID] } }

    /// Brings a record to where a test begins.
    func put(_ record: PINRecord) { content.withLock { $0.records[record.keyID] = record } }

    /// What an administrator does.
    func revoke(_ keyID: PINKeyID) {
        content.withLock { $0.records[keyID] = $0.records[keyID]?.revoked() }
    }

    func pinRecord(of keyID: PINKeyID) async throws -> PINRecord? { record(keyID) }

    func applyPINChange(
        _ successor: PINRecord?, of keyID: PINKeyID, evaluatedAt revision: Int64,
        consuming nonce: PINNonce
    ) async throws -> PINSettlement {
        content.withLock { content in
            guard content.nonces.contains(nonce) else { return .nonceGone }
            if let successor {
                guard content.records[keyID]?.revision ?? 0 == revision else { return .stale }
                // What a database keeps is bytes.
                content.records[keyID] = PINRecord(
                    json: successor.json, revision: successor.revision)
            }
            content.nonces.remove(nonce)
            return .applied
        }
    }
}

/// A vault whose bytes are legible to the test, which a real one's are not.
final class TestVault: PINSecretProtector {
    struct Broken: Error {}

    /// Set to see what happens when the vault key is another one.
    let isBroken = Mutex(false)

    func seal(_ secret: Secret, context: String) throws -> [UInt8] {
        if isBroken.withLock({ $0 }) { throw Broken() }
        return Array(context.utf8) + [0] + secret.reveal().map { $0 ^ 0xA5 }
    }

    func open(_ sealed: [UInt8], context: String) throws -> Secret {
        guard !isBroken.withLock({ $0 }), sealed.starts(with: Array(context.utf8) + [0]) else {
            throw Broken()
        }
        return Secret(sealed.dropFirst(context.utf8.count + 1).map { $0 ^ 0xA5 })
    }
}
