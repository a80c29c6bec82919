// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A port of 127.0.0.1 that serves each connection on a separate thread.
final class ListeningSocket: Sendable {
    let port: Int
    private let socket: Int32

    init(serve: @escaping @Sendable (Connection) -> Void) throws {
        let port = try Connection.freePort()
        let socket = Connection.makeSocket()
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        guard withLoopback(port, { bind(socket, $0, $1) }) == 0, listen(socket, 64) == 0 else {
            close(socket)
            throw HarnessListening.refused
        }
        (self.port, self.socket) = (port, socket)
        Thread.detachNewThread {
            while true {
                let accepted = accept(socket, nil, nil)
                guard accepted >= 0 else { return }
                Thread.detachNewThread {
                    let connection = Connection(accepted: accepted)
                    serve(connection)
                    // A concurrently started server has inherited the socket and does not close it.
                    connection.finishSending()
                }
            }
        }
    }

    private enum HarnessListening: Error { case refused }

    /// Wakes the thread that waits, which then ends.
    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
