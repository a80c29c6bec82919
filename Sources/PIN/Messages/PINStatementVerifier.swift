// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The reason why a device rejects a statement. The device changes nothing and may send a new
/// request.
package enum PINStatementError: Error, Sendable, Equatable {
    /// The statement is of another kind, or not signed by a key of the issuer.
    case unverifiable
    /// The statement is signed, and for another key, issuer or request.
    case notForUs
    /// The transport key does not decrypt the delivery.
    case deliveryUnusable
}

/// A verifier of the server's statements to one device, in version 2. Statements of version 1 are
/// rejected.
///
/// The keys are the issuer's published set, which the caller fetched over a pinned connection or
/// stored at the registration. An attacker who can replace them can terminate the profile.
package struct PINStatementVerifier: Sendable {
    private let binding: PINBinding
    private let verifier: JWSVerifier

    package init(keys: JWKSet, binding: PINBinding) {
        self.binding = binding
        verifier = JWSVerifier(keys: keys, algorithms: [.es256, .edDSA, .ps256, .rs256])
    }

    package func delivery(
        _ compact: [UInt8], answering nonce: PINNonce
    ) throws(PINStatementError) -> VerifiedPINDelivery {
        let members = try read(.delivery, compact, answering: nonce, more: ["ver", "enc", "ct"])
        guard let version = members.version(), let box = members.box() else {
            throw .unverifiable
        }
        return VerifiedPINDelivery(binding: binding, version: version, box: box)
    }

    package func version(
        _ compact: [UInt8], answering nonce: PINNonce
    ) throws(PINStatementError) -> VerifiedPINVersion {
        let members = try read(.version, compact, answering: nonce, more: ["ver"])
        guard let version = members.version(noneAllowed: true) else { throw .unverifiable }
        return VerifiedPINVersion(binding: binding, version: version)
    }

    package func ending(_ compact: [UInt8]) throws(PINStatementError) -> VerifiedPINEnding {
        let members = try read(.ending, compact, answering: nil, more: ["iat", "reason"])
        guard let at = members.time("iat"), let text = members.text("reason"),
            let ending = PINTermination.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }
            )
        else { throw .unverifiable }
        return VerifiedPINEnding(binding: binding, ending: ending, at: at)
    }

    private func read(
        _ kind: PINMessageType.Kind, _ compact: [UInt8], answering nonce: PINNonce?,
        more: [String]
    ) throws(PINStatementError) -> PINMembers {
        guard
            let jws = try? verifier.verify(
                compact: compact, maximumBytes: PINMessageType.maximumBytes),
            PINMessageType(header: jws.header.type) == PINMessageType(kind, .two),
            let members = PINMembers(
                jws.payload, required: ["iss", "aud"] + (nonce == nil ? [] : ["nonce"]) + more)
        else { throw .unverifiable }
        guard members.text("iss")?.hasSameBytes(as: binding.issuer) == true,
            members.text("aud")?.hasSameBytes(as: binding.keyID.text) == true,
            nonce == nil || members.nonce("nonce") == nonce
        else { throw .notForUs }
        return members
    }
}

/// A verified delivery in response to this device's request.
package struct VerifiedPINDelivery: Sendable {
    let binding: PINBinding
    package let version: UInt32
    let box: PINSecretBox

    fileprivate init(binding: PINBinding, version: UInt32, box: PINSecretBox) {
        self.binding = binding
        self.version = version
        self.box = box
    }
}

/// The issuer's verified statement of the active version, in response to this device's request.
package struct VerifiedPINVersion: Sendable {
    let binding: PINBinding
    /// 0: none.
    package let version: UInt32

    fileprivate init(binding: PINBinding, version: UInt32) {
        self.binding = binding
        self.version = version
    }
}

/// The issuer's verified statement that the profile is terminated. Only it makes a device delete
/// the profile.
package struct VerifiedPINEnding: Sendable {
    let binding: PINBinding
    package let ending: PINTermination
    /// The time of the signature.
    package let at: Timestamp

    fileprivate init(binding: PINBinding, ending: PINTermination, at: Timestamp) {
        self.binding = binding
        self.ending = ending
        self.at = at
    }
}
