// SPDX-License-Identifier: Apache-2.0

/// Hardware that makes signing keys of credentials and never gives them away. All calls block; the
/// software key makes them on its own thread.
package protocol CredentialHardware: Sendable {
    /// A fresh key for ES256.
    func makeKey() throws(AuthenticatorStoreError) -> HardwareKey

    /// The DER signature of a message.
    func sign(
        _ message: [UInt8], with key: HardwareKey
    ) throws(AuthenticatorStoreError) -> [UInt8]
}
