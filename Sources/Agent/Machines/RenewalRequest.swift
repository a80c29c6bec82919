// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The facts that decide a renewal.
struct RenewalRequest: Sendable, Equatable {
    let schedule: SignInSchedule
    /// Whether the device and the person are registered.
    let isRegistered: Bool
    let hasKey: Bool
    /// Whether the tokens are renewed before they are due.
    var isForced = false

    func step(now: Timestamp) -> SignInSchedule.Step {
        let step = schedule.step(now: now)
        guard isForced, case .wait = step else { return step }
        return schedule.policy.usesKey ? .signInWithKey : .refresh
    }
}
