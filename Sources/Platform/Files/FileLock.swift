// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock between processes (flock(2)). It ends with this value, at the latest with the process.
package struct FileLock: ~Copyable, Sendable {
    /// flock(2), or a test's replacement: for example a file system without locks.
    package typealias Call = @Sendable (Int32, Int32) -> Int32

    /// Open while the lock is held; a program that this process becomes may inherit it.
    private let descriptor: Descriptor

    /// Waits on its own thread until no other process holds the lock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, or ``PlatformError``.
    ///   A cancelled task acquires a lock that is free, so that it can clean up.
    package static func acquire(
        _ path: String, by call: @escaping Call = systemCall
    ) async throws -> FileLock {
        if let lock = try acquireIfFree(path, by: call) { return lock }
        let wait = Wait(path, try open(path), call)
        let descriptor = try await withTaskCancellationHandler {
            try await wait.descriptor()
        } onCancel: {
            wait.cancel()
        }
        return FileLock(descriptor: descriptor)
    }

    /// The lock, or `nil` if another process holds it.
    package static func acquireIfFree(
        _ path: String, by call: Call = systemCall
    ) throws(PlatformError) -> FileLock? {
        let descriptor = try open(path)
        guard call(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 else {
            return FileLock(descriptor: descriptor)
        }
        let code = Errno.current
        descriptor.close()
        guard code == .wouldBlock || code == .interrupted else {
            throw PlatformError("flock", path, code: code)
        }
        return nil
    }

    package static let systemCall: Call = { flock($0, $1) }

    /// Unlocks by name: a process that is being started now still has the descriptor.
    deinit {
        flock(descriptor.rawValue, LOCK_UN)
        descriptor.close()
    }

    private init(descriptor: Descriptor) { self.descriptor = descriptor }

    private static func open(_ path: String) throws(PlatformError) -> Descriptor {
        try Descriptor.open(path, [.read, .write, .create])
    }
}

/// One waiting caller. Cancellation releases the caller at once; the thread, which cannot be woken,
/// unlocks the file when it gets the lock.
private final class Wait: Sendable {
    private enum State {
        case created
        case waiting(CheckedContinuation<Descriptor, any Error>)
        case ended
    }

    private let path: String
    private let file: Descriptor
    private let call: FileLock.Call
    private let state = Mutex(State.created)

    init(_ path: String, _ file: Descriptor, _ call: @escaping FileLock.Call) {
        (self.path, self.file, self.call) = (path, file, call)
    }

    func descriptor() async throws -> Descriptor {
        try await withCheckedThrowingContinuation { waiter in
            let isCancelled = state.withLock { state in
                guard case .created = state else { return true }
                state = .waiting(waiter)
                return false
            }
            guard !isCancelled else {
                file.close()
                return waiter.resume(throwing: CancellationError())
            }
            do throws(PlatformError) {
                try BackgroundThread.start(niceness: 0) { self.wait() }
            } catch {
                finish(error.code)
            }
        }
    }

    private func wait() {
        finish(retryingInterrupts { call(file.rawValue, LOCK_EX) } == 0 ? nil : .current)
    }

    private func finish(_ code: Errno?) {
        let waiter = end()
        guard code != nil || waiter == nil else {
            waiter?.resume(returning: file)
            return
        }
        file.close()
        if let code { waiter?.resume(throwing: PlatformError("flock", path, code: code)) }
    }

    func cancel() { end()?.resume(throwing: CancellationError()) }

    private func end() -> CheckedContinuation<Descriptor, any Error>? {
        state.withLock { state in
            defer { state = .ended }
            guard case .waiting(let waiter) = state else { return nil }
            return waiter
        }
    }
}
