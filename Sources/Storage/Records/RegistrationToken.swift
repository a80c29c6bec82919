// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A registration token: lets machines register without a person, as often as it says.
package struct RegistrationToken: Sendable, Equatable {
    package var id: Identifier<RegistrationToken>
    package var project: Identifier<Project>
    /// Keyed hash of the token.
    package var hash: [UInt8]
    /// What an administrator calls it.
    package var label: String
    /// The only machine it is for; `nil` lets any machine in that is not registered.
    package var serial: String?
    /// How many registrations it is good for.
    package var maximumUses: Int64
    package var uses: Int64
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var revokedAt: Timestamp?
    /// The user name of the administrator who made it; empty when nobody is known.
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

    /// What has become of it.
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
