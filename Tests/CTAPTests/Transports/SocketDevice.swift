import CTAP
import Glibc
// SPDX-License-Identifier: Apache-2.0
import Platform
import Support
import Testing

/// A software key at the other end of a socket pair, opened as any device is.
struct SocketDevice: AuthenticatorDevice {
    let description = AuthenticatorDescription(id: "socket", kind: .stream, name: "socket")
    let authenticator: SoftwareAuthenticator
    private let descriptor: Int32
    private let limits: HIDConnection.Limits

    /// - Parameter silence: In milliseconds.
    init(_ authenticator: SoftwareAuthenticator, silence: Int64 = 5000) throws {
        self.authenticator = authenticator
        var ends: [Int32] = [-1, -1]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
                == 0)
        descriptor = ends[0]
        _ = try EmulatedSecurityKey(authenticator, random: SeededRandom(seed: 3))
            .serve(on: .connection(file: ends[1], packets: true))
        var limits = HIDConnection.Limits()
        limits.silence = silence
        limits.initialization = silence
        limits.cancellation = min(silence, 1000)
        self.limits = limits
    }

    init(
        _ misbehaviour: FaultInjection, silence: Int64 = 60_000,
        gesture: any UserGesture = AutomaticGesture()
    ) throws {
        var configuration = AuthenticatorConfiguration()
        configuration.misbehaviour = [misbehaviour]
        try self.init(
            try SoftwareAuthenticator(
                store: MemoryAuthenticatorStore(), configuration: configuration,
                gesture: gesture, clock: ManualClock(), random: SeededRandom()),
            silence: silence)
    }

    func open() async throws(TransportError) -> any AuthenticatorTransport {
        let clock = SystemMonotonicClock()
        let stream = try FileReportStream(
            descriptor: Descriptor(rawValue: descriptor), framing: .plain, clock: clock)
        return try await HIDTransport(
            stream, clock: clock, random: SeededRandom(seed: 9), limits: limits)
    }
}
