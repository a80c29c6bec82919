// SPDX-License-Identifier: Apache-2.0

/// The reason why a signed profile cannot be opened.
package enum SignedProfileError: String, Error, Sendable {
    /// The data are not CMS, or truncated.
    case malformed = "signed_profile_malformed"
    /// CMS of another type, for example enveloped or encrypted.
    case notSigned = "signed_profile_not_signed_data"
    /// The signature is detached: the signed content is elsewhere.
    case detached = "signed_profile_detached"
    case noSigner = "signed_profile_no_signer"

    package var reason: String {
        switch self {
        case .malformed: "not a CMS message, or cut off"
        case .notSigned: "a CMS message, but no signed one"
        case .detached: "a signature without the profile that it signs"
        case .noSigner: "a signed message without a signature"
        }
    }
}
