// SPDX-License-Identifier: Apache-2.0

/// A service that associates an app and a domain.
package enum AssociatedService: String, Sendable, CaseIterable {
    /// The domain's redirect extensions.
    case authsrv
    /// The domain's passkeys and passwords.
    case webcredentials
    /// The domain's universal links, which are recognized and not used.
    case applinks
    case activitycontinuation
    case appclips
}
