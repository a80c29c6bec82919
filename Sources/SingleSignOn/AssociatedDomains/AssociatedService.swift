// SPDX-License-Identifier: Apache-2.0

/// What an app and a domain have with one another.
package enum AssociatedService: String, Sendable, CaseIterable {
    /// Redirect extensions.
    case authsrv
    /// Passkeys and passwords.
    case webcredentials
    /// Universal links; known so that they are not called unknown.
    case applinks
    case activitycontinuation
    case appclips
}
