// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A device that is registered with a project, and may send requests for its people.
package struct Device: Sendable, Equatable {
    /// The users of the device's keys (Apple "UseSharedDeviceKeys").
    package enum Sharing: String, Sendable, CaseIterable {
        /// All users of the device.
        case shared
        /// One person: another person on the same computer registers a separate device.
        case perUser = "per_user"
    }

    /// The compliance state that device management reported.
    package enum Compliance: String, Sendable, CaseIterable {
        case compliant, noncompliant
    }

    package var id: Identifier<Device>
    package var project: Identifier<Project>
    package var sharing: Sharing
    /// The name and description that the device states, for display.
    package var facts: DeviceAttributes
    /// The hardware identity of the device, unique among the active devices of a project; `nil` if
    /// it stated none. See ``DeviceAttributes/identity(for:of:)``.
    package var identity: String?
    /// The person whose sign-in registered it; `nil` when a registration token did.
    package var registeredBy: Identifier<Person>?
    /// A summary of the verified attestation, as JSON; `{}` for none.
    package var attestation: String
    package var registeredAt: Timestamp
    package var lastSeenAt: Timestamp
    /// The minimum interval between updates of ``lastSeenAt``.
    package static let hearing = TimeSpan.hours(1)
    package var revokedAt: Timestamp?
    /// As it was reported; see ``compliance(at:)``.
    package var compliance: Compliance?
    /// The end of the validity of the report.
    package var complianceUntil: Timestamp?

    package init(
        id: Identifier<Device>, project: Identifier<Project>, sharing: Sharing,
        facts: DeviceAttributes, registeredBy: Identifier<Person>? = nil,
        attestation: String = "{}",
        registeredAt: Timestamp, lastSeenAt: Timestamp, revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.project = project
        self.sharing = sharing
        self.facts = facts
        self.registeredBy = registeredBy
        self.attestation = attestation
        self.registeredAt = registeredAt
        self.lastSeenAt = lastSeenAt
        self.revokedAt = revokedAt
        identity = facts.identity(for: sharing, of: registeredBy)
    }

    /// Returns the reported compliance; `nil` if there is no valid report.
    package func compliance(at now: Timestamp) -> Compliance? {
        guard let complianceUntil, now < complianceUntil else { return nil }
        return compliance
    }
}

extension Device: PrefixSearchable {
    package enum SearchName: String, Sendable, CaseIterable {
        case serial
        case hostName = "host_name"
    }

    package func text(of name: SearchName) -> String {
        switch name {
        case .serial: facts.serial
        case .hostName: facts.hostName
        }
    }
}

/// The attributes that a device states about itself. Empty texts are unknown attributes.
package struct DeviceAttributes: Sendable, Equatable {
    package var serial: String
    package var udid: String
    package var model: String
    package var hostName: String
    package var systemVersion: String

    package init(
        serial: String = "", udid: String = "", model: String = "", hostName: String = "",
        systemVersion: String = ""
    ) {
        self.serial = serial
        self.udid = udid
        self.model = model
        self.hostName = hostName
        self.systemVersion = systemVersion
    }

    /// The hardware identity: the serial number, otherwise the UDID.
    package var machine: String? {
        guard serial.isEmpty else { return "serial/\(Self.compared(serial: serial))" }
        return udid.isEmpty ? nil : "udid/\(udid)"
    }

    package static func compared(serial: String) -> String { SerialNumber.compared(serial) }

    /// Returns the hardware identity, combined with the person if the keys are per user.
    ///
    /// Without a person it is `nil`: another person's record of the same device must not conflict.
    package func identity(
        for sharing: Device.Sharing, of person: Identifier<Person>?
    ) -> String? {
        guard sharing == .perUser else { return machine }
        guard let machine, let person else { return nil }
        return "\(machine)/\(person)"
    }
}
