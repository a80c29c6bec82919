// SPDX-License-Identifier: Apache-2.0
import SingleSignOn
package import Storage

/// `/.well-known/apple-app-site-association` of a project (Apple "Supporting associated domains").
package struct AssociationDocument: Sendable {
    private let apps: AssociatedApps

    package init(_ apps: AssociatedApps) { self.apps = apps }

    package var json: [UInt8] {
        SiteAssociation.file([
            (.webcredentials, apps.webCredentials), (.authsrv, apps.authenticationServices),
        ])
    }
}
