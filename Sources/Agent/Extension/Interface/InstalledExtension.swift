// SPDX-License-Identifier: Apache-2.0

/// An extension that can be called, and what the agent has to know of it before.
package struct InstalledExtension: Sendable {
    package let registration: any RegistrationExtension
    /// Changes when the program does.
    package let revision: String
    /// Whether it speaks protocol 2.0.
    package let hasKeyService: Bool

    package init(
        _ registration: any RegistrationExtension, revision: String, hasKeyService: Bool
    ) {
        self.registration = registration
        self.revision = revision
        self.hasKeyService = hasKeyService
    }
}
