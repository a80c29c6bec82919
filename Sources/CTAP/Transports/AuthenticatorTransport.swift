// SPDX-License-Identifier: Apache-2.0

/// An open connection to one authenticator.
///
/// Messages of all callers are processed in sequence. No method blocks a thread of the cooperative
/// pool.
package protocol AuthenticatorTransport: Sendable {
    var speaksCTAP2: Bool { get }
    var speaksU2F: Bool { get }

    /// The reply to a message: for CTAP2 a status byte with what follows it, for U2F the response
    /// data with its status word. Cancelling the task cancels the operation on the authenticator.
    ///
    /// - Parameters:
    ///   - limit: How long the whole exchange may take, however often the authenticator says that
    ///     it is still at work.
    ///   - keepalive: Called when the authenticator says what it is waiting for.
    func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8]

    /// Ends the exchange that is running, if one is. Its caller gets the reply that the
    /// authenticator gives to that, or ``TransportError/cancelled``.
    func cancel()

    /// Lets go of the device. What is sent afterwards fails with ``TransportError/closed``.
    func close()

    /// Lets go of the device, and returns when it has: it can then be opened again at once.
    func closed() async
}

extension AuthenticatorTransport {
    package func closed() async { close() }
}
