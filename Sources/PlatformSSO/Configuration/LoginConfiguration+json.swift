// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension LoginConfiguration {
    /// The configuration as an extension passes it to the agent, which stores it: all set
    /// properties under Apple's names.
    package var json: JSONObject {
        var writer = ConfigurationWriter()
        writer.object["clientID"] = .string(clientID)
        writer.object["issuer"] = .string(issuer)
        var copy = self
        // Writing does not refuse a value.
        try? copy.visit(&writer)
        return writer.object
    }

    /// - Throws: `claimMissing`, `claimMalformed` with the name of the property. Unknown members
    ///   are refused.
    package init(json: JSONObject) throws(PlatformSSORefusal) {
        var reader = JSONReader(json)
        let clientID = try reader.required("clientID", .string(1...8192))
        let issuer = try reader.required("issuer", .string(1...8192))
        guard json["tokenEndpointURL"] != nil, json["jwksEndpointURL"] != nil else {
            throw PlatformSSORefusal(.claimMissing, "an endpoint of a configuration")
        }
        self.init(clientID: clientID, issuer: issuer, tokenEndpointURL: "", jwksEndpointURL: "")
        try visit(&reader)
        if json["audience"] == nil { audience = tokenEndpointURL }
        try reader.finish()
    }

    private mutating func visit(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try visitProvider(&coder)
        try visitLogin(&coder)
        try visitFederation(&coder)
        try visitTokens(&coder)
        try visitEncryption(&coder)
        try visitKeyService(&coder)
    }

    private mutating func visitProvider(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try coder.visit("audience", &audience, .text)
        try coder.visit("tokenEndpointURL", &tokenEndpointURL, .text)
        try coder.visit("jwksEndpointURL", &jwksEndpointURL, .text)
        try coder.visit("accountDisplayName", &accountDisplayName, MemberForm.text.optional())
        try coder.visit(
            "invalidCredentialPredicate", &invalidCredentialPredicate,
            MemberForm.predicate.optional())
        try coder.visit("nonceEndpointURL", &nonceEndpointURL, MemberForm.text.optional())
        try coder.visit("nonceResponseKeypath", &nonceResponseKeypath, .text)
        try coder.visit("serverNonceClaimName", &serverNonceClaimName, .text)
        try coder.visit(
            "customNonceRequestValues", &customNonceRequestValues, MemberForm.field.list())
    }

    private mutating func visitLogin(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try coder.visit("additionalScopes", &additionalScopes, .text)
        try coder.visit(
            "additionalAuthorizationScopes", &additionalAuthorizationScopes,
            MemberForm.text.optional())
        try coder.visit(
            "includePreviousRefreshTokenInLoginRequest",
            &includePreviousRefreshTokenInLoginRequest, .flag)
        try coder.visit("previousRefreshTokenClaimName", &previousRefreshTokenClaimName, .text)
        try coder.visit(
            "customLoginRequestValues", &customLoginRequestValues, MemberForm.field.list())
        try coder.visit("customLoginRequestClaims", &customLoginRequestClaims, .claims)
        try coder.visit("customAssertionRequestClaims", &customAssertionRequestClaims, .claims)
        try coder.visit(
            "kerberosTicketMappings", &kerberosTicketMappings, MemberForm.mapping.list())
    }

    private mutating func visitFederation(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try coder.visit("federationType", &federationType, .choice)
        try coder.visit("federationRequestURN", &federationRequestURN, MemberForm.text.optional())
        try coder.visit("federationMEXURL", &federationMEXURL, MemberForm.text.optional())
        try coder.visit(
            "federationUserPreauthenticationURL", &federationUserPreauthenticationURL,
            MemberForm.text.optional())
        try coder.visit("federationMEXURLKeypath", &federationMEXURLKeypath, .text)
        try coder.visit(
            "federationPredicate", &federationPredicate, MemberForm.predicate.optional())
        try coder.visit(
            "customFederationUserPreauthenticationRequestValues",
            &customFederationUserPreauthenticationRequestValues, MemberForm.field.list())
        try coder.visit("authorizationURL", &authorizationURL, MemberForm.text.optional())
        try coder.visit(
            "authorizationURLKeypath", &authorizationURLKeypath, MemberForm.text.optional())
        try coder.visit("fallbackFederationType", &fallbackFederationType, .choice)
        try coder.visit(
            "includePlatformSSOAuthorizationScopes", &includePlatformSSOAuthorizationScopes, .flag)
    }

    private mutating func visitTokens(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try coder.visit("customRequestJWTParameterName", &customRequestJWTParameterName, .text)
        try coder.visit(
            "jwksTrustedRootCertificates", &jwksTrustedRootCertificates, MemberForm.bytes.list())
        try coder.visit("deviceContext", &deviceContext, MemberForm.bytes.optional())
        try coder.visit("uniqueIdentifierClaimName", &uniqueIdentifierClaimName, .text)
        try coder.visit("groupRequestClaimName", &groupRequestClaimName, MemberForm.text.optional())
        try coder.visit(
            "groupResponseClaimName", &groupResponseClaimName, MemberForm.text.optional())
        try coder.visit("refreshEndpointURL", &refreshEndpointURL, MemberForm.text.optional())
        try coder.visit(
            "customRefreshRequestValues", &customRefreshRequestValues, MemberForm.field.list())
        try coder.visit("customRefreshRequestClaims", &customRefreshRequestClaims, .claims)
    }

    private mutating func visitEncryption(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try coder.visit(
            "loginRequestEncryptionPublicKey", &loginRequestEncryptionPublicKey,
            MemberForm.key.optional())
        try coder.visit(
            "loginRequestEncryptionAPVPrefix", &loginRequestEncryptionAPVPrefix,
            MemberForm.bytes.optional())
        try coder.visit(
            "loginRequestEncryptionAlgorithm", &loginRequestEncryptionAlgorithm, .choice)
        try coder.visit(
            "loginRequestHPKEPreSharedKey", &loginRequestHPKEPreSharedKey,
            MemberForm.secret.optional())
        try coder.visit(
            "loginRequestHPKEPreSharedKeyID", &loginRequestHPKEPreSharedKeyID,
            MemberForm.bytes.optional())
        try coder.visit("hpkePreSharedKey", &hpkePreSharedKey, MemberForm.secret.optional())
        try coder.visit("hpkePreSharedKeyID", &hpkePreSharedKeyID, MemberForm.bytes.optional())
        try coder.visit("hpkeAuthPublicKey", &hpkeAuthPublicKey, MemberForm.key.optional())
    }

    private mutating func visitKeyService(
        _ coder: inout some ConfigurationCoder
    ) throws(PlatformSSORefusal) {
        try coder.visit("keyEndpointURL", &keyEndpointURL, MemberForm.text.optional())
        try coder.visit("customKeyRequestValues", &customKeyRequestValues, MemberForm.field.list())
        try coder.visit("customKeyRequestClaims", &customKeyRequestClaims, .claims)
        try coder.visit(
            "customKeyExchangeRequestValues", &customKeyExchangeRequestValues,
            MemberForm.field.list())
        try coder.visit("customKeyExchangeRequestClaims", &customKeyExchangeRequestClaims, .claims)
        try coder.visit(
            "userSecureEnclaveKeyBiometricPolicy", &userSecureEnclaveKeyBiometricPolicy, .policy)
    }
}

