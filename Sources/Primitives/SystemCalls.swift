// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of this module, which imports no other one.
enum SystemCalls {
    /// Fills the buffer from the kernel's generator, 256 bytes at most; whether it did.
    static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        #if canImport(Glibc)
            buffer.count <= 256 && getentropy(buffer.baseAddress, buffer.count) == 0
        #else
            false
        #endif
    }

    /// Overwrites memory with zeros. The compiler would remove a loop whose zeros are not read.
    static func overwrite(_ start: UnsafeMutableRawPointer, _ count: Int) {
        #if canImport(Darwin)
            _ = memset_s(start, count, 0, count)
        #else
            explicit_bzero(start, count)
        #endif
    }

    /// Milliseconds since 1970.
    static var wallClock: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
