// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Finds the moment at which a provider is to die while it serves something.
struct KillMoment: Sendable {
    /// Of the provider.
    let pid: Int32

    private final class Answered: Sendable {
        let isSo = Mutex(false)
    }

    /// Sends, or not, and comes back when the provider was killed at that moment. Waits for what the
    /// moment is about and for no time.
    func strike(
        _ moment: KillingTransport.Moment, kill: @Sendable () async throws -> Void,
        _ send: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard moment != .before else { return try await kill() }
        let watch = WriteWatch(pid: pid)
        let answered = Answered()
        let answering = Task {
            defer { answered.isSo.withLock { $0 = true } }
            try await send()
        }
        switch moment {
        case .before: break
        case .during:
            while !answered.isSo.withLock({ $0 }), !watch.hasWritten { await Task.yield() }
        case .after: try await answering.value
        }
        try await kill()
        _ = try? await answering.value
    }
}
