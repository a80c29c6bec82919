// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An opened security key.
package final class SecurityKey: Sendable {
    package let description: AuthenticatorDescription
    let transport: any AuthenticatorTransport
    private let latestInfo: Mutex<AuthenticatorInfo?>

    /// The capabilities of the key; `nil` if it supports only U2F.
    package var info: AuthenticatorInfo? { latestInfo.withLock { $0 } }

    /// The time limit of commands without a gesture.
    static let commandLimit: Duration = .seconds(10)
    /// The time limit of commands with a gesture. Most keys time out after 30 seconds.
    static let gestureLimit: Duration = .seconds(120)

    private init(
        _ description: AuthenticatorDescription, _ transport: any AuthenticatorTransport,
        _ info: AuthenticatorInfo?
    ) {
        self.description = description
        self.transport = transport
        latestInfo = Mutex(info)
    }

    deinit { transport.close() }

    /// Opens a key and reads its capabilities.
    package static func open(
        _ device: any AuthenticatorDevice
    ) async throws(SecurityKeyError) -> SecurityKey {
        let transport: any AuthenticatorTransport
        do { transport = try await device.open() } catch { throw SecurityKeyError(error) }
        let key = SecurityKey(device.description, transport, nil)
        guard transport.speaksCTAP2 else {
            guard transport.speaksU2F else { throw .unsupported("a protocol that is known") }
            return key
        }
        do { try await key.refreshInfo() } catch {
            // Some U2F keys announce CTAP2 and support none of its commands.
            guard case .unsupported = error, transport.speaksU2F else { throw error }
        }
        return key
    }

    package func close() { transport.close() }

    /// Closes the key, and returns when the next ceremony can open it.
    func closed() async { await transport.closed() }

    /// Reads the capabilities again after a change.
    package func refreshInfo() async throws(SecurityKeyError) {
        let reply = try await send(.getInfo)
        let info = try Self.read { () throws(CTAPMessageError) in
            try AuthenticatorInfo(cbor: reply)
        }
        latestInfo.withLock { $0 = info }
    }

    /// Returns the capabilities of a key that supports CTAP2.
    func requireInfo() throws(SecurityKeyError) -> AuthenticatorInfo {
        guard let info else { throw .unsupported("CTAP2, but only the older U2F") }
        return info
    }

    /// Sends a request. Returns the reply without its status byte, or throws the error of the
    /// status.
    func send(
        _ request: CTAPRequest, limit: Duration = SecurityKey.commandLimit,
        keepalive: @escaping @Sendable (CTAPHIDKeepalive) -> Void = { _ in }
    ) async throws(SecurityKeyError) -> [UInt8] {
        let frame = request.frame()
        let messageLimit = latestInfo.withLock { $0?.messageLimit }
        if let messageLimit, frame.count > messageLimit { throw .requestTooLarge }
        let reply: [UInt8]
        do {
            reply = try await transport.exchange(.ctap2(frame), limit: limit, keepalive: keepalive)
        } catch { throw SecurityKeyError(error) }
        guard let status = reply.first else { throw .untrustworthyReply("an empty reply") }
        guard status == CTAPStatus.ok.rawValue else {
            throw SecurityKeyError(CTAPStatus(rawValue: status))
        }
        return Array(reply.dropFirst())
    }

    /// Decodes a reply. An invalid reply means that the key is not trustworthy.
    static func read<Value>(
        _ body: () throws(CTAPMessageError) -> Value
    ) throws(SecurityKeyError) -> Value {
        do { return try body() } catch {
            throw .untrustworthyReply("not the reply of its command: \(error)")
        }
    }
}
