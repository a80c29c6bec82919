// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// The kernel's generator of random bytes.
package enum SystemRandom {
    /// Fills the buffer, 256 bytes at most. Returns `false` if this system has no such call.
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        #if canImport(Glibc)
            buffer.count <= 256 && getentropy(buffer.baseAddress, buffer.count) == 0
        #else
            false
        #endif
    }
}
