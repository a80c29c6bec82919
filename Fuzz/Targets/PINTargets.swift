// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives

extension FuzzTarget {
    /// No request of a device is accepted that it did not sign.
    static let pinRequest = FuzzTarget(name: "pin-request") { bytes in
        guard let record, let request = UnverifiedPINRequest(compact: bytes) else { return }
        // The form of the proof is that of the version.
        precondition(request.proofKeyID == nil || request.protocolVersion == .two)
        guard let judgement = try? verifier.verify(request, record)
        else { return }
        precondition(judgement.outcome == .refused(.notSigned), "a forgery was heard")
        precondition(judgement.successor == nil, "a forgery left a trace")
    }

    /// A parsed response is equal to the one parsed from its encoding. No unsigned statement is
    /// accepted.
    static let pinAnswer = FuzzTarget(name: "pin-answer") { bytes in
        if let answer = PINResponse(json: bytes) {
            precondition(PINResponse(json: JSONObject(answer.members).bytes) == answer)
        }
        guard let statements, let nonce else { return }
        precondition((try? statements.ending(bytes)) == nil, "a forged end")
        precondition((try? statements.version(bytes, answering: nonce)) == nil, "a forged version")
        precondition((try? statements.delivery(bytes, answering: nonce)) == nil, "a forged secret")
    }

    /// What either side stores and can read, it writes again as it was.
    static let pinState = FuzzTarget(name: "pin-state") { bytes in
        if let state = PINDeviceState(json: bytes) {
            precondition(PINDeviceState(json: state.json) == state)
        }
        if let record = PINRecord(json: bytes, revision: 1) {
            precondition(PINRecord(json: record.json, revision: 1) == record)
        }
    }

    /// A JWK set has a key for proofs only if it says so.
    static let pinProofKey = FuzzTarget(name: "pin-proof-key") { bytes in
        guard let keys = try? JWKSet(bytes: bytes), let key = PINProofPublicKey(in: keys) else {
            return
        }
        precondition(key.jwk.parameters.use == "enc")
        precondition(key.jwk.parameters.algorithm == PINProofPublicKey.algorithm)
        precondition(key.keyID == key.jwk.thumbprint)
    }

    /// A transport key of either version is one that a secret can be sealed to.
    static let pinTransportKey = FuzzTarget(name: "pin-transport-key") { bytes in
        guard let key = PINTransportPublicKey(bytes: bytes) else { return }
        precondition(bytes.count == (key.protocolVersion == .one ? 32 : 65))
    }

    /// A parsed policy validates every PIN without a trap.
    static let pinPolicy = FuzzTarget(name: "pin-policy") { bytes in
        guard let json = try? JSONParser.parse(bytes, maximumBytes: 65_536),
            let policy = DevicePINPolicy(json)
        else { return }
        precondition(DevicePINPolicy(policy.json) == policy)
        guard let pin = try? DevicePIN(String(decoding: bytes, as: UTF8.self).filter(\.isNumber))
        else {
            return
        }
        try? policy.validate(pin)
    }

    private static let nonce = PINNonce(text: Base64URL.encode([UInt8](repeating: 7, count: 32)))
    private static let device = try? SoftwareDeviceKey()
    private static let record = device.flatMap { PINRecord(registering: $0.publicKey) }
    private static let verifier = PINVerifier(
        issuer: "https://id.example", limit: .standard, vault: NoVault(),
        proofKeys: [PINProofKey(scalar: Secret([UInt8](repeating: 3, count: 32)))].compactMap(
            \.self),
        random: SystemRandomSource())

    private static let statements: PINStatementVerifier? = {
        guard let pair = try? PrivateJWK.generate(for: .es256),
            let keys = try? JWKSet([.publicKey(pair.publicKey)]), let record
        else { return nil }
        return PINStatementVerifier(
            keys: keys, binding: PINBinding(issuer: "https://id.example", keyID: record.keyID))
    }()
}

/// Never asked: nothing gets past the signature.
private struct NoVault: PINSecretProtector {
    struct Unreachable: Error {}
    func seal(_ secret: Secret, context: String) throws -> [UInt8] { throw Unreachable() }
    func open(_ sealed: [UInt8], context: String) throws -> Secret { throw Unreachable() }
}
