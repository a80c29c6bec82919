// SPDX-License-Identifier: Apache-2.0

/// How many wrong PINs a project forgives in a row: 1 to 10, usually 5.
///
/// There is no "unlimited": a PIN of five digits falls to a few thousand guesses. Ten is the
/// ceiling of NIST SP 800-63B-4 section 3.2.10 for activation secrets.
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

/// What is left of the limit, as an application shows it before it asks again.
package struct PINAttempts: Sendable, Equatable {
    package let limit: Int
    /// Wrong ones since the last right one.
    package let used: Int
    /// At least one while a profile lives, unless the limit was lowered meanwhile; then the next
    /// wrong one locks.
    package var remaining: Int { limit - used }

    /// `used` beyond the limit (which was lowered meanwhile) reads as all of it.
    package init(limit: PINAttemptLimit, used: Int) {
        self.limit = limit.count
        self.used = min(max(used, 0), limit.count)
    }

    /// From a wire: `nil` when the numbers cannot be.
    init?(limit: Int64, used: Int64) {
        guard let limit = Int(exactly: limit).flatMap(PINAttemptLimit.init),
            (0...Int64(limit.count)).contains(used)
        else { return nil }
        self.init(limit: limit, used: Int(used))
    }
}