extension UserLoginConfiguration {
    /// As ``LoginConfiguration/json``.
    package var json: JSONObject {
        JSONObject([
            .init(name: "loginUserName", value: .string(loginUserName)),
            .init(
                name: "customLoginRequestClaims",
                value: MemberForm.claims.write(customLoginRequestClaims) ?? .null),
            .init(
                name: "customAssertionRequestClaims",
                value: MemberForm.claims.write(customAssertionRequestClaims) ?? .null),
        ])
    }

    /// - Throws: `claimMissing`, `claimMalformed` with the name of the property.
    package init(json: JSONObject) throws(PlatformSSORefusal) {
        let reader = JSONReader(json)
        self.init(loginUserName: try reader.required("loginUserName", .string(1...8192)))
        try reader.visit("customLoginRequestClaims", &customLoginRequestClaims, .claims)
        try reader.visit("customAssertionRequestClaims", &customAssertionRequestClaims, .claims)
        try reader.finish()
    }
}

extension MemberForm where Value == KerberosTicketMapping {
    static var mapping: MemberForm {
        MemberForm(
            write: { mapping in
                .object(
                    JSONObject(
                        Self.paths.map {
                            .init(name: $0.name, value: .string(mapping[keyPath: $0.path]))
                        }))
            },
            form: JSONForm<JSONObject>.object.map("the key paths of a ticket") { object in
                guard object.members.count == Self.paths.count else { return nil }
                var mapping = KerberosTicketMapping(ticketKeyPath: "")
                for (name, path) in Self.paths {
                    guard let text = object[name]?.string, text.utf8.count <= 1024 else {
                        return nil
                    }
                    mapping[keyPath: path] = text
                }
                return mapping
            })
    }

    private static var paths: [(name: String, path: WritableKeyPath<KerberosTicketMapping, String>)]
    {
        [
            ("ticketKeyPath", \.ticketKeyPath), ("messageBufferKeyName", \.messageBufferKeyName),
            ("realmKeyName", \.realmKeyName), ("serviceNameKeyName", \.serviceNameKeyName),
            ("clientNameKeyName", \.clientNameKeyName),
            ("encryptionKeyTypeKeyName", \.encryptionKeyTypeKeyName),
            ("sessionKeyKeyName", \.sessionKeyKeyName),
        ]
    }
}
