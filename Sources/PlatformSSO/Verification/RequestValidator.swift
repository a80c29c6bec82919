// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The checks of every device request, in their order. ``RequestVerifier`` compares with the
/// provider's values and stops at the first failed check. An inspection has no values of the
/// provider and continues after failed checks: a method then returns `nil` if its check failed.
struct RequestValidator {
    let message: DeviceMessage
    let claims: MessageClaims
    let device: DeviceKeys?
    /// `nil` for an inspection, which then omits the dependent checks.
    let expectation: RequestVerifier.Expectation?
    let now: Timestamp
    var report: VerificationReport

    init(
        message: DeviceMessage, device: DeviceKeys?, expectation: RequestVerifier.Expectation?,
        now: Timestamp, mode: VerificationReport.Mode
    ) {
        self.message = message
        claims = message.claims
        self.device = device
        self.expectation = expectation
        self.now = now
        report = VerificationReport(mode)
    }

    var serverNonceClaim: String { expectation?.serverNonceClaim ?? "request_nonce" }

    /// Checks that `kid` names the device's signing key, and that the key signed the message.
    mutating func signature() throws(PlatformSSORefusal) {
        if message.header.members["x5c"] != nil {
            _ = try report.attempt(.certificates) { () throws(PlatformSSORefusal) in
                try CertificateChain.read(message.header.members)
            }
        }
        guard let device else {
            let refusal = PlatformSSORefusal(
                .keyNotFound, "no key is named \(message.signingKeyID)")
            return try report.fail(.signature, refusal)
        }
        try report.require(
            KeyIdentifier(device.signing) == message.signingKeyID, .keyID, .keyIDMismatch,
            "the device's key has another name than kid")
        try verify(message.jws, with: device.signing, DeviceKeys.algorithms, .signatureInvalid)
    }

    mutating func verify(
        _ jws: UnverifiedJWS, with key: PublicJWK, _ algorithms: [JWSAlgorithm],
        _ code: PlatformSSORefusal.Code
    ) throws(PlatformSSORefusal) {
        let verifier = JWSVerifier(key: .publicKey(key), algorithms: algorithms)
        _ = try report.attempt(.signature) { () throws(PlatformSSORefusal) in
            do throws(JOSEError) { return try verifier.verify(jws) } catch {
                guard error.code != .signatureInvalid else {
                    throw PlatformSSORefusal(code, error.reason)
                }
                throw PlatformSSORefusal(error)
            }
        }
    }

    /// Checks `client_id` and `iss`, which must be equal. Key requests contain only `iss`; messages
    /// of macOS 13 only `client_id`.
    ///
    /// - Parameter inIssuer: Whether `client_id` may be missing.
    mutating func client(inIssuer: Bool) throws(PlatformSSORefusal) -> String? {
        let isOld = message.isFirstGeneration
        let client = try report.attempt(.client, isCompared: expectation != nil) {
            () throws(PlatformSSORefusal) -> String in
            var stated = try claims.text("client_id")
            if inIssuer, stated == nil { stated = try claims.text("iss") }
            guard let stated else {
                throw PlatformSSORefusal(.claimMissing, "client_id is missing")
            }
            guard expectation?.clientID.hasSameBytes(as: stated) ?? true else {
                throw PlatformSSORefusal(.clientMismatch, "client_id is \(stated)")
            }
            return stated
        }
        _ = try report.attempt(.issuer) { () throws(PlatformSSORefusal) in
            if isOld && claims.members["iss"] == nil { return }
            let issuer = try claims.requiredText("iss")
            guard let client, issuer.hasSameBytes(as: client) else {
                throw PlatformSSORefusal(.issuerMismatch, "iss is not the client")
            }
        }
        return client
    }

    /// Checks `aud`. Key requests omit it, contrary to their documentation.
    mutating func audience(
        of claims: MessageClaims, isRequired: Bool, _ accepted: [String]?
    ) throws(PlatformSSORefusal) {
        guard isRequired || claims.members["aud"] != nil else { return }
        _ = try report.attempt(.audience, isCompared: accepted != nil) {
            () throws(PlatformSSORefusal) in
            let audience = try claims.audience()
            guard let only = audience.first, audience.count == 1 else {
                throw PlatformSSORefusal(.claimMissing, "not exactly one aud")
            }
            guard accepted?.contains(where: { $0.hasSameBytes(as: only) }) ?? true else {
                throw PlatformSSORefusal(.audienceMismatch, "aud is \(only)")
            }
        }
    }

    /// Checks `iat`, `exp`, and `nbf` if it exists.
    ///
    /// - Parameter isOld: Whether the message is of macOS 13. If it has no `exp`, it expires five
    ///   minutes after `iat`.
    mutating func times(
        of claims: MessageClaims, isOld: Bool
    ) throws(PlatformSSORefusal) -> (issuedAt: Timestamp, expiresAt: Timestamp)? {
        let leeway = expectation?.leeway ?? MessageClaims.leeway
        let issuedAt = try report.attempt(.issuedAt) { () throws(PlatformSSORefusal) in
            try claims.issuedAt(now: now, leeway: leeway)
        }
        if claims.members["nbf"] != nil {
            _ = try report.attempt(.notBefore) { () throws(PlatformSSORefusal) in
                try claims.checkNotBefore(now: now, leeway: leeway)
            }
        }
        guard let issuedAt else { return nil }
        let expiresAt = try report.attempt(.expiry) { () throws(PlatformSSORefusal) in
            let time = try claims.expiresAt(
                now: now, leeway: leeway, substitute: isOld ? issuedAt + .minutes(5) : nil)
            guard time <= issuedAt + RequestVerifier.maximumLifetime else {
                throw PlatformSSORefusal(.lifetimeTooLong, "exp lies too far behind iat")
            }
            return time
        }
        return expiresAt.map { (issuedAt: issuedAt, expiresAt: $0) }
    }

    /// Checks `sub` and `username`, which must be equal. Messages of macOS 13 contain only
    /// `username`.
    mutating func user() throws(PlatformSSORefusal) -> String? {
        try report.attempt(.user) { () throws(PlatformSSORefusal) -> String in
            let username = try claims.text("username", maximumBytes: 512)
            let subject = try claims.text("sub", maximumBytes: 512)
            let isOld = message.isFirstGeneration
            guard let name = username ?? subject,
                isOld || (username != nil && subject != nil)
            else { throw PlatformSSORefusal(.claimMissing, "username or sub is missing") }
            guard subject?.hasSameBytes(as: name) ?? true else {
                throw PlatformSSORefusal(.userMismatch, "sub and username differ")
            }
            return name
        }
    }
}
