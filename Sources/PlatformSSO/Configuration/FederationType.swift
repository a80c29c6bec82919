// SPDX-License-Identifier: Apache-2.0

/// `FederationType` of a login configuration, with Apple's raw values as far as they are published.
package enum FederationType: String, Sendable, CaseIterable {
    case none
    case wsTrust
    case dynamicWSTrust
    /// macOS 27
    case openID
    /// macOS 27
    case dynamicOpenID

    /// Whether people sign in on a page.
    package var isWebLogin: Bool { self == .openID || self == .dynamicOpenID }
}
