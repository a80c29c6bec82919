// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock between processes (flock(2)); it goes away with the process that holds it.
package struct FileLock: Sendable {
    private let descriptor: Int32

    /// Waits on a thread of its own until no other process holds the lock.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits. A lock that is free
    ///   is taken by a cancelled task as well: there is something to tidy, perhaps.
    package static func acquire(_ path: String) async throws -> FileLock {
        if let lock = try acquireIfFree(path) { return lock }
        let wait = Wait(try opened(path))
        return try await withTaskCancellationHandler {
            FileLock(descriptor: try await wait.descriptor())
        } onCancel: {
            wait.giveUp()
        }
    }

    /// The lock, or `nil` when somebody else holds it.
    package static func acquireIfFree(_ path: String) throws(UserClientError) -> FileLock? {
        let descriptor = try opened(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return FileLock(descriptor: descriptor)
    }

    package func release() { close(descriptor) }

    private static func opened(_ path: String) throws(UserClientError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .file("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }
}

/// Somebody who waits for a lock. Whoever gives up is let go at once; the thread, which nothing can
/// wake, gives the lock back when it gets it.
private final class Wait: Sendable {
    private enum State {
        case asked
        case waiting(CheckedContinuation<Int32, any Error>)
        case over
    }

    private let file: Int32
    private let state = Mutex(State.asked)

    init(_ file: Int32) { self.file = file }

    func descriptor() async throws -> Int32 {
        try await withCheckedThrowingContinuation { waiter in
            let hasGivenUp = state.withLock { state in
                guard case .asked = state else { return true }
                state = .waiting(waiter)
                return false
            }
            guard !hasGivenUp else {
                close(file)
                return waiter.resume(throwing: CancellationError())
            }
            DispatchQueue(label: "file lock").async { self.wait() }
        }
    }

    private func wait() {
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        guard let waiter = end() else {
            close(file)
            return
        }
        waiter.resume(returning: file)
    }

    func giveUp() { end()?.resume(throwing: CancellationError()) }

    private func end() -> CheckedContinuation<Int32, any Error>? {
        state.withLock { state in
            defer { state = .over }
            guard case .waiting(let waiter) = state else { return nil }
            return waiter
        }
    }
}
