// SPDX-License-Identifier: Apache-2.0

/// Work that nobody waits for longer than they can.
enum Deadline {
    /// - Returns: What it came to; `nil` when it took longer, and is left to itself.
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
