// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that runs one closure and ends with it. Calls that block must not use a thread of the
/// cooperative pool.
package enum BackgroundThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread with the given niceness (0 to 19).
    ///
    /// - Parameter stackSize: In bytes; `nil` for the system's default.
    package static func start(
        niceness: Int32, stackSize: Int? = nil, _ run: @escaping @Sendable () -> Void
    ) throws(PlatformError) {
        let body = Unmanaged.passRetained(
            Body {
                lowerPriority(to: niceness)
                run()
            })
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, numericCast(PTHREAD_CREATE_DETACHED))
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, &attributes, BackgroundThread.enter, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw PlatformError("pthread_create", code: Errno(rawValue: code))
        }
    }

    #if canImport(Darwin)
        private typealias Argument = UnsafeMutableRawPointer
    #else
        private typealias Argument = UnsafeMutableRawPointer?
    #endif

    private static let enter: @convention(c) (Argument) -> UnsafeMutableRawPointer? = { argument in
        let pointer: UnsafeMutableRawPointer? = argument
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
    }

    /// On Linux niceness belongs to the thread: 0 names the caller (setpriority(2), notes).
    private static func lowerPriority(to niceness: Int32) {
        #if os(Linux)
            // PRIO_PROCESS, whose Swift type differs between the C libraries. A failure costs
            // fairness only.
            let process: Int32 = 0
            _ = setpriority(process, 0, min(max(niceness, 0), 19))
        #endif
    }
}
