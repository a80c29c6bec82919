// SPDX-License-Identifier: Apache-2.0

/// Comparison whose duration depends on the lengths only, never on the content.
package enum ConstantTime {
    /// Whether both hold the same bytes. Lengths are public: different lengths answer at once.
    package static func equal(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}
