// SPDX-License-Identifier: Apache-2.0
package import Platform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files of stores, with their errors.
package enum StoreFile {
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func failure(_ call: String) -> AuthenticatorStoreError {
        .system(call: call, code: errno)
    }

    /// The content of a file that is no longer than `limit` bytes.
    package static func read(
        _ path: String, atMost limit: Int
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.read(file, &buffer)
            guard count >= 0 else { throw failure("read") }
            if count == 0 { return content }
            content += buffer.prefix(count)
            guard content.count <= limit else { throw .damaged }
        }
    }

    private static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            var count: Int
            repeat {
                #if canImport(Glibc)
                    count = Glibc.read(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    count = Musl.read(file, bytes.baseAddress, bytes.count)
                #else
                    count = Darwin.read(file, bytes.baseAddress, bytes.count)
                #endif
            } while count < 0 && errno == EINTR
            return count
        }
    }

    /// Replaces the file, mode 0600.
    package static func write(
        _ content: [UInt8], to path: String, on disk: any Disk = SystemDisk()
    ) throws(AuthenticatorStoreError) {
        do throws(PlatformError) {
            try DurableFile.replace(path, with: content, on: disk)
        } catch {
            throw .system(call: error.call, code: error.code)
        }
    }
}
