// SPDX-License-Identifier: Apache-2.0
import JOSE

extension RequestValidator {
    /// Verifies the assertion of a login request. It must belong to the same person, scope and
    /// nonces as the request.
    mutating func assertion(
        of request: UnverifiedLoginRequest, _ keys: LoginKeys
    ) throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential? {
        let assertion = try report.attempt(.assertion) { () throws(PlatformSSORefusal) in
            guard let assertion = request.assertion else { throw request.assertionRefusal }
            return assertion
        }
        report.part = .assertion
        defer { report.part = .message }
        return switch assertion {
        case .signed(let signed): try self.signed(signed, keys.user)
        case .encrypted(let encrypted): try self.encrypted(encrypted, keys.decryption)
        case nil: nil
        }
    }

    private mutating func signed(
        _ assertion: UnverifiedSignedAssertion, _ keys: [UserKey]
    ) throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential? {
        try type(of: assertion.header, .loginAssertion)
        guard let key = keys.first(where: { $0.made(assertion) }) else {
            let refusal = PlatformSSORefusal(
                .userKeyUnknown, "the person has no such key on this device")
            try report.fail(.keyID, refusal)
            try agreement(assertion.claims)
            return nil
        }
        report.pass(.keyID)
        try verify(assertion.jws, with: key.publicKey, key.algorithms, .userSignatureInvalid)
        try agreement(assertion.claims)
        return switch key {
        case .secureEnclave(let key): .secureEnclaveKey(KeyIdentifier(key))
        case .smartCard(_, let certificate): .smartCard(certificate: certificate)
        }
    }

    private mutating func encrypted(
        _ assertion: UnverifiedEncryptedAssertion, _ keys: [PrivateJWK]
    ) throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential? {
        try type(of: assertion.header, .encryptedLoginAssertion)
        let opened = try report.attempt(.decryption) { () throws(PlatformSSORefusal) in
            try assertion.open(with: keys)
        }
        guard let opened else { return nil }
        try agreement(opened)
        return try report.attempt(.password) {
            () throws(PlatformSSORefusal) -> VerifiedLoginRequest.Credential in
            guard let password = try opened.password() else {
                throw PlatformSSORefusal(.claimMissing, "password is missing")
            }
            return .password(password, wasEncrypted: true)
        }
    }

    /// In a request of macOS 13 the type is `JWT` as well.
    private mutating func type(
        of header: JOSEHeader, _ expected: MessageType
    ) throws(PlatformSSORefusal) {
        let isOld = message.isFirstGeneration && header.isType(MessageType.firstGeneration)
        try report.require(
            isOld || header.isType(expected.rawValue), .type, .typeMismatch,
            "typ is \(header.type ?? "absent")")
    }

    /// Compares the assertion with the request that contains it.
    private mutating func agreement(_ inner: MessageClaims) throws(PlatformSSORefusal) {
        try sameUser(inner)
        try audience(of: inner, isRequired: true, expectation.map { [$0.audience] })
        _ = try times(of: inner, isOld: message.isFirstGeneration)
        try same("nonce", inner, .nonce, .nonceMismatch)
        try same(serverNonceClaim, inner, .serverNonce, .serverNonceMismatch)
        try same("scope", inner, .scope, .scopeMismatch)
    }

    private mutating func sameUser(_ inner: MessageClaims) throws(PlatformSSORefusal) {
        _ = try report.attempt(.user) { () throws(PlatformSSORefusal) in
            let outer = message.username
            for name in ["sub", "iss"] {
                let value = try inner.requiredText(name, maximumBytes: 512)
                guard outer?.hasSameBytes(as: value) == true else {
                    throw PlatformSSORefusal(
                        .userMismatch, "\(name) of the assertion is not the request's user")
                }
            }
        }
    }

    private mutating func same(
        _ claim: String, _ inner: MessageClaims, _ name: VerificationCheck.Name,
        _ code: PlatformSSORefusal.Code
    ) throws(PlatformSSORefusal) {
        let outer = claims.members[claim]?.string
        _ = try report.attempt(name) { () throws(PlatformSSORefusal) in
            let value = try inner.requiredText(claim, maximumBytes: 4096)
            guard outer?.hasSameBytes(as: value) == true else {
                throw PlatformSSORefusal(code, "\(claim) differs inside and outside")
            }
        }
    }
}
