// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// A refresh token names its grant and its place in the family, and for some the key that it is
/// bound to, under a keyed hash; nothing of it is stored. The hash covers the client too, so in
/// another client's hands it is no token at all.
package struct RefreshToken: Sendable, Equatable {
    package let grant: Identifier<Grant>
    /// At least 1.
    package let generation: Int64
    /// The thumbprint (RFC 7638) of the key without which it is of no use, in base64url: RFC 9449
    /// section 5. `nil` for none.
    package let confirmation: String?

    package init(grant: Identifier<Grant>, generation: Int64, confirmation: String? = nil) {
        self.grant = grant
        self.generation = generation
        self.confirmation = confirmation
    }

    /// How long after a rotation the token before still gets its successor, which stays the same
    /// until it is used: the answer may have been lost.
    ///
    /// One that is bound to a key is worth nothing to whoever has copied it, and need not rotate at
    /// all (RFC 9700 section 4.14.2). So its app may wait for an answer, be ended before it could
    /// write what came, and be opened again next week: it gets the successor for as long as that
    /// itself may lie unused.
    func grace(_ policy: ProjectPolicy) -> TimeSpan {
        .seconds(confirmation == nil ? policy.refreshGrace : policy.refreshTokenIdleLifetime)
    }

    private static let prefix = "gr."
    /// Of one that is bound to a key.
    private static let keyPrefix = "gk."
    /// Of one that is bound to a device.
    private static let devicePrefix = "gd."
    private static let tagLength = 32

    /// `gr.` + base64url(grant 16 ‖ generation 8 big-endian ‖ HMAC-SHA256 32); with a key `gk.`,
    /// and its thumbprint (32) before the hash.
    package func text(for client: Identifier<Client>, secrets: DerivedKeys) -> String {
        (confirmation == nil ? Self.prefix : Self.keyPrefix)
            + Base64URL.encode(body + tag(for: client, secrets: secrets))
    }

    /// The same for a device: `gd.`, and the hash covers the device as well.
    package func text(
        for client: Identifier<Client>, on device: Identifier<Device>, secrets: DerivedKeys
    ) -> String {
        Self.devicePrefix
            + Base64URL.encode(body + tag(for: client, on: device, secrets: secrets))
    }

    /// `nil` for everything that this installation did not make for this client. Whoever takes one
    /// looks at ``confirmation``.
    ///
    /// - Parameter device: to which it must be bound; `nil` for none.
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
