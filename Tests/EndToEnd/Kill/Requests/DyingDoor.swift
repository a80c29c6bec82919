// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization

/// A proxy before a provider: every request passes through it, and at a chosen one the provider is
/// killed and started again.
final class DyingDoor: Sendable {
    /// When the provider dies.
    enum Moment: String, CaseIterable, Sendable {
        /// The request never arrives.
        case before
        /// It has begun to write: to its database, or already to the client.
        case within
        /// It has responded, so its changes are committed, and the response is not read.
        case after
    }

    struct Cut: Sendable, CustomStringConvertible {
        /// Of the requests that count, from 0.
        let number: Int
        let moment: Moment
        var description: String { "\(moment) request \(number)" }
    }

    private struct State {
        var seen: [String] = []
        var isCounting = false
        var cut: Cut?
        var failure: String?
    }

    private let state = Mutex(State())
    private let socket = Mutex<ListeningSocket?>(nil)
    private let provider: @Sendable () -> (port: Int, pid: Int32)
    private let kill: @Sendable () async throws -> Void
    /// Which requests change anything.
    private let counts: @Sendable (ReceivedRequest) -> Bool

    /// - Parameters:
    ///   - provider: Where it is; waits while it is being started again.
    ///   - kill: Kills the provider, and comes back when another serves the same data.
    init(
        to provider: @escaping @Sendable () -> (port: Int, pid: Int32),
        counts: @escaping @Sendable (ReceivedRequest) -> Bool,
        kill: @escaping @Sendable () async throws -> Void
    ) throws {
        (self.provider, self.counts, self.kill) = (provider, counts, kill)
        let made = try ListeningSocket { [weak self] in self?.serve($0) }
        socket.withLock { $0 = made }
    }

    /// 0 once it is closed.
    var port: Int { socket.withLock { $0?.port ?? 0 } }

    func close() { socket.withLock { $0 = nil } }

    // MARK: Counting and cutting

    /// From now on requests count, and at the cut the provider dies.
    func arm(_ cut: Cut?) {
        state.withLock { $0 = State(isCounting: true, cut: cut) }
    }

    /// What follows is looking, and does not count. Gives what counted.
    @discardableResult
    func disarm() throws -> [String] {
        let ended = state.withLock { state in
            defer { state.isCounting = false }
            return state
        }
        if let failure = ended.failure { throw HarnessError(failure) }
        return ended.seen
    }

    /// Whether a cut still waits for its request.
    var isArmed: Bool { state.withLock { $0.cut != nil } }

    private func cut(at request: ReceivedRequest) -> Moment? {
        guard counts(request) else { return nil }
        return state.withLock { state in
            guard state.isCounting else { return nil }
            state.seen.append("\(request.method) \(request.path)")
            guard let cut = state.cut, cut.number == state.seen.count - 1 else { return nil }
            state.cut = nil
            return cut.moment
        }
    }

    // MARK: Serving

    private func serve(_ connection: Connection) {
        guard let request = try? ReceivedRequest(from: connection) else { return }
        let moment = cut(at: request)
        if moment == .before { return die() }
        let (port, pid) = provider()
        guard let onward = try? Connection(port: port, timeout: 30) else { return }
        let watch = moment == .within ? WriteWatch(pid: pid) : nil
        guard (try? onward.send(request.bytes)) != nil else { return }
        if let watch {
            while !onward.hasInput, !watch.hasWritten { sched_yield() }
            return die()
        }
        guard let answer = try? onward.answer(toHead: request.method == "HEAD") else {
            // It was killed at another proxy, and the client receives no response before the next
            // start.
            _ = provider()
            return
        }
        if moment == .after { return die() }
        try? connection.send(answer.bytes)
    }

    /// Blocks its thread until there is another provider; then the connection ends unanswered.
    private func die() {
        let done = DispatchSemaphore(value: 0)
        Task {
            do { try await kill() } catch {
                state.withLock { $0.failure = "no provider after a kill: \(error)" }
            }
            done.signal()
        }
        done.wait()
    }
}

/// Whether a process has written anything since, to a file or to a socket. Where the system does
/// not say, it has.
struct WriteWatch: Sendable {
    private let pid: Int32
    private let before: UInt64?

    init(pid: Int32) {
        self.pid = pid
        before = Self.written(pid)
    }

    var hasWritten: Bool {
        guard let before, let now = Self.written(pid) else { return true }
        return now > before
    }

    /// `wchar` of proc(5).
    private static func written(_ pid: Int32) -> UInt64? {
        let text = try? String(contentsOfFile: "/proc/\(pid)/io", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
        return line.flatMap { UInt64($0.dropFirst(7)) }
    }
}
