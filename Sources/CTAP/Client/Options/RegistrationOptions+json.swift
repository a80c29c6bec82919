// SPDX-License-Identifier: Apache-2.0
package import JOSE
import WebAuthn

extension RegistrationOptions {
    /// Reads `PublicKeyCredentialCreationOptionsJSON` (WebAuthn section 5.1.9).
    package init(json: JSONValue) throws(SecurityKeyError) {
        let options = try OptionsReader(json, "options")
        let rp = try OptionsReader(options.value("rp"), "options.rp")
        let challenge = try options.required(try options.bytes("challenge"), "challenge")
        self.init(
            relyingPartyId: try rp.text("id"), relyingPartyName: try rp.text("name") ?? "",
            user: try Self.user(options), challenge: challenge,
            algorithms: try Self.algorithms(options))
        timeout = try options.timeout()
        excludeCredentials = try options.credentials("excludeCredentials")
        try readSelection(options)
        attestation = try options.choice("attestation", otherwise: .none)
        attestationFormats = try options.texts("attestationFormats") ?? []
        if let extensions = try options.map("extensions") {
            self.extensions = try RegistrationExtensionInputs(extensions)
        }
    }

    private static func user(_ options: OptionsReader) throws(SecurityKeyError) -> CTAPUser {
        let user = try OptionsReader(options.value("user"), "options.user")
        let id = try user.required(try user.bytes("id"), "id")
        guard 1...64 ~= id.count else { throw .malformedOptions("options.user.id") }
        return CTAPUser(
            id: id, name: try user.required(try user.text("name"), "name"),
            displayName: try user.text("displayName"))
    }

    /// An empty list means the default pair; a list of nothing known is unsatisfiable.
    private static func algorithms(_ options: OptionsReader) throws(SecurityKeyError) -> [Int64] {
        let list = try options.required(
            try options.list("pubKeyCredParams"), "pubKeyCredParams")
        guard !list.isEmpty else { return [COSEAlgorithm.es256, .rs256].map(\.rawValue) }
        var algorithms: [Int64] = []
        for entry in list {
            guard try entry.text("type") == CTAPCredentialDescriptor.publicKey else { continue }
            let algorithm = try entry.required(entry.value("alg")?.integer, "alg")
            if !algorithms.contains(algorithm) { algorithms.append(algorithm) }
        }
        guard !algorithms.isEmpty else { throw .unsupportedAlgorithm }
        return algorithms
    }

    private mutating func readSelection(_ options: OptionsReader) throws(SecurityKeyError) {
        guard let selection = try options.map("authenticatorSelection") else { return }
        let legacy: ResidentKeyRequirement =
            try selection.bool("requireResidentKey") == true ? .required : .discouraged
        residentKey = try selection.choice("residentKey", otherwise: legacy)
        userVerification = try selection.choice("userVerification", otherwise: .preferred)
    }
}

extension RegistrationExtensionInputs {
    init(_ reader: OptionsReader) throws(SecurityKeyError) {
        credProps = try reader.bool("credProps") ?? false
        credentialProtection = try Self.protection(reader)
        enforceCredentialProtection =
            try reader.bool("enforceCredentialProtectionPolicy") ?? false
        credBlob = try reader.bytes("credBlob")
        minPinLength = try reader.bool("minPinLength") ?? false
        pinComplexityPolicy = try reader.bool("pinComplexityPolicy") ?? false
        hmacCreateSecret = try reader.bool("hmacCreateSecret") ?? false
        appIdExclude = try reader.text("appidExclude")
        if let blob = try reader.map("largeBlob"), let support = try blob.text("support") {
            guard let support = LargeBlobSupport(rawValue: support) else {
                throw .malformedOptions("options.extensions.largeBlob.support")
            }
            largeBlob = support
        }
        prf = try reader.prf()
        // The spec makes this a NotSupportedError (WebAuthn section 10.1.4).
        if prf?.evalByCredential.isEmpty == false {
            throw .malformedOptions("options.extensions.prf.evalByCredential")
        }
    }

    private static func protection(
        _ reader: OptionsReader
    ) throws(SecurityKeyError) -> CredentialProtection? {
        switch try reader.text("credentialProtectionPolicy") {
        case nil: nil
        case "userVerificationOptional": .optional
        case "userVerificationOptionalWithCredentialIDList": .optionalWithCredentialIDList
        case "userVerificationRequired": .required
        default: throw .malformedOptions("options.extensions.credentialProtectionPolicy")
        }
    }
}
