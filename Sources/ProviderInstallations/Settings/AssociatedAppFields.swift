// SPDX-License-Identifier: Apache-2.0
package import ProviderSettings
import SingleSignOn
package import Storage

/// The keys of a project's `associated_apps`: those of Apple's association file.
package enum AssociatedAppFields {
    package static let apps: [RecordField<AssociatedApps>] = [
        .list(
            AssociatedService.webcredentials.rawValue, .impersonating, \.webCredentials,
            rule: identifier),
        .list(
            AssociatedService.authsrv.rawValue, .impersonating, \.authenticationServices,
            rule: identifier),
    ]

    private static let identifier: TextRule = { text in
        AppIdentifier.isApple(text)
            ? nil
            : ValidationIssue(.notAppleApp)
    }
}
