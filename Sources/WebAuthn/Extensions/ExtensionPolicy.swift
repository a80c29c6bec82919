// SPDX-License-Identifier: Apache-2.0

/// The handling of extension outputs (steps 7.1.28 and 7.2.23).
package struct ExtensionPolicy: Sendable, Equatable {
    /// The handling of outputs that were not requested. Level 3 lets clients add extensions:
    /// Chromium requests `credProtect` by itself for a discoverable credential.
    package enum Unsolicited: String, Sendable, CaseIterable {
        /// Accept the response and ignore them.
        case ignore
        case refuse
    }

    package var unsolicited: Unsolicited
    /// Whether a credential with a weaker protection than requested, or without a stated
    /// protection, is refused.
    package var refusesWeakerProtection: Bool

    package init(unsolicited: Unsolicited = .ignore, refusesWeakerProtection: Bool = true) {
        self.unsolicited = unsolicited
        self.refusesWeakerProtection = refusesWeakerProtection
    }
}
