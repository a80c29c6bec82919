// SPDX-License-Identifier: Apache-2.0
import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How many files and connections the system lets this process hold.
enum OpenFiles {
    /// What the database, files, mail and questions to others need beside connections.
    private static let reserve = 256

    /// Raises the limit as far as the system lets us; how many connections it has room for.
    static func room(for connections: Int, _ log: Logger) -> Int {
        let limit = raise(to: connections + reserve)
        guard limit < connections + reserve else { return connections }
        let room = max(limit - reserve, 16)
        log.warning(
            "the system's limit of open files is below what connections asks for; raise it (ulimit -n, LimitNOFILE=)",
            metadata: ["limit": "\(limit)", "connections": "\(room)"])
        return room
    }

    /// The limit that holds now.
    private static func raise(to wanted: Int) -> Int {
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        var limits = rlimit()
        guard getrlimit(kind, &limits) == 0 else { return wanted }
        if limits.rlim_cur < rlim_t(wanted) {
            limits.rlim_cur = min(rlim_t(wanted), limits.rlim_max)
            setrlimit(kind, &limits)
            getrlimit(kind, &limits)
        }
        return Int(clamping: limits.rlim_cur)
    }
}
