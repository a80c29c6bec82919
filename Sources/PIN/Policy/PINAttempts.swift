// SPDX-License-Identifier: Apache-2.0

/// The maximum number of consecutive wrong PINs in a project: 1 to 10, by default 5.
///
/// There is always a limit, because a PIN of five digits can be found with a few thousand guesses.
/// Ten is the maximum of NIST SP 800-63B-4 section 3.2.10 for activation secrets.
package struct PINAttemptLimit: Sendable, Equatable {
    package static let range = 1...10
    package static let standard = PINAttemptLimit(unchecked: 5)

    package let count: Int

    package init?(_ count: Int) {
        guard Self.range.contains(count) else { return nil }
        self.count = count
    }

    private init(unchecked count: Int) { self.count = count }
}

/// The remaining attempts, as an application displays them before the next prompt.
package struct PINAttempts: Sendable, Equatable {
    package let limit: Int
    /// The number of wrong ones since the last correct one.
    package let used: Int
    /// At least one for an active profile, unless the limit was lowered. In that case the next
    /// wrong PIN locks.
    package var remaining: Int { limit - used }

    /// Creates a budget. A value of `used` above a lowered limit is reduced to the limit.
    package init(limit: PINAttemptLimit, used: Int) {
        self.limit = limit.count
        self.used = min(max(used, 0), limit.count)
    }

    /// Reads a received budget: `nil` if the numbers are impossible.
    init?(limit: Int64, used: Int64) {
        guard let limit = Int(exactly: limit).flatMap(PINAttemptLimit.init),
            (0...Int64(limit.count)).contains(used)
        else { return nil }
        self.init(limit: limit, used: Int(used))
    }
}
