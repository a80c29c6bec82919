// SPDX-License-Identifier: Apache-2.0
import Platform

/// A source of randomness, which code takes as an argument.
package protocol RandomSource: Sendable {
    /// `count` bytes, each fit for a key.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's generator (`getrandom` on Linux).
package struct SystemRandomSource: RandomSource {
    package init() {}

    /// One system call for up to 256 bytes, where there is such a call.
    package func bytes(_ count: Int) -> [UInt8] {
        if count <= 256 {
            var output = [UInt8](repeating: 0, count: count)
            if output.withUnsafeMutableBytes({ SystemRandom.fill($0) }) { return output }
        }
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
