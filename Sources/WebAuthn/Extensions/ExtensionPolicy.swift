// SPDX-License-Identifier: Apache-2.0

/// What to do with extension outputs (steps 7.1.28 and 7.2.23).
package struct ExtensionPolicy: Sendable, Equatable {
    /// Outputs that nobody asked for. Level 3 lets clients add some of their own: Chromium asks
    /// for `credProtect` by itself when a credential is to be discoverable.
    package enum Unsolicited: String, Sendable, CaseIterable {
        /// Accept the response and do not look at them.
        case ignore
        case refuse
    }

    package var unsolicited: Unsolicited
    /// Whether a credential that is protected less than was asked, or does not say, is refused.
    package var refusesWeakerProtection: Bool

    package init(unsolicited: Unsolicited = .ignore, refusesWeakerProtection: Bool = true) {
        self.unsolicited = unsolicited
        self.refusesWeakerProtection = refusesWeakerProtection
    }
}
