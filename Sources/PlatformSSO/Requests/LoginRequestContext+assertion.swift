// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

extension LoginRequestContext {
    /// Returns the assertion of a login request, for the person's key or card to sign.
    ///
    /// - Parameters:
    ///   - key: Of the person; its algorithm is used.
    ///   - certificates: Of a smart card, in DER, the leaf first.
    package func assertion(
        key: PublicJWK, certificates: [[UInt8]] = []
    ) throws(JOSEError) -> RequestDraft {
        try draft(
            .loginAssertion, key: key, certificates: certificates, custom: customAssertionClaims,
            assertionClaims)
    }

    /// Returns the assertion with a password, encrypted to the provider's key. Its `apv` contains
    /// the server's nonce, unlike that of responses, which contains the device's.
    func encryptedAssertion(
        _ password: Secret, to key: PublicJWK, random: some RandomSource
    ) throws(JOSEError) -> [UInt8] {
        guard configuration.loginRequestEncryptionAlgorithm == .ecdheA256GCM else {
            throw JOSEError(.algorithmUnsupported, "HPKE is not offered here")
        }
        var claims = JSONObject(assertionClaims + commonClaims.members)
        claims["password"] = .string(password.revealText())
        claims.add(customAssertionClaims.body)
        let label = configuration.loginRequestEncryptionAPVPrefix ?? PartyInfo.embeddedLabel
        let party = PartyInfo.provider(encryption: key, serverNonce: serverNonce, label: label)
        return try EncryptedMessage.seal(
            claims.bytes, type: .encryptedLoginAssertion, to: key, apv: party.bytes,
            members: customAssertionClaims.header.members, random: random)
    }

    private var customAssertionClaims: CustomClaims {
        configuration.customAssertionRequestClaims.merging(user.customAssertionRequestClaims)
    }

    private var assertionClaims: [JSONObject.Member] {
        [
            .init(name: "iss", value: .string(user.loginUserName)),
            .init(name: "sub", value: .string(user.loginUserName)),
            .init(name: "aud", value: .string(configuration.audience)),
            .init(name: "scope", value: .string(scope())),
        ]
    }
}
