// SPDX-License-Identifier: Apache-2.0
import Dispatch

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
    package static func acquire(_ path: String) async throws -> FileLock {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw UserClientError.file(
                "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        await withCheckedContinuation { waiter in
            DispatchQueue(label: "token file").async {
                while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
                waiter.resume()
            }
        }
        return FileLock(descriptor: descriptor)
    }

    /// The lock, or `nil` when somebody else holds it.
    package static func acquireIfFree(_ path: String) throws(UserClientError) -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .file("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return FileLock(descriptor: descriptor)
    }

    package func release() { close(descriptor) }
}
