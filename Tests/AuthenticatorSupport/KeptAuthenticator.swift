// SPDX-License-Identifier: Apache-2.0
package import CTAP

/// A key that stays connected between ceremonies. Its information is still requested in each.
package struct KeptAuthenticator: AuthenticatorDevice {
    package let description = AuthenticatorDescription(id: "kept", kind: .stream, name: "kept")
    private let transport: HIDTransport

    package init(_ transport: HIDTransport) { self.transport = transport }

    package func open() async throws(TransportError) -> any AuthenticatorTransport {
        KeptTransport(transport: transport)
    }
}

/// A transport that stays open after a `close`.
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
