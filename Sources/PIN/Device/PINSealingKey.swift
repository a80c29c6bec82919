// SPDX-License-Identifier: Apache-2.0

/// A key that seals the PIN-encrypted secret, in a Secure Enclave, a key store or a TPM, from which
/// it cannot be copied. The protocol for every kind of hardware.
///
/// It may authenticate: its outcome is the same for every PIN. It must not prompt the person,
/// because the PIN is the only prompt.
package protocol PINSealingKey: Sendable {
    /// - Parameter context: The sealed bytes can be opened only with the same context.
    func seal(
        _ plaintext: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8]

    func open(
        _ sealed: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8]
}

package enum PINSealingKeyError: Error, Sendable, Equatable {
    /// The device is locked, or the hardware does not respond: try again later and delete nothing.
    case unavailable
    /// The data were sealed by another key, or modified.
    case refused
}
