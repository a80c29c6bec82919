// SPDX-License-Identifier: Apache-2.0
package import JOSE
import WebAuthn

extension RegistrationOptions {
    /// Reads `PublicKeyCredentialCreationOptionsJSON` (WebAuthn section 5.1.9).
    package init(json: JSONValue) throws(SecurityKeyError) {
        let options = try JSONReader.options(json)
        let rp = try options.object("rp")
        let challenge = try options.required("challenge", .base64url)
        self.init(
            relyingPartyId: try rp.optional("id", .string),
            relyingPartyName: try rp.optional("name", .string) ?? "",
            user: try Self.user(options), challenge: challenge,
            algorithms: try Self.algorithms(options))
        timeout = try options.timeout()
        excludeCredentials = try options.credentials("excludeCredentials")
        try readSelection(options)
        attestation = try options.choice("attestation", otherwise: .none)
        attestationFormats = try options.optional("attestationFormats", .strings) ?? []
        if let extensions = try options.optionalObject("extensions") {
            self.extensions = try RegistrationExtensionInputs(extensions)
        }
    }

    private static func user(
        _ options: JSONReader<SecurityKeyError>
    ) throws(SecurityKeyError) -> CTAPUser {
        let user = try options.object("user")
        return CTAPUser(
            id: try user.required("id", .base64url(1...64)),
            name: try user.required("name", .string),
            displayName: try user.optional("displayName", .string))
    }

    /// An empty list means the default pair; a list of nothing known is unsatisfiable.
    private static func algorithms(
        _ options: JSONReader<SecurityKeyError>
    ) throws(SecurityKeyError) -> [Int64] {
        let list = try options.objects("pubKeyCredParams")
        guard !list.isEmpty else { return [COSEAlgorithm.es256, .rs256].map(\.rawValue) }
        var algorithms: [Int64] = []
        for entry in list where try entry.isPublicKey() {
            let algorithm = try entry.required("alg", .integer)
            if !algorithms.contains(algorithm) { algorithms.append(algorithm) }
        }
        guard !algorithms.isEmpty else { throw .unsupportedAlgorithm }
        return algorithms
    }

    private mutating func readSelection(
        _ options: JSONReader<SecurityKeyError>
    ) throws(SecurityKeyError) {
        guard let selection = try options.optionalObject("authenticatorSelection") else { return }
        let legacy: ResidentKeyRequirement =
            try selection.optional("requireResidentKey", .bool) == true ? .required : .discouraged
        residentKey = try selection.choice("residentKey", otherwise: legacy)
        userVerification = try selection.choice("userVerification", otherwise: .preferred)
    }
}

extension RegistrationExtensionInputs {
    init(_ reader: JSONReader<SecurityKeyError>) throws(SecurityKeyError) {
        credProps = try reader.optional("credProps", .bool) ?? false
        credentialProtection = try Self.protection(reader)
        enforceCredentialProtection =
            try reader.optional("enforceCredentialProtectionPolicy", .bool) ?? false
        credBlob = try reader.optional("credBlob", .base64url)
        minPinLength = try reader.optional("minPinLength", .bool) ?? false
        pinComplexityPolicy = try reader.optional("pinComplexityPolicy", .bool) ?? false
        hmacCreateSecret = try reader.optional("hmacCreateSecret", .bool) ?? false
        appIdExclude = try reader.optional("appidExclude", .string)
        largeBlob = try reader.optionalObject("largeBlob")?.optional("support", .choice)
        prf = try reader.prf()
        // The spec makes this a NotSupportedError (WebAuthn section 10.1.4).
        if prf?.evalByCredential.isEmpty == false {
            throw .malformedOptions("options.extensions.prf.evalByCredential")
        }
    }

    private static func protection(
        _ reader: JSONReader<SecurityKeyError>
    ) throws(SecurityKeyError) -> CredentialProtection? {
        switch try reader.optional("credentialProtectionPolicy", .string) {
        case nil: nil
        case "userVerificationOptional": .optional
        case "userVerificationOptionalWithCredentialIDList": .optionalWithCredentialIDList
        case "userVerificationRequired": .required
        default: throw .malformedOptions("options.extensions.credentialProtectionPolicy")
        }
    }
}
