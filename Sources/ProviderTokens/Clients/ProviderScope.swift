// SPDX-License-Identifier: Apache-2.0

/// The scopes that this provider defines in addition to those of OpenID Connect.
package enum ProviderScope {
    /// Access to the account of the person for an app. The access token is bound to a key.
    package static let registration = "registration"
    /// Registration of devices and their keys.
    package static let platformSSO = "urn:apple:platformsso"
}
