// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs blocking work on a separate thread. Dispatch has as few as the cooperative pool and shares
/// them with it, so a few blocked threads would stop all work.
package func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// Asks again until the answer is there. Short naps between, never a fixed wait.
@discardableResult
package func eventually<Value: Sendable>(
    _ what: String, within limit: Duration = .seconds(20),
    _ attempt: () async throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: limit)
    var last = "no answer"
    while clock.now < deadline {
        do {
            if let value = try await attempt() { return value }
        } catch {
            last = String(describing: error)
        }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw HarnessError("not within \(limit): \(what) (\(last))")
}
