// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where a machine stands among those of its project, in order of one of its names.
package struct DevicePlace: Sendable, Equatable {
    /// What people look for a machine by.
    package enum Name: String, Sendable, CaseIterable {
        case serial
        case hostName = "host_name"
    }

    package var by: Name
    /// In small letters.
    package var text: String
    package var device: Identifier<Device>

    package init(_ device: Device, by name: Name) {
        by = name
        text = Self.folded(name == .serial ? device.facts.serial : device.facts.hostName)
        self.device = device.id
    }

    /// What ``key`` made; `nil` for anything else.
    package init?(_ key: String) {
        let parts = key.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Name(rawValue: String(parts[0])),
            let id = Identifier<Device>(String(parts[1]))
        else { return nil }
        by = name
        device = id
        text = String(parts[2])
    }

    package var key: String { "\(by.rawValue) \(device) \(text)" }

    /// As either engine folds it: capitals of ASCII alone.
    package static func folded(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    ("A"..."Z").contains(scalar)
                        ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
                }))
    }
}
