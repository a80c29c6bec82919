// SPDX-License-Identifier: Apache-2.0

/// Hardware that creates signing keys of credentials and does not export them. All calls block; the
/// software key makes them on its thread.
package protocol CredentialHardware: Sendable {
    /// A fresh key for ES256.
    func makeKey() throws(AuthenticatorStoreError) -> HardwareKey

    /// The DER signature of a message.
    func sign(
        _ message: [UInt8], with key: HardwareKey
    ) throws(AuthenticatorStoreError) -> [UInt8]
}
