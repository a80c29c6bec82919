// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A software authenticator of this very process, as a device that clients can open.
package struct AuthenticatorInProcess: AuthenticatorDevice {
    package let description: AuthenticatorDescription
    private let authenticator: SoftwareAuthenticator

    package init(_ authenticator: SoftwareAuthenticator, name: String) {
        self.authenticator = authenticator
        description = AuthenticatorDescription(id: name, kind: .stream, name: name)
    }

    package func open() async throws(TransportError) -> any AuthenticatorTransport {
        CallTransport(authenticator)
    }
}

/// A transport that calls the authenticator, which limits the time and prompts the person itself.
private final class CallTransport: AuthenticatorTransport {
    let speaksCTAP2 = true
    let speaksU2F = false
    private let authenticator: SoftwareAuthenticator
    private let running = Mutex<Task<[UInt8], Never>?>(nil)

    init(_ authenticator: SoftwareAuthenticator) { self.authenticator = authenticator }

    func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        guard case .ctap2(let frame) = message else {
            throw .protocolViolation("U2F is not spoken here")
        }
        let task = Task { await authenticator.respond(to: frame) }
        running.withLock { $0 = task }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func cancel() { running.withLock { $0 }?.cancel() }

    func close() { cancel() }
}
