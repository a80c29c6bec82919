// SPDX-License-Identifier: Apache-2.0

/// The extension inputs of a registration (WebAuthn section 10.1, CTAP 2.2 section 12).
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
