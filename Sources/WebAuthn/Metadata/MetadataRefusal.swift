// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The reason why a metadata BLOB was not accepted.
package struct MetadataRefusal: CodedError {
    /// Stable names.
    package enum Code: String, Sendable, CaseIterable {
        /// Longer than ``MetadataBlobVerifier/maximumBytes``.
        case tooLarge = "metadata_too_large"
        /// Not a compact JWS, or a header that cannot be read.
        case malformed = "metadata_malformed"
        /// An `alg` that the certificate's key is not for; `none` and HMAC among them.
        case algorithmNotAllowed = "metadata_algorithm_not_allowed"
        /// The header names an address from which to load certificates.
        case addressNotAllowed = "metadata_x5u_not_allowed"
        /// `x5c` is missing, too long, or contains an invalid certificate.
        case certificateInvalid = "metadata_certificate_invalid"
        /// The chain leads to no root that the relying party has.
        case chainUntrusted = "metadata_chain_untrusted"
        /// The certificate is for another name than the metadata service's.
        case signerUnknown = "metadata_signer_unknown"
        /// A certificate of the chain has been revoked.
        case certificateRevoked = "metadata_certificate_revoked"
        /// A revocation status is required, and no current list contains it.
        case revocationUnknown = "metadata_revocation_unknown"
        /// A configured revocation list cannot be read.
        case revocationListInvalid = "metadata_revocation_list_invalid"
        case signatureInvalid = "metadata_signature_invalid"
        /// The payload is not the JSON of section 3.1.6.
        case payloadMalformed = "metadata_payload_malformed"
        /// `no` is lower than that of the BLOB before.
        case rolledBack = "metadata_rolled_back"
        /// `nextUpdate` is further past than the policy allows.
        case outdated = "metadata_outdated"
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
