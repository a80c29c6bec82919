// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

/// The limits of the people that apps register in a day with evidence about an app or a device
/// alone. Such evidence does not name a person, so each registration creates one, and one device can
/// attest any number of keys.
///
/// Evidence that names a person is limited by its issuer.
package struct RegistrationBudgets: Sendable {
    package static let window = TimeSpan.days(1)

    package let all: [AttemptBudget]

    package init(in context: CeremonyContext) {
        let (counter, limits) = (AttemptCounter(context: context), context.limits)
        let network = AttemptCounter.network(of: context.facts.address)
        all = [
            AttemptBudget(
                bucket: counter.bucket("attested", network), limit: limits.attestedPerAddress),
            AttemptBudget(
                bucket: counter.bucket("attested-all", ""), limit: limits.attestedPerProject),
        ]
    }

    /// The budgets of a registration; empty if it has no limit.
    static func all(
        for vouched: VerifiedRegistrationEvidence, of known: Person?, in context: CeremonyContext
    ) -> [AttemptBudget] {
        guard known == nil, vouched.identity == nil, vouched.name == nil else { return [] }
        return RegistrationBudgets(in: context).all
    }

    static func refusal(until end: Timestamp, at now: Timestamp) -> CeremonyRefusal {
        CeremonyRefusal(
            Refusal(
                UserFacingRefusal.tooManyAttempts.rawValue,
                "Too many accounts were registered today. Try again later.",
                reason: "registrations of a day", retryAfter: max(1, (end - now).seconds)),
            isStranger: true)
    }
}
