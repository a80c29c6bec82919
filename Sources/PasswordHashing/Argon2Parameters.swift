// SPDX-License-Identifier: Apache-2.0

/// The cost of one Argon2id computation, RFC 9106 section 3.1.
package struct Argon2Parameters: Sendable, Equatable {
    /// Memory in KiB (`m`).
    package var memory: UInt32
    /// Passes over the memory (`t`).
    package var iterations: UInt32
    /// Lanes (`p`). They are computed one after the other, on the thread of the pool.
    package var lanes: UInt32

    package init(memory: UInt32, iterations: UInt32, lanes: UInt32) {
        self.memory = memory
        self.iterations = iterations
        self.lanes = lanes
    }

    /// 19 MiB, two passes, one lane: the first of the OWASP Password Storage Cheat Sheet's
    /// equivalent settings.
    package static let standard = Argon2Parameters(memory: 19_456, iterations: 2, lanes: 1)

    /// The maximum memory of a stored hash, in KiB: 256 MiB.
    package static let greatestMemory: UInt32 = 262_144
    /// The maximum number of passes of a stored hash.
    package static let greatestIterations: UInt32 = 32
    /// The maximum number of lanes of a stored hash.
    package static let greatestLanes: UInt32 = 16
    /// The maximum work of a stored hash, in KiB times passes: about two seconds.
    package static let greatestWork: UInt64 = 2_097_152

    /// Whether the values are within RFC 9106 and within what this provider is willing to compute.
    package var isReasonable: Bool {
        iterations >= 1 && iterations <= Self.greatestIterations
            && lanes >= 1 && lanes <= Self.greatestLanes
            && memory >= 8 * lanes && memory <= Self.greatestMemory
            && UInt64(memory) * UInt64(iterations) <= Self.greatestWork
    }
}
