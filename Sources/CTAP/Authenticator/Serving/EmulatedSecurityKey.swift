// SPDX-License-Identifier: Apache-2.0
package import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A software key that other programs can use, as they use a key on a USB port.
///
///     let key = try await EmulatedSecurityKey.open(
///         storeAt: path, vault: KeyFileVault(path: path + ".key"), gesture: AutomaticGesture(),
///         clock: SystemWallClock(), random: SystemRandomSource())
///     let served = try key.serve(on: .pty)
///     print(served.path)          // what fido2-token, fido2-cred, … take as the device
///     await served.ended()        // after served.stop(), from a signal handler for example
package struct EmulatedSecurityKey: Sendable {
    /// Where the key is served.
    package enum Endpoint: Sendable {
        /// A new pseudo-terminal. Its path stands for the device.
        case pty
        /// One end of a socket pair: `SOCK_SEQPACKET` when `packets`, else `SOCK_STREAM`. The
        /// service closes it.
        case connection(file: Int32, packets: Bool)
    }

    package let authenticator: SoftwareAuthenticator
    private let random: any RandomSource

    package init(_ authenticator: SoftwareAuthenticator, random: any RandomSource) {
        self.authenticator = authenticator
        self.random = random
    }

    /// Opens the key in the file, or makes a new one there. What blocks runs on a thread of its
    /// own.
    package static func open(
        storeAt path: String, vault: some KeyVault,
        configuration: AuthenticatorConfiguration = AuthenticatorConfiguration(),
        gesture: any UserGesture, clock: any WallClock, random: any RandomSource
    ) async throws(AuthenticatorStoreError) -> EmulatedSecurityKey {
        let result: Result<EmulatedSecurityKey, AuthenticatorStoreError> =
            await withCheckedContinuation { waiter in
                BackgroundThread.start(niceness: 0) {
                    waiter.resume(
                        returning: Result { () throws(AuthenticatorStoreError) in
                            let authenticator = try SoftwareAuthenticator(
                                store: SealedFileStore(path: path, vault: vault, random: random),
                                configuration: configuration, gesture: gesture, clock: clock,
                                random: random)
                            return EmulatedSecurityKey(authenticator, random: random)
                        })
                }
            }
        return try result.get()
    }

    /// Serves the key until ``ServedSecurityKey/stop()`` or the other side's end.
    package func serve(on endpoint: Endpoint) throws(ServingError) -> ServedSecurityKey {
        let service = try ReportService(authenticator, random: random)
        switch endpoint {
        case .pty:
            let terminal = try PseudoTerminal()
            service.start(ReportPort(terminal))
            return ServedSecurityKey(path: terminal.path, service: service)
        case .connection(let file, let packets):
            service.start(ReportPort(file: file, framing: packets ? .packets : .plain))
            return ServedSecurityKey(path: nil, service: service)
        }
    }
}

/// A software key while it is served.
package struct ServedSecurityKey: Sendable {
    /// The device path of a pty.
    package let path: String?
    let service: ReportService

    /// Ends the service. The store stays open as long as the authenticator lives.
    package func stop() { service.stop() }

    /// Waits for the end of the service.
    package func ended() async { await service.ended() }
}
