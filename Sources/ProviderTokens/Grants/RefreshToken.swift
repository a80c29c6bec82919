// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

/// A refresh token. It contains its grant, its generation in the token family, an optional key
/// thumbprint, and a keyed hash of them. It is not stored. The hash includes the client, so the
/// token is invalid for other clients.
package struct RefreshToken: Sendable, Equatable {
    package let grant: Identifier<Grant>
    /// At least 1.
    package let generation: Int64
    /// The thumbprint (RFC 7638) of the key that the token is bound to, in base64url (RFC 9449
    /// section 5); `nil` for none.
    package let confirmation: String?

    package init(grant: Identifier<Grant>, generation: Int64, confirmation: String? = nil) {
        self.grant = grant
        self.generation = generation
        self.confirmation = confirmation
    }

    /// The grace period in which the previous token receives the same successor again, because the
    /// response may have been lost.
    ///
    /// A token that is bound to a key is useless for an attacker who copies it, and would not have
    /// to rotate (RFC 9700 section 4.14.2). Its app may be terminated before it has saved a
    /// response, and start again days later. Therefore its grace period is the idle lifetime of
    /// refresh tokens.
    func grace(_ policy: ProjectPolicy) -> TimeSpan {
        .seconds(confirmation == nil ? policy.refreshGrace : policy.refreshTokenIdleLifetime)
    }

    private static let prefix = "gr."
    /// The prefix of a token that is bound to a key.
    private static let keyPrefix = "gk."
    /// The prefix of a token that is bound to a device.
    private static let devicePrefix = "gd."
    private static let tagLength = 32

    /// `gr.` + base64url(grant 16 ‖ generation 8 big-endian ‖ HMAC-SHA256 32); with a key `gk.`,
    /// and its thumbprint (32) before the hash.
    package func text(for client: Identifier<Client>, secrets: DerivedKeys) -> String {
        (confirmation == nil ? Self.prefix : Self.keyPrefix)
            + Base64URL.encode(body + tag(for: client, secrets: secrets))
    }

    /// The text of a token that is bound to a device: `gd.`, and the hash includes the device.
    package func text(
        for client: Identifier<Client>, on device: Identifier<Device>, secrets: DerivedKeys
    ) -> String {
        Self.devicePrefix
            + Base64URL.encode(body + tag(for: client, on: device, secrets: secrets))
    }

    /// Verifies a token. Returns `nil` unless this installation issued it for this client. The
    /// caller must verify ``confirmation``.
    ///
    /// - Parameter device: the device that the token must be bound to; `nil` for none.
    package init?(
        _ text: String, for client: Identifier<Client>, on device: Identifier<Device>? = nil,
        secrets: DerivedKeys
    ) {
        let isOfKey = device == nil && text.hasPrefix(Self.keyPrefix)
        let length = 24 + (isOfKey ? 32 : 0) + Self.tagLength
        let prefix =
            device != nil ? Self.devicePrefix : isOfKey ? Self.keyPrefix : Self.prefix
        guard text.utf8.count == 3 + (length * 4 + 2) / 3, text.hasPrefix(prefix),
            let bytes = Base64URL.decode(text.dropFirst(3)), bytes.count == length,
            let grant = Identifier<Grant>(bytes: Array(bytes[..<16]))
        else { return nil }
        let generation = bytes[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(
            grant: grant, generation: Int64(clamping: generation),
            confirmation: isOfKey ? Base64URL.encode(Array(bytes[24..<56])) : nil)
        guard generation > 0, generation < UInt64(Int64.max),
            ConstantTime.equal(
                bytes[(length - Self.tagLength)...],
                tag(for: client, on: device, secrets: secrets))
        else { return nil }
    }

    private var body: [UInt8] {
        grant.bytes + withUnsafeBytes(of: UInt64(clamping: generation).bigEndian) { Array($0) }
            + (confirmation.flatMap { Base64URL.decode($0) } ?? [])
    }

    private func tag(
        for client: Identifier<Client>, on device: Identifier<Device>? = nil,
        secrets: DerivedKeys
    ) -> [UInt8] {
        let kind =
            device != nil ? "refresh/device" : confirmation != nil ? "refresh/key" : "refresh"
        return secrets.hash(
            Array(kind.utf8) + body + client.bytes + (device?.bytes ?? []), for: .refreshToken)
    }
}
