// SPDX-License-Identifier: Apache-2.0

/// An open connection to one authenticator.
///
/// Messages of all callers are processed in sequence. No method blocks a thread of the cooperative
/// pool.
package protocol AuthenticatorTransport: Sendable {
    var speaksCTAP2: Bool { get }
    var speaksU2F: Bool { get }

    /// Returns the reply to a message: for CTAP2 a status byte and its data, for U2F the response
    /// data with its status word. Cancelling the task cancels the operation on the authenticator.
    ///
    /// - Parameters:
    ///   - limit: The time limit of the whole exchange, including all keep-alives.
    ///   - keepalive: A closure that receives the status of each keep-alive.
    func exchange(
        _ message: AuthenticatorMessage, limit: Duration,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8]

    /// Cancels the current exchange. Its caller receives the reply of the authenticator to the
    /// cancellation, or ``TransportError/cancelled``.
    func cancel()

    /// Releases the device. Later messages fail with ``TransportError/closed``.
    func close()

    /// Releases the device, and returns when another program can open it.
    func closed() async
}

extension AuthenticatorTransport {
    package func closed() async { close() }
}
