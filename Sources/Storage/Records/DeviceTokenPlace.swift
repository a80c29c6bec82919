// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where a registration token stands among those of its project, in order of one of its names.
package struct DeviceTokenPlace: Sendable, Equatable {
    /// What people look for a token by.
    package enum Name: String, Sendable, CaseIterable {
        case label
        case serial
    }

    package var by: Name
    /// In small letters, as ``DevicePlace/folded(_:)`` makes them.
    package var text: String
    package var token: Identifier<DeviceToken>

    package init(_ token: DeviceToken, by name: Name) {
        by = name
        text = DevicePlace.folded(name == .label ? token.label : token.serial ?? "")
        self.token = token.id
    }

    /// What ``key`` made; `nil` for anything else.
    package init?(_ key: String) {
        let parts = key.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Name(rawValue: String(parts[0])),
            let id = Identifier<DeviceToken>(String(parts[1]))
        else { return nil }
        by = name
        token = id
        text = String(parts[2])
    }

    package var key: String { "\(by.rawValue) \(token) \(text)" }
}
