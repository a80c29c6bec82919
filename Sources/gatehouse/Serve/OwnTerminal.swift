// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal that a person started the process in; a service has none.
///
/// The system says with SIGHUP that a terminal was closed, and services are told with the same signal to read
/// their configuration again. What has become of the terminal tells them apart.
final class OwnTerminal: Sendable {
    private let terminal: Int32

    /// `nil` for a service, and for a process that is to outlive its terminal (`nohup`): it ignores SIGHUP.
    init?() {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
            let handler = action.__sa_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        // SIG_IGN is the address 1.
        guard unsafeBitCast(handler, to: Int.self) != 1 else { return nil }
        terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        if terminal < 0 { return nil }
    }

    deinit { if terminal >= 0 { close(terminal) } }

    var isClosed: Bool {
        var question = pollfd(fd: terminal, events: 0, revents: 0)
        return poll(&question, 1, 0) > 0 && question.revents & Int16(POLLHUP) != 0
    }
}
