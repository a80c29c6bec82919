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
    /// flock(2), or what a test puts in its place: a file system without locks, for example.
    package typealias Call = @Sendable (Int32, Int32) -> Int32

    private let descriptor: Int32

    /// Waits on a thread of its own until no other process holds the lock.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits. A lock that is free
    ///   is taken by a cancelled task as well: there is something to tidy, perhaps.
    package static func acquire(
        _ path: String, by call: @escaping Call = systemCall
    ) async throws -> FileLock {
        if let lock = try acquireIfFree(path, by: call) { return lock }
        let wait = FileLockWaiter(path, try opened(path), call)
        return try await withTaskCancellationHandler {
            FileLock(descriptor: try await wait.descriptor())
        } onCancel: {
            wait.giveUp()
        }
    }

    /// The lock, or `nil` when somebody else holds it.
    package static func acquireIfFree(
        _ path: String, by call: Call = systemCall
    ) throws(UserClientError) -> FileLock? {
        let descriptor = try opened(path)
        guard call(descriptor, LOCK_EX | LOCK_NB) != 0 else {
            return FileLock(descriptor: descriptor)
        }
        let code = errno
        close(descriptor)
        guard code == EWOULDBLOCK || code == EINTR else { throw failure(path, code) }
        return nil
    }

    /// Some network file systems have no locks: whoever needs one does not go on without it.
    fileprivate static func failure(_ path: String, _ code: Int32) -> UserClientError {
        .file("\(path) cannot be locked: \(String(cString: strerror(code)))")
    }

    package static let systemCall: Call = { flock($0, $1) }

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
private final class FileLockWaiter: Sendable {
    private enum State {
        case asked
        case waiting(CheckedContinuation<Int32, any Error>)
        case over
    }

    private let path: String
    private let file: Int32
    private let call: FileLock.Call
    private let state = Mutex(State.asked)

    init(_ path: String, _ file: Int32, _ call: @escaping FileLock.Call) {
        (self.path, self.file, self.call) = (path, file, call)
    }

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
        var code: Int32 = 0
        repeat { code = call(file, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
        guard let waiter = end() else {
            close(file)
            return
        }
        guard code == 0 else {
            close(file)
            return waiter.resume(throwing: FileLock.failure(path, code))
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
