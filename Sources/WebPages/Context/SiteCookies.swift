// SPDX-License-Identifier: Apache-2.0
import HTTPServer
package import ProviderCore
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
    package let setUp: String
    /// The device code of a link that was opened before signing in.
    let deviceCode: String
    /// The cookie with the people who signed in with this browser (``KnownBrowser``).
    let known: String
    /// The cookie with the data for signing out at the upstream provider. It is sent only to those
    /// pages, to save bandwidth elsewhere. A cookie with a path has no `__Host-` prefix; a cookie
    /// that another site of the domain sets is rejected, because it is not sealed.
    let upstream: String
    /// The cookies of sign-ins at upstream providers that are under way (``UpstreamTransaction``),
    /// so that two windows can sign in at the same time. They are sent only to the pages of that
    /// provider, like ``upstream``.
    let departures: [LongCookie]
    /// The page of the console to return to after a sign-in.
    let consolePlace: String
    /// What was changed last in the console.
    package let consoleUndo: String
    /// What was removed last in the console.
    package let consoleRemoved: String

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

    /// Sets the cookie with the language that the reader chose.
    static func setLanguage(
        _ code: String, in response: inout ServerResponse, for request: ServerRequest,
        isPartitioned: Bool = false
    ) {
        response.setCookie(
            SiteCookies(tenant: request.tenant, isSecure: request.isSecure).language, code,
            isSecure: request.isSecure, maxAge: 365 * 86_400, isPartitioned: isPartitioned)
    }
}
