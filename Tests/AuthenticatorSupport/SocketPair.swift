// SPDX-License-Identifier: Apache-2.0
package import CTAP
package import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Our client and our software key at the two ends of a socket pair that stays open, with every
/// byte of CTAPHID between them.
package struct SocketPair: Sendable {
    package struct Refused: Error {
        package let code: Int32
    }

    /// Where the client waits.
    package let thread: AuthenticatorThread
    package let client: SecurityKeyClient
    package let key: SoftwareAuthenticator
    private let transport: HIDTransport
    private let served: ServedSecurityKey

    package init(
        interaction: any SecurityKeyInteraction, clock: any WallClock, random: any RandomSource
    ) async throws {
        let (near, far) = try Self.ends()
        key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: clock,
            random: random)
        served = try EmulatedSecurityKey(key, random: random)
            .serve(on: .connection(file: far, packets: false))
        thread = try AuthenticatorThread()
        transport = try await HIDTransport(
            FileReportStream(
                descriptor: near, framing: .plain, clock: SystemMonotonicClock(),
                thread: thread),
            random: random, thread: thread)
        client = SecurityKeyClient(
            source: FixedAuthenticators([KeptAuthenticator(transport)]),
            interaction: interaction, random: random, thread: thread)
    }

    private static func ends() throws(Refused) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Refused(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Lets go of both ends, and returns when nothing is left of them.
    package func close() async {
        await transport.closed()
        served.stop()
        await served.ended()
    }
}
