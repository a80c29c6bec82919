// SPDX-License-Identifier: Apache-2.0

/// Why an extension is not trusted, and so not started.
package struct ExtensionTrustRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// Stable identifiers: scripts and tests rely on the raw values.
    package enum Code: String, Sendable, CaseIterable {
        case notInstalled = "not_installed"
        case unreadable
        /// Somebody else owns a file or a folder on the way to it.
        case ownerWrong = "owner_wrong"
        /// Others may write to a file or a folder on the way to it.
        case modeTooOpen = "mode_too_open"
        /// A link, a device, a socket.
        case notAFile = "not_a_file"
        case tooLarge = "too_large"
        case manifestMalformed = "manifest_malformed"
        case manifestVersion = "manifest_version"
        case algorithmRefused = "algorithm_refused"
        case signatureInvalid = "signature_invalid"
        /// The team is not named for the key.
        case teamMismatch = "team_mismatch"
        /// It says to be another one than was looked for.
        case identifierMismatch = "identifier_mismatch"
        /// The executable is not the one that was signed.
        case digestMismatch = "digest_mismatch"
        /// It speaks no version of the messages that is spoken here.
        case protocolUnsupported = "protocol_unsupported"
        case alreadyInstalled = "already_installed"
        /// The system did not let us.
        case system
    }

    package let code: Code
    /// A sentence for whoever installs extensions.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }
}
