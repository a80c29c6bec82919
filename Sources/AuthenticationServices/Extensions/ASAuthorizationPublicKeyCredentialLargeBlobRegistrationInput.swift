// SPDX-License-Identifier: Apache-2.0
import CTAP

/// The request whether a passkey must support a large blob (WebAuthn section 10.1.5).
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput: Hashable, Sendable {
    /// The strength of the requirement.
    public enum SupportRequirement: Int, Sendable {
        /// Without it the request fails.
        case required = 0
        /// It would be good.
        case preferred = 1
    }

    /// The strength of the requirement.
    public var supportRequirement: SupportRequirement

    /// Without it the request fails.
    public static let supportRequired = Self(supportRequirement: .required)
    /// It would be good.
    public static let supportPreferred = Self(supportRequirement: .preferred)

    var support: RegistrationExtensionInputs.LargeBlobSupport {
        supportRequirement == .required ? .required : .preferred
    }
}
