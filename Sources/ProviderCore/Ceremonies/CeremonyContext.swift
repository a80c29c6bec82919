// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The context of a ceremony: the provider, the project and the request.
package struct CeremonyContext: Sendable {
    package let provider: Provider
    package let tenant: Tenant
    package let facts: RequestMetadata
    package let limits: AttemptLimits
    package let writer: any NotificationComposer

    package init(
        provider: Provider, tenant: Tenant, facts: RequestMetadata,
        limits: AttemptLimits = AttemptLimits(), writer: any NotificationComposer
    ) {
        self.provider = provider
        self.tenant = tenant
        self.facts = facts
        self.limits = limits
        self.writer = writer
    }

    package var store: any ProviderStore { provider.store }
    package var project: Identifier<Project> { tenant.project.id }
    package var now: Timestamp { facts.now }

    package func newIdentifier<Record>() -> Identifier<Record> {
        Identifier(now: now, random: provider.random)
    }
}
