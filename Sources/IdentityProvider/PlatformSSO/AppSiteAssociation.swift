// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// `/.well-known/apple-app-site-association`: which extensions may sign in here (`authsrv`), and
/// which apps may use passwords and passkeys of this place (`webcredentials`).
package enum AppSiteAssociation {
    /// `nil` for a project that names no apps.
    package static func json(of tenant: Tenant) -> JSONValue? {
        let place = PlatformSSOPlace(tenant)
        guard !place.appIDs.isEmpty else { return nil }
        let apps: JSONValue = ["apps": .array(place.appIDs.map(JSONValue.string))]
        return ["authsrv": apps, "webcredentials": apps]
    }
}
