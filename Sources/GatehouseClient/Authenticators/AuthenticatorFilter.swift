// SPDX-License-Identifier: Apache-2.0

/// Which authenticators are meant.
public enum AuthenticatorFilter: Sendable, Hashable {
    /// The authenticators with which the profile can sign in; the preferred one first.
    case registered
    /// The authenticators that can be added on this device.
    case available
}
