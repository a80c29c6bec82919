// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `PublicKeyCredentialCreationOptionsJSON` (section 5.1.9): what a page hands to
/// `PublicKeyCredential.parseCreationOptionsFromJSON()`.
package struct CreationOptions: Sendable {
    /// The account that the credential is for (section 5.4.3).
    package struct User: Sendable {
        /// The user handle: 1 to 64 random bytes, nothing that names a person.
        package var id: [UInt8]
        package var name: String
        package var displayName: String

        package init(id: [UInt8], name: String, displayName: String) {
            self.id = id
            self.name = name
            self.displayName = displayName
        }
    }

    package var relyingPartyId: String
    package var relyingPartyName: String
    package var user: User
    /// At least 16 random bytes (section 13.4.3), made for this ceremony alone.
    package var challenge: [UInt8]
    package var algorithms: [COSEAlgorithm] = COSEAlgorithm.offeredByDefault
    /// In milliseconds.
    package var timeout: Int64 = 300_000
    /// The credentials that the person already has, so that an authenticator is not registered
    /// twice.
    package var excludeCredentials: [CredentialDescriptor] = []
    package var residentKey: ResidentKeyRequirement = .required
    package var userVerification: UserVerificationRequirement = .preferred
    package var authenticatorAttachment: AuthenticatorAttachment?
    package var hints: [CredentialHint] = []
    package var attestation: AttestationConveyance = .none
    /// Preferred formats, best first.
    package var attestationFormats: [String] = []
    package var extensions = RegistrationExtensions()

    package init(
        relyingParty: RelyingParty, name: String, user: User, challenge: [UInt8]
    ) {
        relyingPartyId = relyingParty.id
        relyingPartyName = name
        self.user = user
        self.challenge = challenge
    }

    package var json: JSONValue {
        var options = JSONObject()
        options["rp"] = ["id": .string(relyingPartyId), "name": .string(relyingPartyName)]
        options["user"] = [
            "id": .string(Base64URL.encode(user.id)), "name": .string(user.name),
            "displayName": .string(user.displayName),
        ]
        options["challenge"] = .string(Base64URL.encode(challenge))
        options["pubKeyCredParams"] = .array(
            algorithms.map { ["type": "public-key", "alg": .integer($0.rawValue)] })
        options["timeout"] = .integer(timeout)
        options["excludeCredentials"] = .array(excludeCredentials.map(\.json))
        options["authenticatorSelection"] = authenticatorSelection
        options["hints"] = .array(hints.map { .string($0.rawValue) })
        options["attestation"] = .string(attestation.rawValue)
        options["attestationFormats"] = .array(attestationFormats.map { .string($0) })
        options["extensions"] = .object(extensions.json)
        return .object(options)
    }

    private var authenticatorSelection: JSONValue {
        var selection = JSONObject()
        selection["residentKey"] = .string(residentKey.rawValue)
        // For clients that support Level 1 only (section 5.4.4).
        selection["requireResidentKey"] = .bool(residentKey == .required)
        selection["userVerification"] = .string(userVerification.rawValue)
        if let authenticatorAttachment {
            selection["authenticatorAttachment"] = .string(authenticatorAttachment.rawValue)
        }
        return .object(selection)
    }
}
