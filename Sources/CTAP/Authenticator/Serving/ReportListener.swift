// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives
import Synchronization

/// Connects the clients of a Unix socket with one software key. Each client has separate channels,
/// and the key processes one request at a time.
final class ReportListener: AuthenticatorService {
    private struct State {
        var clients: [ObjectIdentifier: ReportService] = [:]
        var isStopping = false
    }

    /// More clients at once are refused.
    private static let greatestNumber = 8

    private let authenticator: SoftwareAuthenticator
    private let random: any RandomSource
    private let socket: ListeningSocket
    private let alarm: WakePipe
    private let end = ServiceEnd()
    private let state = Mutex(State())

    /// Listens, and starts the thread that accepts.
    init(
        _ authenticator: SoftwareAuthenticator, path: String, random: any RandomSource
    ) throws(ServingError) {
        self.authenticator = authenticator
        self.random = random
        do { alarm = try WakePipe() } catch { throw ServingError(error) }
        socket = try ListeningSocket(path: path)
        do { try BackgroundThread.start(niceness: 0) { [self] in run() } } catch {
            socket.remove()
            throw ServingError(error)
        }
    }

    func stop() {
        let clients = state.withLock { state in
            state.isStopping = true
            return Array(state.clients.values)
        }
        alarm.wake()
        for client in clients { client.stop() }
    }

    func waitForEnd() async {
        await end.reached()
        for client in state.withLock({ Array($0.clients.values) }) { await client.waitForEnd() }
    }

    // MARK: The thread

    private func run() {
        while !state.withLock({ $0.isStopping }) {
            var files = PollSet([socket.file, alarm.reader], for: .readable)
            _ = try? files.wait()
            if !files[1].isEmpty { alarm.drain() }
            if !files[0].isEmpty, let port = socket.accept() { serve(port) }
        }
        socket.remove()
        end.reach()
    }

    /// A client that cannot be served is hung up on.
    private func serve(_ port: ReportPort) {
        guard let client = try? ReportService(authenticator, random: random), admit(client) else {
            return port.closeAll()
        }
        client.start(port)
        Task {
            await client.waitForEnd()
            remove(client)
        }
    }

    private func admit(_ client: ReportService) -> Bool {
        state.withLock { state in
            guard !state.isStopping, state.clients.count < Self.greatestNumber else { return false }
            state.clients[ObjectIdentifier(client)] = client
            return true
        }
    }

    private func remove(_ client: ReportService) {
        state.withLock { $0.clients[ObjectIdentifier(client)] = nil }
    }
}
