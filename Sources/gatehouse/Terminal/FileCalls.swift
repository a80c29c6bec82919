// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `read` and `write` of the system, begun again when a signal came between.
enum FileCalls {
    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        again { systemRead(descriptor, bytes.baseAddress, bytes.count) }
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        again { systemWrite(descriptor, bytes.baseAddress, bytes.count) }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether something is written to there that is no file's content.
    static func isDeviceOrSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && [S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// What the system says of one of its codes.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func again(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
    read($0, $1, $2)
}

private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = {
    write($0, $1, $2)
}
