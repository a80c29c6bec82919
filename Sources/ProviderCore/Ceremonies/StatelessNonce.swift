// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
package import JOSE
package import Primitives
package import Storage

/// Nonces that are not stored until they are consumed: they contain their expiry and a keyed hash,
/// bound to project and purpose. The transaction that uses a nonce consumes it.
package struct StatelessNonce: Sendable {
    package enum Purpose: Sendable {
        case registration(AppRegistrationMethod)
        case signIn
        case pin
        case authenticator
        /// For DPoP proofs, which do not consume it.
        case proof

        fileprivate var text: String {
            switch self {
            case .registration(let method): "registration/\(method.rawValue)"
            case .signIn: "sign-in"
            case .pin: "pin"
            case .authenticator: "authenticator"
            case .proof: "proof"
            }
        }
    }

    /// A valid nonce of this provider for the purpose. Only ``check(_:)`` creates it.
    package struct Genuine: Sendable {
        package let text: String
        /// The one-time identifier that its use consumes.
        package let use: OneTimeUse

        fileprivate init(text: String, use: OneTimeUse) {
            self.text = text
            self.use = use
        }
    }

    /// Lifetime in seconds.
    package static let lifetime: Int64 = 300

    private let purpose: Purpose
    private let provider: Provider
    private let tenant: Tenant
    private let now: Timestamp

    package init(
        for purpose: Purpose, of tenant: Tenant, in provider: Provider, now: Timestamp
    ) {
        self.purpose = purpose
        self.provider = provider
        self.tenant = tenant
        self.now = now
    }

    /// Issues a nonce: 6 bytes of time, 10 random bytes and 16 bytes of hash, in base64url. It has
    /// the length of the nonces of the PIN protocol, so that a registration with a PIN needs only
    /// one.
    ///
    /// - Parameter pin: The PIN policy for the device that receives the nonce, if it can set a PIN.
    package func issue(pin: JSONObject? = nil) -> ServerChallenge {
        let end = now.seconds + Self.lifetime
        let body = Self.bytes(of: end) + provider.random.bytes(10)
        return ServerChallenge(
            nonce: Base64URL.encode(body + tag(of: body)), audience: tenant.issuer,
            lifetime: Self.lifetime, pin: pin)
    }

    /// Verifies a nonce. Returns `nil` if it is invalid or expired.
    package func check(_ text: String) -> Genuine? {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text), bytes.count == 32 else {
            return nil
        }
        let body = Array(bytes.prefix(16))
        guard ConstantTime.equal(bytes.suffix(16), tag(of: body)) else { return nil }
        let end = body.prefix(6).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard now.seconds < end else { return nil }
        return Genuine(
            text: text,
            use: OneTimeUse(OneTimeIdentifier(.nonce, key: body), until: Timestamp(seconds: end)))
    }

    private func tag(of body: [UInt8]) -> ArraySlice<UInt8> {
        let name = "nonce/\(tenant.project.id)/\(purpose.text)/"
        return provider.secrets.hash(Array(name.utf8) + body, for: .challenge).prefix(16)
    }

    private static func bytes(of value: Int64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0.suffix(6)) }
    }
}
