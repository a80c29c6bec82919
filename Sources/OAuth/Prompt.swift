// SPDX-License-Identifier: Apache-2.0

/// Values of `prompt`, OpenID Connect Core section 3.1.2.1.
package enum Prompt: String, Sendable, CaseIterable {
    case none, login, consent
    case selectAccount = "select_account"

    /// The values in `text`; `nil` for an unknown one, or `none` in company.
    package static func parse(_ text: String) -> Set<Prompt>? {
        var prompts: Set<Prompt> = []
        for word in text.split(separator: " ") {
            guard let prompt = Prompt(rawValue: String(word)) else { return nil }
            prompts.insert(prompt)
        }
        return prompts.contains(.none) && prompts.count > 1 ? nil : prompts
    }
}
