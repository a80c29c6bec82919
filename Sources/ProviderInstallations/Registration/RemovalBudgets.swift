// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import Primitives
package import ProviderCore
package import Storage

/// The limits of the accounts that people remove themselves in a day. The names of each are held for
/// the period of the project's policy, so the limits bound the number of held names.
///
/// A removal over a limit is refused. To drop a held name instead would let a stranger, who makes and
/// removes many accounts, make another person's name free.
package struct RemovalBudgets: Sendable {
    package static let window = TimeSpan.days(1)
    /// Younger accounts have a separate total, so that new accounts do not use up that of others.
    package static let newAge = TimeSpan.days(30)

    package let all: [AttemptBudget]

    package init(of person: Person, in context: CeremonyContext) {
        guard Self.apply(to: person, in: context.tenant.project) else {
            all = []
            return
        }
        let (counter, limits) = (AttemptCounter(context: context), context.limits)
        let network = AttemptCounter.network(of: context.facts.address)
        let isNew = context.now - person.createdAt < Self.newAge
        all = [
            AttemptBudget(
                bucket: counter.bucket("removal", network), limit: limits.removalsPerAddress),
            AttemptBudget(
                bucket: counter.bucket("removals", isNew ? "new" : "established"),
                limit: isNew ? limits.removalsOfNew : limits.removalsOfEstablished),
        ]
    }

    /// Whether the removal holds names. People of test keys are limited by the holders of the keys.
    private static func apply(to person: Person, in project: Project) -> Bool {
        project.policy.usernameReuseDelay > 0
            && person.origin != AppRegistrationMethod.testKey.rawValue
    }

    static func refusal(
        until end: Timestamp, for person: Person, at now: Timestamp
    )
        -> CeremonyRefusal
    {
        CeremonyRefusal(
            Refusal(
                UserFacingRefusal.tooManyAttempts.rawValue,
                "Too many accounts were removed today. Try again later, or ask an administrator.",
                reason: "removals of a day", retryAfter: max(1, (end - now).seconds)),
            person: person.id, isStranger: true)
    }
}
