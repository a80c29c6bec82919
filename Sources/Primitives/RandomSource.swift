// SPDX-License-Identifier: Apache-2.0

/// Where randomness comes from. Code below floor 6 never asks the system itself.
package protocol RandomSource: Sendable {
    /// `count` bytes, each fit for a key.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's generator (`getrandom` on Linux).
package struct SystemRandomSource: RandomSource {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var output: [UInt8] = []
        output.reserveCapacity(count)
        while output.count < count {
            withUnsafeBytes(of: generator.next()) {
                output.append(contentsOf: $0.prefix(count - output.count))
            }
        }
        return output
    }
}
