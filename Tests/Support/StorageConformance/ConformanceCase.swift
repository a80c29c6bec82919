// SPDX-License-Identifier: Apache-2.0
package import Storage

/// One requirement for every storage engine. An engine is correct if it passes
/// ``ConformanceCase/all``: the test suite of an engine runs each with a separate store.
package struct ConformanceCase: Sendable, CustomStringConvertible {
    package let name: String
    private let body: @Sendable (StoreFixture, DatabaseStatements) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreFixture) async throws -> Void) {
        self.name = name
        self.body = { f, _ in try await body(f) }
    }

    /// A case that also runs statements on the database.
    private init(
        name: String,
        body: @escaping @Sendable (StoreFixture, DatabaseStatements) async throws -> Void
    ) {
        (self.name, self.body) = (name, body)
    }

    static func withStatements(
        _ name: String,
        _ body: @escaping @Sendable (StoreFixture, DatabaseStatements) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(name: name, body: body)
    }

    /// Runs in a separate project, so cases may share a store.
    ///
    /// - Parameter statements: on the database of the store.
    package func run(on store: any ProviderStore, _ statements: DatabaseStatements) async throws {
        try await body(StoreFixture(store), statements)
    }

    package var description: String { name }

    package static let all: [ConformanceCase] =
        projects + people + credentials + clients + sessions + consents + codes + grants + devices
        + challenges + attempts + tokenStates + signingKeys + audit + serverLeases + maintenance
        + races + lostUpdates + recordings + registrations + installations + issuerKeys
        + entitlements
        + machines + machineUsers + sequences + expendables + upstreamProviders + administrators
        + pins + approvals + apiTokens + lastOwners + bulkEntitlements + silentRealms
        + groups + shownNames + accountNames + heldNames + removalLimits + invitations
        + personSearch
        + links + unknownMembers + operatorTokens + stateFiles + machineSearches + eventsOfChanges
        + entitlementRaces + personRaces + machineRaces
}
