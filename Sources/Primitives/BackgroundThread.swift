// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that runs one closure and ends with it: for calls that block, which must not take a
/// thread of the cooperative pool.
package enum BackgroundThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread with the given niceness (0 to 19).
    package static func start(niceness: Int32, _ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(
            Body {
                lowerPriority(to: niceness)
                run()
            })
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(&thread, nil, BackgroundThread.enter, body.toOpaque())
            if let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let status = pthread_create(&thread, nil, BackgroundThread.enter, body.toOpaque())
            if status == 0 { pthread_detach(thread) }
        #endif
        // Without a thread at start-up there is no point in going on.
        precondition(status == 0, "the system refuses to start a thread")
    }

    #if canImport(Darwin)
        private static let enter:
            @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
                Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
                return nil
            }
    #else
        private static let enter:
            @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
                {
                    guard let pointer = $0 else { return nil }
                    Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                    return nil
                }
    #endif

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
