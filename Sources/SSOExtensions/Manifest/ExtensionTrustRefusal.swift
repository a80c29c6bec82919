// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The reason why an extension is not trusted, and so not started.
package struct ExtensionTrustRefusal: CodedError {
    /// Stable identifiers: scripts and tests rely on the raw values.
    package enum Code: String, Sendable, CaseIterable {
        case notInstalled = "not_installed"
        case unreadable
        /// A file or parent directory has another owner.
        case ownerWrong = "owner_wrong"
        /// Other users may write to a file or to a parent directory.
        case modeTooOpen = "mode_too_open"
        /// A link, a device, a socket.
        case notAFile = "not_a_file"
        case tooLarge = "too_large"
        case manifestMalformed = "manifest_malformed"
        case manifestVersion = "manifest_version"
        case algorithmRefused = "algorithm_refused"
        case signatureInvalid = "signature_invalid"
        /// The team identifier does not match the key.
        case teamMismatch = "team_mismatch"
        /// It states another identifier than the requested one.
        case identifierMismatch = "identifier_mismatch"
        /// The executable differs from the signed one.
        case digestMismatch = "digest_mismatch"
        /// There is no common message version.
        case protocolUnsupported = "protocol_unsupported"
        case alreadyInstalled = "already_installed"
        /// A system call failed.
        case system
    }

    package let code: Code
    /// A sentence for the administrator who installs extensions.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
