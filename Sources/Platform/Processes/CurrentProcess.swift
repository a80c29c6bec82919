// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// This process.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    package static func exit(_ code: Int32) -> Never { endProcess(code) }

    /// Forbids core dumps, which would contain its memory.
    package static func forbidCoreDumps() {
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        #else
            let kind = RLIMIT_CORE
        #endif
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(kind, &none)
    }

    /// Raises the limit of open files towards `wanted` and returns the limit that applies now.
    package static func raiseFileLimit(to wanted: Int) -> Int {
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

    /// Replaces the program of this process; returns only if that fails (execv(3)). No signal is blocked in
    /// the new program.
    ///
    /// - Parameter arguments: With the program's name first.
    package static func execute(_ path: String, _ arguments: [String]) -> PlatformError {
        // Threads of Dispatch block signals, and a program inherits that of its thread.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        return withCStrings(arguments) { arguments in
            execv(path, arguments)
            return .last("execv", path)
        }
    }
}

/// Lends strings as C has them, with a null pointer after the last.
package func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    var copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
        // Never empty: the null pointer is there.
        body(buffer.baseAddress.unsafelyUnwrapped)
    }
}

private let endProcess: @Sendable (Int32) -> Never = { exit($0) }
