// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The policy in force, and since when: the time of accounts that are not registered starts again
/// with another policy.
package struct EffectiveAdmissionPolicy: Sendable, Equatable {
    package var policy: AdmissionPolicy
    package var since: Timestamp

    package init(_ policy: AdmissionPolicy, since: Timestamp) {
        self.policy = policy
        self.since = since
    }

    /// - Returns: The terms after the profile changes to `policy`. Its other keys extend no grace
    ///   period.
    package static func adopting(
        _ policy: AdmissionPolicy, after old: EffectiveAdmissionPolicy?, now: Timestamp
    ) -> EffectiveAdmissionPolicy {
        let isSame = old?.policy.rules == policy.rules
        return EffectiveAdmissionPolicy(policy, since: isSame ? old?.since ?? now : now)
    }
}
