// SPDX-License-Identifier: Apache-2.0
package import Storage

/// A project as requests see it: with its issuer and everything that follows from it.
///
/// Immutable and shared: a request carries a reference, not a copy of every string.
package final class Tenant: Sendable {
    package let project: Project
    /// `iss` of everything it signs, without a trailing slash.
    package let issuer: String
    /// The path of the installation's issuer: `""`, or as `/auth`.
    package let basePath: String
    /// ``basePath``, and `/p/NAME` for any project but the default one: put before every path.
    package let pathPrefix: String

    /// - Parameter issuer: the issuer of the installation, without a trailing slash.
    package init(project: Project, issuer: String) {
        self.project = project
        let part = project.name == "default" ? "" : "/p/\(project.name)"
        basePath = IssuerAddress(issuer).path
        pathPrefix = basePath + part
        self.issuer = issuer + part
    }
}
