// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// The protection that a configuration requires for the key of a person.
struct KeyRequirement: Sendable, Equatable {
    /// The least length of the PIN; `nil` if no PIN is required.
    let leastPIN: Int?
    let presence: UserKeyPresence

    /// The length if the extension requires a person and the profile gives no length.
    private static let defaultPIN = 6

    /// - Parameters:
    ///   - configuration: The configuration of the person.
    ///   - isBiometric: Whether the login configuration of the device has a biometric policy.
    init(_ configuration: SSOConfiguration?, isBiometric: Bool) {
        let presence = configuration?.userKeyPresence ?? .none
        self.presence = presence
        if let least = configuration?.leastPIN {
            leastPIN = least
        } else {
            // A security key that verifies its owner replaces the PIN; a touch does not.
            leastPIN = presence != .securityKey && isBiometric ? Self.defaultPIN : nil
        }
    }

    var requiresTouch: Bool { [.touch, .securityKey].contains(presence) }

    /// Whether a full login with such a key needs the person.
    var requiresPerson: Bool { leastPIN != nil || requiresTouch }

    /// Whether a key has at least that protection.
    func isMet(by key: AgentKey) -> Bool {
        (key.guarded?.asksPIN == true || leastPIN == nil) && isPresent(key.guarded?.presence)
    }

    private func isPresent(_ credential: PresenceCredential?) -> Bool {
        switch presence {
        case .none, .unknown: true
        case .touch: credential != nil
        case .securityKey: credential?.isVerified == true
        }
    }
}

extension SSOConfiguration {
    /// `user_key_pin` in `ExtensionData`: the least length of a person's PIN, 4 to 16; `true` for 6.
    package var leastPIN: Int? {
        guard let value = extensionData?.first(where: { $0.name == "user_key_pin" })?.value else {
            return nil
        }
        if let flag = value.boolean { return flag ? 6 : nil }
        // A value that cannot be read requires a PIN all the same.
        let least = value.integer ?? value.string.flatMap { Int64($0) } ?? 6
        return Int(min(max(least, 4), 16))
    }
}
