// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A registration token: it lets devices register without a person, up to a maximum number of uses.
package struct RegistrationToken: Sendable, Equatable {
    package var id: Identifier<RegistrationToken>
    package var project: Identifier<Project>
    /// Keyed hash of the token.
    package var hash: [UInt8]
    /// The label that an administrator chose.
    package var label: String
    /// The only device that may use it; `nil` allows any device that is not registered.
    package var serial: String?
    /// The maximum number of registrations.
    package var maximumUses: Int64
    package var uses: Int64
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var revokedAt: Timestamp?
    /// The username of the administrator who created it; empty if unknown.
    package var owner: String

    package init(
        id: Identifier<RegistrationToken>, project: Identifier<Project>, hash: [UInt8],
        label: String,
        serial: String? = nil, maximumUses: Int64 = 1, uses: Int64 = 0, createdAt: Timestamp,
        expiresAt: Timestamp, revokedAt: Timestamp? = nil, owner: String = ""
    ) {
        self.id = id
        self.project = project
        self.hash = hash
        self.label = label
        self.serial = serial
        self.maximumUses = maximumUses
        self.uses = uses
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.owner = owner
    }

    /// The state of the token.
    package enum State: String, Sendable {
        case active, spent, expired, revoked
    }

    package func state(at now: Timestamp) -> State {
        if revokedAt != nil { return .revoked }
        if expiresAt <= now { return .expired }
        return uses >= maximumUses ? .spent : .active
    }
}

extension RegistrationToken: PrefixSearchable {
    package enum SearchName: String, Sendable, CaseIterable {
        case label, serial
    }

    package func text(of name: SearchName) -> String {
        switch name {
        case .label: label
        case .serial: serial ?? ""
        }
    }
}
