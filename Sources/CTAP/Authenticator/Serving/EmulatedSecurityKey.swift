// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

/// A software key that other programs can use, as they use a key on a USB port.
///
///     let key = try await EmulatedSecurityKey.open(
///         storeAt: path, vault: KeyFileProtector(path: path + ".key"), gesture: AutomaticGesture(),
///         clock: SystemWallClock(), random: SystemRandomSource())
///     let served = try key.serve(on: .pty)
///     print(served.path)          // what fido2-token, fido2-cred, … take as the device
///     await served.ended()        // after served.stop(), from a signal handler for example
package struct EmulatedSecurityKey: Sendable {
    /// The endpoint that clients connect to.
    package enum Endpoint: Sendable {
        /// A new pseudo-terminal. Clients use its path as the device.
        case pty
        /// A new Unix socket at this path, which only its owner may connect to: `SOCK_SEQPACKET`
        /// where the system has it, one report in each packet.
        case socket(path: String)
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
        storeAt path: String, vault: some KeyProtector,
        configuration: AuthenticatorConfiguration = AuthenticatorConfiguration(),
        hardware: (any CredentialHardware)? = nil,
        gesture: any UserGesture, clock: any WallClock, random: any RandomSource
    ) async throws(AuthenticatorStoreError) -> EmulatedSecurityKey {
        let result: Result<EmulatedSecurityKey, AuthenticatorStoreError> =
            await withCheckedContinuation { waiter in
                do throws(PlatformError) {
                    try BackgroundThread.start(niceness: 0) {
                        waiter.resume(
                            returning: Result { () throws(AuthenticatorStoreError) in
                                let authenticator = try SoftwareAuthenticator(
                                    store: SealedFileStore(
                                        path: path, vault: vault, random: random),
                                    configuration: configuration, hardware: hardware,
                                    gesture: gesture, clock: clock, random: random)
                                return EmulatedSecurityKey(authenticator, random: random)
                            })
                    }
                } catch { waiter.resume(returning: .failure(.init(error))) }
            }
        return try result.get()
    }

    /// Serves the key until ``ServedSecurityKey/stop()`` or, but for a socket, the other side's
    /// end.
    package func serve(on endpoint: Endpoint) throws(ServingError) -> ServedSecurityKey {
        switch endpoint {
        case .socket(let path):
            let listener = try ReportListener(authenticator, path: path, random: random)
            return ServedSecurityKey(path: path, service: listener)
        case .pty:
            let service = try ReportService(authenticator, random: random)
            let terminal = try PseudoTerminal()
            service.start(ReportPort(terminal))
            return ServedSecurityKey(path: terminal.path, service: service)
        case .connection(let file, let packets):
            let service = try ReportService(authenticator, random: random)
            service.start(
                ReportPort(file: Descriptor(rawValue: file), framing: packets ? .packets : .plain))
            return ServedSecurityKey(path: nil, service: service)
        }
    }
}
