// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
package import Primitives
package import ProviderCore
import Storage

/// Issues the nonces for requests of devices (Apple "Obtaining a server nonce").
///
/// A nonce contains its issuance time and a keyed hash, so that issuing stores nothing, even if
/// many devices wake at once. Consuming it inserts a row, which succeeds once. A device may have
/// any number of nonces at once.
package struct PlatformSSONonceIssuer: Sendable {
    private let provider: Provider
    private let project: Identifier<Project>

    package init(_ provider: Provider, of tenant: Tenant) {
        self.provider = provider
        project = tenant.project.id
    }

    package static let lifetime = TimeSpan.minutes(5)
    /// Allowed clock skew between two servers of a project.
    private static let leeway = TimeSpan.seconds(60)
    private static let tagLength = 16

    /// A nonce of 54 characters.
    package func make(now: Timestamp) -> String {
        let time = withUnsafeBytes(of: UInt64(clamping: now.milliseconds).bigEndian) { Array($0) }
        let body = time + provider.random.bytes(16)
        return Base64URL.encode(body + tag(of: body))
    }

    /// Consumes the nonce. Returns `true` once for each valid nonce.
    package func consume(_ nonce: String, now: Timestamp) async throws -> Bool {
        guard let use = use(of: nonce, now: now) else { return false }
        return try await provider.store.challenges.markUsed(use.mark, expiresAt: use.expiresAt)
    }

    /// The one-time identifier of a nonce, for callers that consume it in the transaction of a
    /// change; `nil` if the nonce is invalid or expired.
    func use(of nonce: String, now: Timestamp) -> OneTimeUse? {
        guard nonce.utf8.count == 54, let bytes = Base64URL.decode(nonce), bytes.count == 40,
            ConstantTime.equal(bytes[24...], tag(of: Array(bytes[..<24])))
        else { return nil }
        let milliseconds = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let made = Timestamp(milliseconds: Int64(clamping: milliseconds))
        guard made <= now + Self.leeway, now < made + Self.lifetime else { return nil }
        return OneTimeUse(OneTimeIdentifier(.deviceNonce, key: bytes), until: made + Self.lifetime)
    }

    private func tag(of body: [UInt8]) -> ArraySlice<UInt8> {
        provider.secrets.hash(project.bytes + body, for: .deviceNonce).prefix(Self.tagLength)
    }
}
