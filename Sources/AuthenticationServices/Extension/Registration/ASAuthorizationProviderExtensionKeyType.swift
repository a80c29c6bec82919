// SPDX-License-Identifier: Apache-2.0
/// Which key of the device or the person.
public enum ASAuthorizationProviderExtensionKeyType: Int, Sendable {
    /// Signs for the device, for one person.
    case userDeviceSigning = 1
    /// Decrypts for the device, for one person.
    case userDeviceEncryption = 2
    /// Signs for the person; in hardware where there is some.
    case userSecureEnclaveKey = 3
    /// Signs for the device, for all.
    case sharedDeviceSigning = 4
    /// Decrypts for the device, for all.
    case sharedDeviceEncryption = 5
    /// The one of the two that sign for the device that is in use.
    case currentDeviceSigning = 10
    /// The one of the two that decrypt for the device that is in use.
    case currentDeviceEncryption = 11
    /// On the person's card.
    case userSmartCard = 20
}
