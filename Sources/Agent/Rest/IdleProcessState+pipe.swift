// SPDX-License-Identifier: Apache-2.0
package import AgentWaiting
import JOSE
import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension IdleProcessState {
    /// Returns the end of a pipe from which it can be read once. The other end is closed.
    package func pipe() throws(IdleProcessError) -> Int32 {
        let bytes = json.bytes
        defer { Secret.overwrite(bytes) }
        var files: [Int32] = [-1, -1]
        guard systemPipe(&files) == 0 else { throw .system("pipe", errno) }
        for file in files { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        defer { close(files[1]) }
        _ = fcntl(files[1], F_SETFL, O_NONBLOCK)
        guard bytes.count <= Self.greatestSize, write(files[1], bytes, bytes.count) == bytes.count
        else {
            close(files[0])
            throw .tooMuch
        }
        return files[0]
    }

    /// Reads it, and closes the pipe.
    package init?(reading file: Int32) {
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.greatestSize + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(file, $0.baseAddress?.advanced(by: length), $0.count - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            length += count
        }
        let text = Array(bytes.prefix(length))
        defer {
            Secret.overwrite(bytes)
            Secret.overwrite(text)
        }
        guard let object = try? JSONParser.parseObject(text, maximumBytes: Self.greatestSize) else {
            return nil
        }
        self.init(object)
    }
}

private let systemPipe: @Sendable (UnsafeMutablePointer<Int32>) -> Int32 = { pipe($0) }
