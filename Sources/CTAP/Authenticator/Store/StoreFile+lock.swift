// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension StoreFile {
    /// Locks a file for this process; its descriptor holds the lock until it is unlocked or closed.
    ///
    /// - Throws: ``AuthenticatorStoreError/inUse`` when another holds it.
    package static func lock(_ path: String) throws(AuthenticatorStoreError) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(call: "open", code: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(file)
            throw code == EWOULDBLOCK ? .inUse : .system(call: "flock", code: code)
        }
        return file
    }
}
