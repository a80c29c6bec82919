// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Facts about the secret that a PIN opens: made by the server, 32 random bytes, numbered from 1.
enum PINSecret {
    static let length = 32
}

/// A secret that has just arrived. It can be sealed under a PIN once, because sealing takes it.
package struct DeliveredPINSecret: ~Copyable, Sendable {
    let bytes: WipedBytes
    package let version: UInt32
    package let binding: PINBinding
}

/// What a PIN opened, right or wrong: only the server can tell. It makes proofs and nothing else.
package struct OpenedPINSecret: Sendable {
    let bytes: WipedBytes
    package let version: UInt32
    package let binding: PINBinding

    func proof(_ purpose: PINProof.Purpose, _ nonce: PINNonce) -> PINProof {
        bytes.withBytes { secret in
            PINProof(purpose, with: secret, version: version, nonce: nonce, binding)
        }
    }
}
