// SPDX-License-Identifier: Apache-2.0
import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ends the wait of a thread that polls ``reader`` beside its other files.
final class WakePipe: Sendable {
    let reader: Int32
    private let writer: Int32

    init() throws(ThreadCreationError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ThreadCreationError(code: errno) }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// From any thread. A full pipe wakes just as well.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    func drain() {
        var drained: UInt64 = 0
        _ = read(reader, &drained, MemoryLayout.size(ofValue: drained))
    }
}
