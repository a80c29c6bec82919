// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// A proof that the correct PIN was entered: HMAC-SHA-256 (RFC 2104) under the PIN secret, 32
/// bytes.
///
/// It is bound to one nonce and one purpose, and contains the version of its secret.
package struct PINProof: Sendable, Equatable {
    package static let length = 32

    enum Purpose: Sendable {
        case signIn
        /// A request for a new secret for that transport key.
        case change(PINTransportPublicKey)
        case commit

        fileprivate var label: PINTranscript.Label {
            switch self {
            case .signIn: .signInProof
            case .change: .changeProof
            case .commit: .commitProof
            }
        }
    }

    /// The number of the secret, from 1.
    package let version: UInt32
    let tag: [UInt8]

    init(version: UInt32, tag: [UInt8]) {
        self.version = version
        self.tag = tag
    }

    /// Creates the proof of `secret`.
    ///
    /// - Parameter version: The number of the secret.
    init(
        _ purpose: Purpose, with secret: [UInt8], version: UInt32, nonce: PINNonce,
        _ binding: PINBinding, _ protocolVersion: PINProtocolVersion
    ) {
        var transcript = PINTranscript(purpose.label, binding, protocolVersion)
        transcript.append(version)
        transcript.append(nonce.bytes)
        if case .change(let key) = purpose { transcript.append(key.bytes) }
        let code = HMAC<SHA256>.authenticationCode(
            for: transcript.bytes, using: SymmetricKey(data: secret))
        self.init(version: version, tag: Array(code))
    }

    /// Compares the tags in constant time.
    package static func == (left: PINProof, right: PINProof) -> Bool {
        left.version == right.version && ConstantTime.equal(left.tag, right.tag)
    }
}
