// SPDX-License-Identifier: Apache-2.0
package import CTAP
import Platform
package import Primitives

/// Our client and our software key at the two ends of a socket pair that stays open, with every
/// byte of CTAPHID between them.
package struct SocketPair: Sendable {
    /// Where the client waits.
    package let thread: AuthenticatorThread
    package let client: SecurityKeyClient
    package let key: SoftwareAuthenticator
    private let transport: HIDTransport
    private let served: ServedSecurityKey

    package init(
        interaction: any SecurityKeyInteraction, clock: any WallClock, random: any RandomSource
    ) async throws {
        let (near, far) = try UnixSocket.pair()
        key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: clock,
            random: random)
        served = try EmulatedSecurityKey(key, random: random)
            .serve(on: .connection(file: far.rawValue, packets: false))
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

    /// Lets go of both ends, and returns when nothing is left of them.
    package func close() async {
        await transport.closed()
        served.stop()
        await served.waitForEnd()
    }
}
