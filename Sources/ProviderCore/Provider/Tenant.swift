// SPDX-License-Identifier: Apache-2.0
package import Storage

/// A project with its issuer and the values that are derived from it.
///
/// It is immutable and shared, so that a request copies only a reference.
package final class Tenant: Sendable {
    package let project: Project
    /// The `iss` of everything that the project signs, without a trailing slash.
    package let issuer: String
    /// The path of the installation's issuer: `""`, or for example `/auth`.
    package let basePath: String
    /// ``basePath``, and `/p/NAME` for any project but the default one: the prefix of every path.
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
