// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PlatformSSO
import Primitives

/// What the key service agreed on for one sealed secret, kept so that it opens within the grace period
/// while the provider is away.
package struct CachedKeyAgreement: Sendable, Equatable {
    /// How many are kept for a person; the oldest goes first.
    static let greatestCount = 16

    /// SHA-256 of the sealed secret's own public half, by which it is found.
    let name: [UInt8]
    let agreed: Secret

    init(_ agreed: Secret, for sealed: SealedSecret) {
        self.agreed = agreed
        name = Self.name(of: sealed)
    }

    static func name(of sealed: SealedSecret) -> [UInt8] {
        Array(SHA256.hash(data: sealed.ephemeral.x963 ?? []))
    }

    /// To be sealed before it is stored.
    var json: JSONValue {
        [
            "name": .string(Base64URL.encode(name)),
            "agreed": .string(Base64URL.encode(agreed.reveal())),
        ]
    }

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.string.flatMap({ Base64URL.decode($0) }),
            var bytes = value["agreed"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        self.name = name
        agreed = Secret(wiping: &bytes)
    }
}
