// SPDX-License-Identifier: Apache-2.0

/// The properties of the secret that a PIN opens: the server generates it, 32 random bytes,
/// numbered from 1.
enum PINSecret {
    static let length = 32
}

/// A secret that was just received. It can be sealed under a PIN once, because sealing consumes it.
package struct DeliveredPINSecret: ~Copyable, Sendable {
    let bytes: WipedBytes
    package let version: UInt32
    package let binding: PINBinding
}

/// The result of opening with a PIN, correct or not: only the server can distinguish them. It only
/// makes proofs.
package struct OpenedPINSecret: Sendable {
    let bytes: WipedBytes
    package let version: UInt32
    package let binding: PINBinding

    func proof(_ purpose: PINProof.Purpose, _ nonce: PINNonce) -> PINProof {
        bytes.withBytes { secret in
            PINProof(purpose, with: secret, version: version, nonce: nonce, binding, .two)
        }
    }
}
