// SPDX-License-Identifier: Apache-2.0
package import PlatformSSO
package import Primitives

/// The keys of a device, and what its extension said of the provider.
package struct DeviceRecord: Sendable, Equatable {
    /// Saved before the extension or the provider receives them.
    package var signing: AgentKey
    package var encryption: AgentKey
    package var managed = ManagedKeys()
    package var configuration: LoginConfiguration?
    package var registeredAt: Timestamp?
    /// When the provider was last notified that the device leaves; it may have received that.
    package var leavingSince: Timestamp?

    package init(signing: AgentKey, encryption: AgentKey) {
        self.signing = signing
        self.encryption = encryption
    }

    var isLeaving: Bool { leavingSince != nil }

    var identity: DeviceIdentity {
        DeviceIdentity(
            signing: signing.publicKey, encryption: encryption.publicKey,
            certificates: managed.certificates[.deviceSigning].map { [$0] } ?? [])
    }
}
