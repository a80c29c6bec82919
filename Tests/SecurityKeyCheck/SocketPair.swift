// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Our client and our software key at the two ends of a socket pair, with every byte of CTAPHID
/// between them, and a relying party that verifies what comes out.
struct SocketPair {
    struct Failure: Error {}

    private let client: SecurityKeyClient
    private let served: ServedSecurityKey

    init() async throws {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Failure() }
        let random = SystemRandomSource()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(),
            clock: SystemWallClock(), random: random)
        served = try EmulatedSecurityKey(key, random: random)
            .serve(on: .connection(file: ends[0], packets: false))
        let transport = try await HIDTransport(
            FileReportStream(
                descriptor: ends[1], framing: .plain, clock: SystemMonotonicClock()),
            random: random)
        client = SecurityKeyClient(
            source: FixedAuthenticators([OpenKey(transport: transport)]),
            interaction: Unattended(), random: random)
    }

    /// Prints `{"pairs": COUNT, "seconds": …}`.
    func measure(_ count: Int) async throws {
        let site = Site(verifiesPeople: false)
        try await pair(site)
        let clock = ContinuousClock()
        let start = clock.now
        // As python-fido2's: the relying party on the thread that waits for the key.
        try await withTaskExecutorPreference(AuthenticatorThread.ofClients().tasks) {
            for _ in 0..<count { try await pair(site) }
        }
        LineOutput.say("{\"pairs\": \(count), \"seconds\": \((clock.now - start) / .seconds(1))}")
        served.stop()
        await served.ended()
    }

    private func pair(_ site: Site) async throws {
        let registered = try await site.register(client)
        try await site.signIn(client, registered.credential)
    }
}

/// A key that stays connected from one ceremony to the next, as python-fido2's does. Its
/// information is asked for anew each time all the same.
private struct OpenKey: AuthenticatorDevice {
    let description = AuthenticatorDescription(id: "pair", kind: .stream, name: "socket pair")
    let transport: HIDTransport

    func open() async throws(TransportError) -> any AuthenticatorTransport {
        KeptTransport(transport: transport)
    }
}

private struct KeptTransport: AuthenticatorTransport {
    let transport: HIDTransport
    var speaksCTAP2: Bool { transport.speaksCTAP2 }
    var speaksU2F: Bool { transport.speaksU2F }

    func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        try await transport.exchange(message, limit: limit, keepalive: keepalive)
    }

    func cancel() { transport.cancel() }
    func close() {}
}
