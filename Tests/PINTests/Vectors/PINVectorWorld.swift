// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import PINSupport
import Primitives
import Support
import Synchronization
import Testing

/// The keys and values of the vectors. They are published, and protect nothing.
struct PINVectorWorld {
    static let deviceScalar = [UInt8](repeating: 1, count: 32)
    static let otherScalar = [UInt8](repeating: 2, count: 32)
    static let providerScalar = [UInt8](repeating: 5, count: 32)
    static let transportScalar = [UInt8](repeating: 6, count: 32)
    static let limit = 3

    let device: VectorDeviceKey
    let other: VectorDeviceKey
    let proofKey: PINProofKey
    let signer: PINStatementSigner
    let providerKey: PrivateJWK
    let vault = TestVault()
    let nonce: PINNonce
    /// 1 is the current secret, 2 the offered one.
    let secrets = [[UInt8](repeating: 0x11, count: 32), [UInt8](repeating: 0x22, count: 32)]

    init() throws {
        device = try VectorDeviceKey(Self.deviceScalar)
        other = try VectorDeviceKey(Self.otherScalar)
        proofKey = try #require(PINProofKey(scalar: Secret(PINWorld.proofScalar)))
        let bare = try PrivateJWK(scalar: Secret(Self.providerScalar), on: .p256)
        providerKey = try bare.with(
            KeyParameters(
                keyID: bare.publicKey.thumbprintText, use: "sig", algorithm: "ES256"))
        signer = PINStatementSigner(issuer: PINWorld.issuer, signer: try JOSESigner(providerKey))
        nonce = try #require(
            PINNonce(text: Base64URL.encode([UInt8](repeating: 7, count: 32))))
    }

    var binding: PINBinding {
        PINBinding(issuer: PINWorld.issuer, keyID: PINKeyID(device.publicKey))
    }

    var requests: PINRequestSigner {
        get throws {
            try #require(
                PINRequestSigner(
                    issuer: PINWorld.issuer, key: device, proofKey: proofKey.publicKey))
        }
    }

    var version1: Version1Device { Version1Device(issuer: PINWorld.issuer, key: device) }

    func verifier(random: [[UInt8]] = []) -> PINVerifier {
        PINVerifier(
            issuer: PINWorld.issuer, limit: PINAttemptLimit(Self.limit) ?? .standard, vault: vault,
            proofKeys: [proofKey], random: ListedRandom(random))
    }

    /// The published halves, as a document lists them.
    var keySet: JSONValue {
        ["keys": .array([providerKey.publicKey.json, proofKey.publicKey.jwk.json])]
    }

    /// Private JWKs by the party that has them.
    func keys(_ names: String...) throws -> JSONValue {
        let scalars = [
            "device": Self.deviceScalar, "other": Self.otherScalar,
            "proof": PINWorld.proofScalar, "provider": Self.providerScalar,
            "transport": Self.transportScalar,
        ]
        var object = JSONObject()
        for name in names {
            let key = try PrivateJWK(scalar: Secret(#require(scalars[name])), on: .p256)
            object[name] = try JSONParser.parse(key.export().reveal(), maximumBytes: 4_096)
        }
        return .object(object)
    }

    /// What a device has in memory after it opened that secret.
    func opened(_ secret: [UInt8], version: UInt32) async throws -> OpenedPINSecret {
        let transport = PINTransportKey()
        let statement = try signer.delivery(
            of: PINOfferedSecret(
                version: version, secret: Secret(secret), transportKey: transport.publicKey),
            to: binding.keyID, answering: nonce)
        let verifier = PINStatementVerifier(
            keys: try JWKSet([.publicKey(providerKey.publicKey)]), binding: binding)
        let delivered = try transport.open(verifier.delivery(statement, answering: nonce))
        let sealing = try #require(SoftwareSealingKey(Secret([UInt8](repeating: 9, count: 32))))
        let sealer = PINSealer(key: sealing, stretching: .quick, random: SeededRandom())
        return try await sealer.seal(delivered, under: DevicePIN("24681")).secret
    }
}

/// A device key that a vector names.
struct VectorDeviceKey: PINDeviceKey {
    private let key: P256.Signing.PrivateKey
    let publicKey: PublicJWK

    init(_ scalar: [UInt8]) throws {
        key = try P256.Signing.PrivateKey(rawRepresentation: scalar)
        publicKey = try PrivateJWK(scalar: Secret(scalar), on: .p256).publicKey
    }

    func signature(over input: [UInt8]) async throws -> [UInt8] {
        Array(try key.signature(for: SHA256.hash(data: input)).rawRepresentation)
    }
}

/// Random values in the order in which a vector lists them; zeros afterwards.
final class ListedRandom: RandomSource {
    private let values: Mutex<[[UInt8]]>

    init(_ values: [[UInt8]]) { self.values = Mutex(values) }

    func bytes(_ count: Int) -> [UInt8] {
        values.withLock { $0.isEmpty ? [UInt8](repeating: 0, count: count) : $0.removeFirst() }
    }
}
