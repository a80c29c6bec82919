// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// What a relying party asks of a new credential: `PublicKeyCredentialCreationOptions` (WebAuthn
/// section 5.4), as far as a security key can follow.
package struct RegistrationOptions: Sendable {
    /// `nil` takes the host of the origin.
    package var relyingPartyId: String?
    package var relyingPartyName: String
    package var user: CTAPUser
    package var challenge: [UInt8]
    /// COSE algorithms, best first. Empty means ES256 and RS256, as WebAuthn wants it.
    package var algorithms: [Int64]
    package var timeout: Duration?
    package var excludeCredentials: [CTAPCredentialDescriptor] = []
    package var residentKey: ResidentKeyRequirement = .discouraged
    package var userVerification: UserVerificationRequirement = .preferred
    package var attestation: AttestationConveyance = .none
    package var attestationFormats: [String] = []
    /// Enterprise attestation by the platform's own list; it decides between the kinds 2 and 1.
    package var isEnterpriseRelyingParty = false
    package var extensions = RegistrationExtensionInputs()

    package init(
        relyingPartyId: String?, relyingPartyName: String, user: CTAPUser, challenge: [UInt8],
        algorithms: [Int64]
    ) {
        self.relyingPartyId = relyingPartyId
        self.relyingPartyName = relyingPartyName
        self.user = user
        self.challenge = challenge
        self.algorithms = algorithms
    }
}

/// Extension inputs of a registration, as a client knows them (WebAuthn section 10.1, CTAP 2.2
/// section 12).
package struct RegistrationExtensionInputs: Sendable, Equatable {
    package enum CredentialProtection: UInt8, Sendable {
        case optional = 1
        case optionalWithCredentialIDList = 2
        case required = 3
    }

    package enum LargeBlobSupport: String, Sendable {
        case required, preferred
    }

    package var credProps = false
    package var credentialProtection: CredentialProtection?
    package var enforceCredentialProtection = false
    package var credBlob: [UInt8]?
    package var minPinLength = false
    package var pinComplexityPolicy = false
    package var largeBlob: LargeBlobSupport?
    package var hmacCreateSecret = false
    /// Asks for the extension; the inputs are evaluated at once where the key can.
    package var prf: PRFRequest?
    /// An AppID under which older credentials of the exclude list were made.
    package var appIdExclude: String?

    package init() {}
}

/// The `prf` extension's inputs (WebAuthn section 10.1.4).
package struct PRFRequest: Sendable, Equatable {
    /// One or two inputs of any length.
    package struct Values: Sendable, Equatable {
        package var first: [UInt8]
        package var second: [UInt8]?

        package init(first: [UInt8], second: [UInt8]? = nil) {
            self.first = first
            self.second = second
        }
    }

    package var eval: Values?
    /// By credential id; only in an assertion.
    package var evalByCredential: [[UInt8]: Values]
    /// Whether the secret is that of a verified person. Pages get no other (WebAuthn section 10.1.4);
    /// keys have a second one for whoever touches them (CTAP 2.2 section 12.7).
    package var needsVerification = true

    package init(eval: Values? = nil, evalByCredential: [[UInt8]: Values] = [:]) {
        self.eval = eval
        self.evalByCredential = evalByCredential
    }
}
