// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// A proof that the right PIN was typed: HMAC-SHA-256 (RFC 2104) under the PIN secret, 32 bytes.
///
/// It answers one nonce, for one purpose, and says which secret it was made with.
package struct PINProof: Sendable, Equatable {
    package static let length = 32

    enum Purpose: Sendable {
        case signIn
        /// To be given a new secret for that transport key.
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

    /// Which secret: they are numbered from 1.
    package let version: UInt32
    let tag: [UInt8]

    init(version: UInt32, tag: [UInt8]) {
        self.version = version
        self.tag = tag
    }

    /// The proof that `secret` makes.
    init(
        _ purpose: Purpose, with secret: [UInt8], version: UInt32, nonce: PINNonce,
        _ binding: PINBinding
    ) {
        var transcript = PINTranscript(purpose.label, binding)
        transcript.append(version)
        transcript.append(nonce.bytes)
        if case .change(let key) = purpose { transcript.append(key.bytes) }
        let code = HMAC<SHA256>.authenticationCode(
            for: transcript.bytes, using: SymmetricKey(data: secret))
        self.init(version: version, tag: Array(code))
    }

    /// Constant time in the tags.
    package static func == (left: PINProof, right: PINProof) -> Bool {
        left.version == right.version && ConstantTime.equal(left.tag, right.tag)
    }
}
