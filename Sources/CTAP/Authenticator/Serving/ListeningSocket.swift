// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A Unix socket on which clients of a software key are awaited, open to its owner only. Packets
/// where the system has them, so that a report stays whole; else a stream.
struct ListeningSocket {
    /// The maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 4

    let file: Int32
    private let path: String

    /// Binds a socket to `path` and listens.
    ///
    /// - Throws: ``ServingError/pathTooLong``, or ``ServingError/inUse`` if another process listens
    ///   there or the path is not a socket. An abandoned socket is replaced.
    init(path: String) throws(ServingError) {
        guard let address = UnixSocketAddress(path) else { throw .pathTooLong }
        let file = UnixSocket.make(UnixSocket.packets ?? UnixSocket.stream)
        guard file >= 0 else { throw .system(call: "socket", code: errno) }
        do throws(ServingError) { try Self.prepare(file, address) } catch {
            close(file)
            throw error
        }
        (self.file, self.path) = (file, path)
    }

    private static func prepare(
        _ file: Int32, _ address: UnixSocketAddress
    ) throws(ServingError) {
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
        if !address.bind(file) {
            guard errno == EADDRINUSE else { throw .system(call: "bind", code: errno) }
            try removeLeftover(address)
            guard address.bind(file) else { throw .system(call: "bind", code: errno) }
        }
        // A client cannot connect before `listen`, so the mode is set in time.
        guard chmod(address.path, 0o600) == 0 else { throw .system(call: "chmod", code: errno) }
        guard listen(file, backlog) == 0 else { throw .system(call: "listen", code: errno) }
    }

    /// Removes the socket of an ended process, which refuses connections.
    private static func removeLeftover(_ address: UnixSocketAddress) throws(ServingError) {
        let probe = UnixSocket.make(UnixSocket.packets ?? UnixSocket.stream)
        guard probe >= 0 else { throw .system(call: "socket", code: errno) }
        defer { close(probe) }
        _ = fcntl(probe, F_SETFL, O_NONBLOCK)
        guard !address.connect(probe), errno == ECONNREFUSED, !isOrdinary(address.path) else {
            throw .inUse
        }
        unlink(address.path)
    }

    /// Whether the path can be opened, which a socket cannot. Linux refuses connections to
    /// ordinary files in the same words.
    private static func isOrdinary(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return errno != ENXIO && errno != EOPNOTSUPP }
        close(file)
        return true
    }

    /// The next client that waits, if one does.
    func accept() -> ReportPort? {
        #if canImport(Glibc)
            let client = Glibc.accept(file, nil, nil)
        #elseif canImport(Musl)
            let client = Musl.accept(file, nil, nil)
        #else
            let client = Darwin.accept(file, nil, nil)
        #endif
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return ReportPort(file: client, framing: UnixSocket.packets == nil ? .numbered : .packets)
    }

    /// Takes the path away, and refuses those who still wait.
    func remove() {
        unlink(path)
        close(file)
    }
}
