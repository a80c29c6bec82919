// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// A recovery link that an administrator creates for a person who lost every key.
package struct ReRegistration: OneTimeLink {
    package static let kind = OneTimeLinkKind(
        purpose: .reRegistration, name: "re-registration", prefix: "", path: "reregister",
        action: "credential.passkey.re-registered",
        administration: "admin.person.re-registration", refusal: .reRegistrationInvalid,
        notice: { .keyReRegistered(label: $0.label) })
    package static let defaultLifetime = TimeSpan.hours(24)
    /// In seconds: five minutes to a week.
    package static let lifetimes: ClosedRange<Int64> = 300...604_800

    package let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Creates the link. Returns its URL for the person, which is displayed once.
    package func open(
        for person: Person, lifetime: TimeSpan
    ) async throws -> (url: String, expiresAt: Timestamp) {
        let end = context.now + lifetime
        let (link, url) = try await make(for: person, until: end)
        try await context.store.challenges.issue(link)
        try await record(
            "opened", person.id,
            JSONObject([.init(name: "expires_at", value: .string(end.rfc3339))]))
        Mailer(context: context).send(.reRegistrationOpened, to: person)
        return (url, end)
    }

    /// Withdraws the link. Returns `false` if there was none.
    package func close(for person: Person) async throws -> Bool {
        let closed = try await context.store.challenges.consumeChallenge(
            hash: place(person.id), purpose: .reRegistration, in: context.project, now: context.now)
        guard closed != nil else { return false }
        try await record("closed", person.id)
        return true
    }

    package func admits(_ person: Person) async throws -> Bool { true }

    package func consume(
        _ link: OpenLink, for credential: Credential
    ) async throws -> LinkRedemptionOutcome {
        try await context.store.oneTimeLinks.add(credential, spending: link.link, now: context.now)
    }
}
