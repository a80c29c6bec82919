// SPDX-License-Identifier: Apache-2.0

/// A project's policy for approval requests.
package struct ApprovalPolicy: StoredSettings, Equatable {
    /// Whether installations may enroll and clients may send approval requests.
    package var enabled = false
    /// The URL of the operator's push sender: `https`, or `http` to a loopback address. If empty,
    /// apps see pending approvals when they are opened.
    package var pushURL = ""
    /// The URL, without query, that opens the app from a QR code: a link of its domain, or of an
    /// app-specific scheme. If empty, clients display the code alone.
    package var appURL = ""
    /// The lifetime of an approval request in seconds, unless the client requests another.
    package var expiresIn: Int64 = 300

    package init() {}
}
