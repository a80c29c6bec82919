// SPDX-License-Identifier: Apache-2.0

/// The owner of device keys: all people together (`UseSharedDeviceKeys`), or one person.
package enum DeviceOwner: Sendable, Hashable {
    case everyone
    case person(String)
}

extension DeviceOwner {
    /// `*`, or `+` and the account.
    package var text: String {
        switch self {
        case .everyone: "*"
        case .person(let name): "+" + name
        }
    }

    package init?(_ text: String) {
        if text == "*" {
            self = .everyone
        } else if text.hasPrefix("+"), text.count > 1 {
            self = .person(String(text.dropFirst()))
        } else {
            return nil
        }
    }
}
