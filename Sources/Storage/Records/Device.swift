// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A machine that is registered with a project, and may speak for people who use it.
package struct Device: Sendable, Equatable {
    /// Who uses its keys (Apple "UseSharedDeviceKeys").
    package enum Sharing: String, Sendable, CaseIterable {
        /// Everybody on the machine.
        case shared
        /// One person: another on the same machine registers a device of their own.
        case perUser = "per_user"
    }

    /// What device management says of it.
    package enum Compliance: String, Sendable, CaseIterable {
        case compliant, noncompliant
    }

    package var id: Identifier<Device>
    package var project: Identifier<Project>
    package var sharing: Sharing
    /// What the machine calls itself, and is. Its own words, for people to read.
    package var facts: DeviceAttributes
    /// What the machine is known by, unique among the living devices of a project; `nil` when it
    /// told nothing that is its own. See
    /// ``DeviceAttributes/identity(for:of:)``.
    package var identity: String?
    /// The person whose sign-in registered it; `nil` when a registration token did.
    package var registeredBy: Identifier<Person>?
    /// A summary of what the hardware vouched for, as JSON; `{}` for nothing.
    package var attestation: String
    package var registeredAt: Timestamp
    package var lastSeenAt: Timestamp
    /// Hearing of a device is noted at most this often.
    package static let hearing = TimeSpan.hours(1)
    package var revokedAt: Timestamp?
    /// As it was reported; see ``compliance(at:)``.
    package var compliance: Compliance?
    /// Until then the report counts.
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

    /// `nil` when nobody has said anything that still counts.
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

/// What a machine says of itself. Empty texts for what it did not say.
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

    /// What the machine is known by: the serial number, else the UDID.
    package var machine: String? {
        guard serial.isEmpty else { return "serial/\(Self.compared(serial: serial))" }
        return udid.isEmpty ? nil : "udid/\(udid)"
    }

    package static func compared(serial: String) -> String { SerialNumber.compared(serial) }

    /// The machine, with the person when the keys are theirs alone. While nobody knows whose they
    /// are there is none: somebody else's record of the same machine is not in the way.
    package func identity(
        for sharing: Device.Sharing, of person: Identifier<Person>?
    ) -> String? {
        guard sharing == .perUser else { return machine }
        guard let machine, let person else { return nil }
        return "\(machine)/\(person)"
    }
}
