// SPDX-License-Identifier: Apache-2.0
import Logging
import Primitives
import Storage
import Synchronization

/// Nonces of requests that are answered before they are written down: those of key exchanges.
///
/// An exchange changes nothing, and only the device that signed can read its answer, so a repetition
/// wins nothing. Waiting for the disk would be the larger half of it, while somebody stands before a
/// locked screen. The nonce is taken out of use here at once, and with its event in the store right
/// after. Nobody uses it meanwhile: whoever takes a nonce out of use asks here first.
///
/// What a process that is killed loses is the events of its last moment. Where several processes
/// share a store, while much is still to be written, and after a write that failed, nothing is
/// answered before it is durable.
final class SpentNonces: Sendable {
    private struct State {
        var marks: Set<UsedMark> = []
        var hasFailed = false
    }

    /// More than a second of them.
    private static let mostWaiting = 4096

    private let store: any ProviderStore
    private let log: Logger
    private let state = Mutex(State())

    init(store: any ProviderStore, log: Logger) {
        self.store = store
        self.log = log
    }

    /// Whether it was used, and is being written.
    func holds(_ mark: UsedMark) -> Bool { state.withLock { $0.marks.contains(mark) } }

    /// Takes a nonce out of use: `true` for the first caller.
    func spend(_ use: SingleUse, recording event: AuditEvent) async throws -> Bool {
        let (isFirst, mustWait) = state.withLock { state in
            (
                state.marks.insert(use.mark).inserted,
                state.hasFailed || state.marks.count > Self.mostWaiting || store.isShared
            )
        }
        guard isFirst else { return false }
        if mustWait { return try await write(use, event) }
        do {
            guard try await !store.isUsed(use.mark) else {
                forget(use.mark)
                return false
            }
        } catch {
            forget(use.mark)
            throw error
        }
        Task.immediate { await follow(use, event) }
        return true
    }

    private func follow(_ use: SingleUse, _ event: AuditEvent) async {
        do {
            // A login with the same nonce came in between; what was answered was answered all the same.
            guard try await !write(use, event) else { return }
            try await store.append([event])
        } catch {
            log.error(
                "an event was not written",
                metadata: [
                    "action": "\(event.action)", "event": "\(event.id)", "reason": "\(error)",
                ])
        }
    }

    private func write(_ use: SingleUse, _ event: AuditEvent) async throws -> Bool {
        defer { forget(use.mark) }
        do {
            let isFirst = try await store.markUsed(use, recording: event)
            state.withLock { $0.hasFailed = false }
            return isFirst
        } catch {
            state.withLock { $0.hasFailed = true }
            throw error
        }
    }

    private func forget(_ mark: UsedMark) { state.withLock { _ = $0.marks.remove(mark) } }
}
