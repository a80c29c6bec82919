// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// The presence that a profile requires before the key of a person signs.
enum UserKeyPresence: Sendable, Equatable {
    case none
    /// The touch of a security key, by any person.
    case touch
    /// The touch of a security key, and its PIN or finger.
    case securityKey
    /// An unknown value. It requires a presence, so it does not mean `none`.
    case unknown(String)
}

extension SSOConfiguration {
    /// `user_key_presence` in `ExtensionData`: `security_key` or `security_key_touch`.
    var userKeyPresence: UserKeyPresence {
        guard let value = extensionData?.first(where: { $0.name == "user_key_presence" })?.value
        else { return .none }
        if value.boolean == false { return .none }
        guard let word = value.string else { return .unknown("of another form") }
        return switch word {
        case "security_key": .securityKey
        case "security_key_touch": .touch
        default: .unknown(String(word.prefix(64)))
        }
    }
}
