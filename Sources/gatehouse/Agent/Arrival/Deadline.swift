// SPDX-License-Identifier: Apache-2.0

/// Limits the time of an operation.
enum Deadline {
    /// Returns the result of the operation, or `nil` if it takes longer. Then it is cancelled, and
    /// the caller does not wait for its end.
    static func run<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        let (results, result) = AsyncStream<Value?>.makeStream()
        let working = Task { result.yield(await work()) }
        let waiting = Task {
            if (try? await Task.sleep(for: limit)) != nil { result.yield(nil) }
        }
        var iterator = results.makeAsyncIterator()
        let first = await iterator.next()
        working.cancel()
        waiting.cancel()
        return first ?? nil
    }
}
