// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Any number of readers of what is told, each with a stream of their own.
final class StreamReaders<Element: Sendable>: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<Element>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - first: The elements that the new reader receives at once.
    ///   - policy: The buffer for a slow reader.
    func add(
        telling first: [Element],
        keeping policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
        for element in first { continuation.yield(element) }
        let number = state.withLock { state in
            state.next += 1
            state.readers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func yield(_ element: Element) {
        state.withLock { for reader in $0.readers.values { reader.yield(element) } }
    }

    deinit { state.withLock { for reader in $0.readers.values { reader.finish() } } }
}
