// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// One call of the extension that has not been answered.
package struct RegistrationAttempt: Sendable, Hashable {
    /// Rises with every call; an answer to another number came too late and does not count.
    package let number: UInt64
    package let options: ExtensionRequestOptions
    /// The person who can be prompted; `nil` without a person.
    package let presence: String?

    package init(number: UInt64, options: ExtensionRequestOptions, presence: String?) {
        self.number = number
        self.options = options
        self.presence = presence
    }

    package var hasUserInterface: Bool { options.contains(.userInteractionEnabled) }
}
