// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads and writes. Each call starts again if a signal interrupts it.
extension Descriptor {
    /// Reads into the buffer and returns the number of bytes; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try counted("read") { readFile(rawValue, buffer.baseAddress, buffer.count) }
    }

    /// Reads once; empty at the end.
    package func read(atMost limit: Int) throws(PlatformError) -> [UInt8] {
        let result = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            Result { () throws(PlatformError) in Array(buffer.prefix(try read(into: buffer))) }
        }
        return try result.get()
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(PlatformError) -> Int {
        try counted("pread") { pread(rawValue, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Reads once from an offset of a file; empty at the end.
    package func read(atMost limit: Int, at offset: Int) throws(PlatformError) -> [UInt8] {
        let result = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            Result { () throws(PlatformError) in
                Array(buffer.prefix(try read(into: buffer, at: offset)))
            }
        }
        return try result.get()
    }

    /// Reads to the end, or until there are more than `limit` bytes: then the result is longer.
    package func readAll(limit: Int) throws(PlatformError) -> [UInt8] {
        var content: [UInt8] = []
        while content.count <= limit {
            let part = try read(atMost: min(65_536, limit + 1 - content.count))
            if part.isEmpty { break }
            content += part
        }
        return content
    }

    /// Writes some of the bytes and returns their number.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) -> Int {
        try counted("write") { writeFile(rawValue, bytes.baseAddress, bytes.count) }
    }

    /// Writes all bytes. Fails with `EAGAIN` where a non-blocking descriptor is not ready.
    package func write(all bytes: some Collection<UInt8>) throws(PlatformError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty { rest = rest.dropFirst(try written(rest)) }
    }

    private func written(_ bytes: ArraySlice<UInt8>) throws(PlatformError) -> Int {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(PlatformError) in try write(buffer) }
        }
        return try result.get()
    }

    /// Sends on a socket. A peer that has closed it is an error and not a signal.
    package func send(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) -> Int {
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        return try counted("send") {
            sendBytes(rawValue, bytes.baseAddress, bytes.count, flags)
        }
    }

    private func counted(_ call: String, _ body: () -> Int) throws(PlatformError) -> Int {
        let count = retryingInterrupts(body)
        guard count >= 0 else { throw .last(call) }
        return count
    }
}

// The system's calls, under names that the methods above do not hide.
private let readFile: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
    read($0, $1, $2)
}
private let writeFile: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let sendBytes: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = {
    send($0, $1, $2, $3)
}
