// SPDX-License-Identifier: Apache-2.0

/// The sessions that a sign-out ends.
public enum SignOutScope: Sendable, Hashable {
    /// The tokens of this installation, at the provider and on this device.
    case thisDevice
    /// All sessions of the person, on every device. Installations stay registered: one whose key
    /// signs in without a prompt does so when it next needs a token. Remove the installation of a
    /// lost device.
    case everywhere
    /// The tokens on this device only. The provider is not notified, so that copied tokens stay
    /// active.
    case localOnly
}
