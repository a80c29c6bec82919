// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// A source of random bytes. Modules below the program use it and not the system directly.
package protocol RandomSource: Sendable {
    /// `count` bytes, each fit for a key.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's generator (`getrandom` on Linux).
package struct SystemRandomSource: RandomSource {
    package init() {}

    /// Returns random bytes with one system call, if there is one for that number.
    package func bytes(_ count: Int) -> [UInt8] {
        #if canImport(Glibc)
            if count <= 256, let output = Self.entropy(count) { return output }
        #endif
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

    #if canImport(Glibc)
        /// At most 256 bytes at once; `nil` when the kernel does not give them.
        private static func entropy(_ count: Int) -> [UInt8]? {
            var output = [UInt8](repeating: 0, count: count)
            let isFilled = output.withUnsafeMutableBytes {
                getentropy($0.baseAddress, count) == 0
            }
            return isFilled ? output : nil
        }
    #endif
}
