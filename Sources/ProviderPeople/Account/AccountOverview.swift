// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
package import Storage
package import WebAuthn

/// The data of a person's account page.
package struct AccountOverview: Sendable {
    package let person: Person
    package let passkeys: [Credential]
    package let password: Credential?
    /// Federated identities, with their upstream providers.
    package let links: [(Credential, UpstreamProvider?)]
    /// Upstream providers that can also be linked.
    package let linkable: [UpstreamProvider]
    /// Devices that sign the person in and have keys for them.
    package let machines: [PersonDevice]
    package let recoveryCodesLeft: Int
    package let sessions: [Session]
    /// For the names and pictures of keys.
    package let metadata: MetadataStore?
    package let consents: [(Consent, Client)]
    package let events: [AuditEvent]

    /// Maximum number of audit events of the person.
    package static let eventLimit = 12

    package init(of signedIn: AuthenticatedSession, in context: CeremonyContext) async throws {
        let id = signedIn.person.id
        // Read again from the store: the session has the person as they were before a change.
        person = try await context.store.people.person(id) ?? signedIn.person
        let credentials = try await context.store.credentials.credentials(of: id)
        passkeys = credentials.filter { $0.kind == .publicKey }
        password = credentials.first { $0.kind == .password }
        let providers = try await context.provider.upstreamProviders(of: context.tenant)
        links = credentials.filter { $0.upstream != nil }.map { link in
            (link, providers.first { $0.id == link.upstream })
        }
        linkable = providers.filter { provider in
            provider.isEnabled && !credentials.contains { $0.upstream == provider.id }
        }
        machines = try await context.store.devices.machines(
            of: id, now: context.now, limit: AccountService.maximumDevices)
        recoveryCodesLeft = credentials.count { $0.kind == .recoveryCode }
        sessions = try await context.store.sessions.sessions(of: id, now: context.now)
        consents = try await context.store.consents.consents(of: id)
        metadata = await context.provider.metadata?.store
        var filter = AuditFilter()
        filter.project = context.project
        filter.person = id
        events = try await context.store.auditLog.auditEvents(
            filter, before: nil, limit: Self.eventLimit)
    }
}
