// SPDX-License-Identifier: Apache-2.0
package import IdentityProvider
import Storage

/// The names of our cookies. `__Host-` on https: bound to this host, never set by a neighbour.
/// Projects do not share them, and neither do two providers on one host whose issuers have different paths:
/// such cookies reach the whole host, so the path is part of the name (`gatehouse-session!auth`), with `!`,
/// which names of projects cannot hold, for each slash.
package struct SiteCookies: Sendable {
    /// Holds the session's secret.
    package let session: String
    /// Ties forms to the browser that they were given to.
    let form: String
    /// The language that the reader chose in the footer.
    let language: String
    /// Ties the sign-in of a Mac that is being set up to its web view.
    let setUp: String
    /// The device code of a link that was opened before signing in.
    let deviceCode: String
    /// Says whom this browser has signed in before (``KnownBrowser``).
    let known: String
    /// By which signing out reaches the provider that vouched; sent to those pages alone, so that
    /// its length costs nothing elsewhere. A cookie with a path has no `__Host-`; what a neighbour
    /// puts in its place is not sealed.
    let upstream: String
    /// Of one way to another provider each (``UpstreamTransaction``), so that two windows can be on
    /// their way at once. Sent to that provider's pages alone: as ``upstream``.
    let departures: [LongCookie]
    /// The page of the console to return to after a sign-in.
    let consolePlace: String
    /// What was changed last in the console.
    let consoleUndo: String
    /// What was removed last in the console.
    let consoleRemoved: String

    package init(tenant: Tenant, isSecure: Bool) {
        let prefix = isSecure ? "__Host-" : ""
        let name = tenant.project.name
        let base = tenant.basePath.isEmpty ? "" : tenant.basePath.replacing("/", with: "!")
        let suffix = (name == "default" ? "" : "-\(name)") + base
        session = "\(prefix)gatehouse-session\(suffix)"
        form = "\(prefix)gatehouse-form\(suffix)"
        language = "\(prefix)gatehouse-language\(base)"
        setUp = "\(prefix)gatehouse-setup\(suffix)"
        deviceCode = "\(prefix)gatehouse-device\(suffix)"
        known = "\(prefix)gatehouse-known\(suffix)"
        upstream = "gatehouse-upstream\(suffix)"
        departures = (1...2).map { LongCookie("gatehouse-departure-\($0)") }
        consolePlace = "\(prefix)gatehouse-console-place\(base)"
        consoleUndo = "\(prefix)gatehouse-console-undo\(base)"
        consoleRemoved = "\(prefix)gatehouse-console-removed\(base)"
    }
}
