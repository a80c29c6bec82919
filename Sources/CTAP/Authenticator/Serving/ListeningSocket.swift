// SPDX-License-Identifier: Apache-2.0
import Platform

/// A Unix socket for clients of a software key, which only its owner may use. Packets
/// where the system has them, so that a report stays whole; else a stream.
struct ListeningSocket {
    /// The maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 4

    let file: Descriptor
    private let path: String

    /// - Throws: ``ServingError/pathTooLong``, ``ServingError/inUse`` if a process listens there
    ///   already or the path is not a socket. The socket of a process that has ended is replaced.
    init(path: String) throws(ServingError) {
        let file: Descriptor
        do throws(PlatformError) { file = try Self.listen(path) } catch {
            guard error.code == .addressInUse else { throw ServingError(error) }
            guard Self.isAbandoned(path) else { throw .inUse }
            do throws(PlatformError) {
                try FileSystem.remove(path)
                file = try Self.listen(path)
            } catch { throw ServingError(error) }
        }
        file.isNonBlocking = true
        (self.file, self.path) = (file, path)
    }

    private static func listen(_ path: String) throws(PlatformError) -> Descriptor {
        try UnixSocket.listen(path, kind, mode: 0o600, backlog: backlog)
    }

    private static let kind: UnixSocket.Kind = UnixSocket.hasPackets ? .packets : .stream

    /// Whether a socket refuses connections: its process has ended. Linux refuses connections to
    /// ordinary files with the same error.
    private static func isAbandoned(_ path: String) -> Bool {
        guard (try? FileStatus(path, followsLinks: false))?.kind == .socket else { return false }
        do throws(PlatformError) {
            try UnixSocket.connect(path, kind, isNonBlocking: true).close()
            return false
        } catch { return error.code == .connectionRefused }
    }

    /// The next client that waits, if there is one.
    func accept() -> ReportPort? {
        guard let client = try? UnixSocket.accept(file) else { return nil }
        return ReportPort(file: client, framing: UnixSocket.hasPackets ? .packets : .numbered)
    }

    /// Removes the path and refuses clients that still wait.
    func remove() {
        try? FileSystem.remove(path)
        file.close()
    }
}
