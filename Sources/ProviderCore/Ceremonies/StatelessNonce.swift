// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
package import JOSE
package import Primitives
package import Storage

/// The nonces of the provider, for one purpose in one project. A nonce contains its time and a
/// keyed hash and is not stored until it is consumed. So issuing one stores nothing, and a sender
/// may have any number at once. A nonce of one purpose is invalid for all others.
///
/// Devices receive them as in Apple "Obtaining a server nonce", DPoP clients as in RFC 9449
/// section 8.
package struct StatelessNonce: Sendable {
    package enum Purpose: Sendable {
        case registration(AppRegistrationMethod)
        case signIn
        case pin
        case authenticator
        /// For DPoP proofs, which do not consume it.
        case proof
        /// For requests of devices and the `state` of their web logins.
        case device

        fileprivate var text: String {
            switch self {
            case .registration(let method): "registration/\(method.rawValue)"
            case .signIn: "sign-in"
            case .pin: "pin"
            case .authenticator: "authenticator"
            case .proof: "proof"
            case .device: "device"
            }
        }

        /// The nonces of devices contain the time of their issuance in milliseconds and 16 random
        /// bytes. The others contain their expiry in seconds and 10 random bytes. They have the
        /// length of the nonces of the PIN protocol, so that a registration with a PIN needs only
        /// one.
        fileprivate var isOfDevice: Bool { if case .device = self { true } else { false } }
        fileprivate var timeLength: Int { isOfDevice ? 8 : 6 }
        fileprivate var randomLength: Int { isOfDevice ? 16 : 10 }
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
    /// Allowed clock skew between two servers of a project.
    private static let leeway = TimeSpan.seconds(60)
    private static let tagLength = 16

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

    /// A new nonce in base64url: time, random bytes and 16 bytes of hash.
    package func make() -> String {
        let time = purpose.isOfDevice ? now.milliseconds : now.seconds + Self.lifetime
        let body =
            withUnsafeBytes(of: time.bigEndian) { Array($0.suffix(purpose.timeLength)) }
            + provider.random.bytes(purpose.randomLength)
        return Base64URL.encode(body + tag(of: body))
    }

    /// A new nonce for an app.
    ///
    /// - Parameter pin: The PIN policy for the device that receives the nonce, if it can set a PIN.
    package func issue(pin: JSONObject? = nil) -> ServerChallenge {
        ServerChallenge(
            nonce: make(), audience: tenant.issuer, lifetime: Self.lifetime, pin: pin)
    }

    /// Verifies a nonce. Returns `nil` if it is invalid or expired.
    package func check(_ text: String) -> Genuine? {
        let length = purpose.timeLength + purpose.randomLength
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text),
            bytes.count == length + Self.tagLength
        else { return nil }
        let body = Array(bytes.prefix(length))
        guard ConstantTime.equal(bytes.suffix(Self.tagLength), tag(of: body)),
            let end = expiry(of: body), now < end
        else { return nil }
        let identifier =
            purpose.isOfDevice
            ? OneTimeIdentifier(.deviceNonce, key: bytes) : OneTimeIdentifier(.nonce, key: body)
        return Genuine(text: text, use: OneTimeUse(identifier, until: end))
    }

    /// Consumes a nonce. Returns `true` once for each valid nonce. A change that is one transaction
    /// consumes ``Genuine/use`` in it instead.
    package func consume(_ text: String) async throws -> Bool {
        guard let use = check(text)?.use else { return false }
        return try await provider.store.challenges.markUsed(use.mark, expiresAt: use.expiresAt)
    }

    private func expiry(of body: [UInt8]) -> Timestamp? {
        let bits = body.prefix(purpose.timeLength).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let time = Int64(clamping: bits)
        guard purpose.isOfDevice else { return Timestamp(seconds: time) }
        let issued = Timestamp(milliseconds: time)
        return issued <= now + Self.leeway ? issued + .seconds(Self.lifetime) : nil
    }

    private func tag(of body: [UInt8]) -> ArraySlice<UInt8> {
        let hash =
            purpose.isOfDevice
            ? provider.secrets.hash(tenant.project.id.bytes + body, for: .deviceNonce)
            : provider.secrets.hash(
                Array("nonce/\(tenant.project.id)/\(purpose.text)/".utf8) + body, for: .challenge)
        return hash.prefix(Self.tagLength)
    }
}

extension CeremonyCall {
    /// The nonces of the project for a purpose.
    package func nonces(for purpose: StatelessNonce.Purpose) -> StatelessNonce {
        StatelessNonce(
            for: purpose, of: context.tenant, in: context.provider, now: context.now)
    }
}
