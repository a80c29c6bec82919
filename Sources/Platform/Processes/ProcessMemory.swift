// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Memory of this process.
package enum ProcessMemory {
    /// Maps zeroed memory; `nil` if there is none.
    package static func map(_ size: Int) -> UnsafeMutableRawPointer? {
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return mapped == MAP_FAILED ? nil : mapped
    }

    /// Overwrites memory with zeros. The compiler would remove a loop whose zeros are not read.
    package static func overwrite(_ start: UnsafeMutableRawPointer, _ count: Int) {
        #if canImport(Darwin)
            _ = memset_s(start, count, 0, count)
        #else
            explicit_bzero(start, count)
        #endif
    }

    package static func unmap(_ start: UnsafeMutableRawPointer?, _ size: Int) {
        _ = munmap(start, size)
    }
}
