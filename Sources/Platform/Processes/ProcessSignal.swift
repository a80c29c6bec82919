// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A signal (signal(7)).
package struct ProcessSignal: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let hangUp = ProcessSignal(rawValue: SIGHUP)
    package static let kill = ProcessSignal(rawValue: SIGKILL)
    package static let terminate = ProcessSignal(rawValue: SIGTERM)

    /// - Parameter process: Negative for all processes of a group.
    package func send(to process: Int32) { _ = sendSignal(process, rawValue) }

    /// Whether this process ignores the signal, as `nohup` has it ignore ``hangUp``.
    package var isIgnored: Bool {
        var action = sigaction()
        sigaction(rawValue, nil, &action)
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
            let handler = action.__sa_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        // SIG_IGN is the address 1.
        return unsafeBitCast(handler, to: Int.self) == 1
    }
}

private let sendSignal: @Sendable (Int32, Int32) -> Int32 = { kill($0, $1) }
