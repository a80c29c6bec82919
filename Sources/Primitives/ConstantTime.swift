// SPDX-License-Identifier: Apache-2.0

/// Comparison whose duration depends on the lengths only, never on the content.
package enum ConstantTime {
    /// Whether both contain the same bytes. Lengths are public: different lengths return at once.
    package static func equal(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Bool {
        let result = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in equal(left, right) }
        }
        if case .some(.some(let isEqual)) = result { return isEqual }
        return Array(left).withUnsafeBufferPointer { left in
            Array(right).withUnsafeBufferPointer { right in equal(left, right) }
        }
    }

    /// The one loop. Over a generic collection, which nothing specialises across modules, the
    /// three comparisons of a WebAuthn sign-in cost a fifth of it.
    private static func equal(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
