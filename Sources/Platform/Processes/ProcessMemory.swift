// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Memory that is mapped from the system.
package enum ProcessMemory {
    /// Maps zeroed memory; `nil` if there is none.
    package static func map(_ size: Int) -> UnsafeMutableRawPointer? {
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return mapped == MAP_FAILED ? nil : mapped
    }

    package static func unmap(_ start: UnsafeMutableRawPointer?, _ size: Int) {
        _ = munmap(start, size)
    }
}
