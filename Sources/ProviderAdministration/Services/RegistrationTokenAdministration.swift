// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
import ProviderDevices
package import Storage

/// The registration tokens of a project.
package struct RegistrationTokenAdministration: Sendable {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

    /// How often a token can be used.
    package static let uses = RegistrationTokenService.uses

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// A token as an administrator wants it.
    package struct NewToken: Sendable {
        package var label = ""
        package var serial: String?
        /// `nil` for the administrator.
        package var owner: String?
        package var uses: Int64 = 1
        /// In seconds.
        package var lifetime = RegistrationTokenService.defaultLifetime

        package init() {}
    }

    /// - Parameter text: the beginning of a label or a serial number.
    package func list(startingWith text: String) -> AdministrativeList<RegistrationToken> {
        let project = scope.project.id
        return AdministrativeList(
            "registration-tokens/\(project)", scope.caller, startingWith: text,
            by: [.label, .serial],
            all: { try await store.devices.deviceTokens(of: project, after: $0, limit: $1) },
            named: {
                try await store.devices.deviceTokens(
                    of: project, by: $0, startingWith: text, after: $1, limit: $2)
            })
    }

    /// - Returns: the record, and the token. Only its keyed hash is stored.
    package func create(
        _ wanted: NewToken
    ) async throws -> (RegistrationToken, text: String) {
        let administrator = try await scope.provider.administratorName(scope.facts)
        let (token, text) = RegistrationTokenService(scope.provider).draw(
            label: wanted.label, serial: wanted.serial, uses: wanted.uses,
            lifetime: .seconds(wanted.lifetime), owner: wanted.owner ?? administrator,
            in: scope.project.id, now: scope.now)
        try await scope.provider.recorded(draft("admin.registration-token.create", token.id)) {
            try await $0.devices.save(token)
        }
        return (token, text)
    }

    /// Revokes a token. Devices that registered with it stay registered.
    package func revoke(_ name: String) async throws -> AdministrativeResult<Void> {
        guard let id = Identifier<RegistrationToken>(name),
            try await scope.provider.recorded(
                draft("admin.registration-token.revoke", id),
                {
                    try await $0.devices.revoke(
                        deviceToken: id, of: scope.project.id, now: scope.now)
                })
        else { return .failure(.unknown("registration_token")) }
        return .success(())
    }

    private func draft(
        _ action: String, _ token: Identifier<RegistrationToken>
    ) -> AuditEventDraft {
        scope.draft(action, ["registration_token": .string(token.description)])
    }
}
