// SPDX-License-Identifier: Apache-2.0
import CPostgreSQL
import Platform

/// Waits for results as libpq does, but not for a server that has stopped.
///
/// The kernel of a host acknowledges packets for a server that is stopped, and no timeout of TCP
/// applies. So a server that has been silent for a while is asked on another connection whether it
/// responds. If it does, the statement takes long.
extension PostgreSQLConnection {
    /// The last result of what was sent, which libpq's blocking functions return. Without one, the
    /// connection has the error.
    func lastResult() -> OpaquePointer? {
        var last: OpaquePointer?
        while let result = nextResult() {
            PQclear(last)
            last = result
            guard isAlive else { break }
        }
        return last
    }

    /// The next result; `nil` at the end of a statement's results, and without a connection.
    func nextResult() -> OpaquePointer? {
        while PQisBusy(handle) == 1, receive() {}
        return PQgetResult(handle)
    }

    /// Reads what the server sends. Returns `false` if it will send nothing more.
    private func receive() -> Bool {
        let socket = Descriptor(rawValue: PQsocket(handle))
        guard let events = try? socket.wait(for: .readable, milliseconds: shared.patience) else {
            return false
        }
        // Asked twice: one attempt can fail in this process, for example without a free descriptor.
        if events.isEmpty, !serverResponds, !serverResponds {
            shared.attempts.serverFellSilent()
            disconnect()
            return false
        }
        guard PQconsumeInput(handle) == 1 else { return false }
        // A record of TLS or GSS can be longer than what libpq reads at once.
        let isEncrypted = PQsslInUse(handle) == 1 || PQgssEncInUse(handle) == 1
        return !isEncrypted || PQconsumeInput(handle) == 1
    }

    /// Whether the server of this connection responds to a new one.
    private var serverResponds: Bool {
        let place = [
            ("host", PQhost(handle)), ("hostaddr", PQhostaddr(handle)), ("port", PQport(handle)),
        ].compactMap { name, value in value.map { (name, String(cString: $0)) } }
        return withParameters(place) { PQpingParams($0, $1, 1) } != PQPING_NO_RESPONSE
    }
}
