// SPDX-License-Identifier: Apache-2.0

/// The reply to `CTAPHID_INIT` (CTAP 2.1 section 11.2.9.1.3): 17 bytes.
package struct CTAPHIDInitialization: Sendable, Equatable {
    /// Length of the nonce in bytes.
    package static let nonceLength = 8
    /// The version of the protocol that this is.
    package static let protocolVersion: UInt8 = 2

    /// The client's eight bytes, by which it identifies the reply.
    package var nonce: [UInt8]
    package var channel: CTAPHIDChannel
    package var protocolVersion: UInt8 = CTAPHIDInitialization.protocolVersion
    /// Major, minor and build number of the key.
    package var deviceVersion: [UInt8]
    package var capabilities: CTAPHIDCapabilities

    package init(
        nonce: [UInt8], channel: CTAPHIDChannel, deviceVersion: [UInt8],
        capabilities: CTAPHIDCapabilities
    ) {
        self.nonce = nonce
        self.channel = channel
        self.deviceVersion = deviceVersion
        self.capabilities = capabilities
    }

    /// Decodes a reply. A longer one belongs to a later version, whose additions are ignored.
    package init?(_ payload: some Collection<UInt8>) {
        let bytes = Array(payload)
        guard bytes.count >= 17 else { return nil }
        nonce = Array(bytes.prefix(8))
        let number = bytes[8..<12].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        channel = CTAPHIDChannel(rawValue: number)
        protocolVersion = bytes[12]
        deviceVersion = Array(bytes[13..<16])
        capabilities = CTAPHIDCapabilities(rawValue: bytes[16])
    }

    package var payload: [UInt8] {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: channel.rawValue >> (24 - 8 * $0)) }
        return nonce + number + [protocolVersion] + deviceVersion + [capabilities.rawValue]
    }
}
