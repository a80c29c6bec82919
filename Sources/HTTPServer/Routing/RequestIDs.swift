// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Synchronization

/// Generates request ids: 16 characters, unique in the process and different in every process.
package final class RequestIDs: Sendable {
    private let start: UInt64
    private let counter = Atomic<UInt64>(0)

    package init(random: some RandomSource) {
        start = random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package func next() -> String {
        let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
        // A multiplication by an odd number is a bijection, so that no value repeats early.
        let value = start &+ count &* 0x9E37_79B9_7F4A_7C15
        return String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - index * 4)) & 15
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "W") + digit
            }
            return 16
        }
    }
}
