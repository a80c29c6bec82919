// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
import ProviderCore
import ProviderDevices
package import Storage

/// The registration tokens of a project.
package struct RegistrationTokenAdministration: SearchableRecords {
    private let scope: AdministrativeScope
    private var store: any ProviderStore { scope.store }

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

    /// The tokens in order of creation.
    package func page(
        after last: Identifier<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken] {
        try await store.devices.deviceTokens(of: scope.project.id, after: last, limit: limit)
    }

    /// The tokens whose `name` begins with the text, in order of that name.
    package func page(
        by name: RegistrationToken.SearchName, startingWith text: String,
        after last: SearchCursor<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken] {
        try await store.devices.deviceTokens(
            of: scope.project.id, by: name, startingWith: text, after: last, limit: limit)
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
