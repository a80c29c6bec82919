// SPDX-License-Identifier: Apache-2.0

/// The key that seals what the PIN has sealed: in a Secure Enclave, a key store or a TPM, from
/// which it cannot be copied. The seam for every kind of hardware.
///
/// It may authenticate: its outcome is the same for every PIN, so it tells nothing about one. It
/// must not ask for anything itself; the PIN is the gate.
package protocol PINSealingKey: Sendable {
    /// Whether the key can be copied off the device by whoever copies its files.
    var isHardware: Bool { get }

    /// - Parameter context: The sealed bytes open with the same context only.
    func seal(
        _ plaintext: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8]

    func open(
        _ sealed: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8]
}

package enum PINSealingKeyError: Error, Sendable, Equatable {
    /// The device is locked, or the hardware does not answer: try later, forget nothing.
    case unavailable
    /// Another key sealed this, or it was changed.
    case refused
}
