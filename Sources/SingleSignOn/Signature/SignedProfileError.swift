// SPDX-License-Identifier: Apache-2.0

/// Why a signed profile cannot be opened.
package enum SignedProfileError: String, Error, Sendable {
    /// No CMS, or cut off.
    case malformed = "signed_profile_malformed"
    /// CMS, but enveloped, encrypted or something else than signed.
    case notSigned = "signed_profile_not_signed_data"
    /// The signature stands alone; what it signs is elsewhere.
    case detached = "signed_profile_detached"
    case noSigner = "signed_profile_no_signer"

    package var reason: String {
        switch self {
        case .malformed: "not a CMS message, or cut off"
        case .notSigned: "a CMS message, but no signed one"
        case .detached: "a signature without the profile that it signs"
        case .noSigner: "a signed message that nobody signed"
        }
    }
}
