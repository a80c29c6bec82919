// SPDX-License-Identifier: Apache-2.0
import Attestation
import JOSE
package import Storage

/// `/.well-known/assetlinks.json` of a project (Google "Digital Asset Links"): the Android apps that
/// can open the URLs of the issuer and use its passkeys. They are the apps that the project accepts
/// at registration.
package struct AssetLinksDocument: Sendable {
    private let apps: [AndroidAppPolicy.Application]

    package init(_ project: Project) {
        apps = project.policy.registration.android.applications
    }

    private static let relations: JSONValue = [
        "delegate_permission/common.handle_all_urls",
        "delegate_permission/common.get_login_creds",
    ]

    package var json: [UInt8] { JSONValue.array(apps.compactMap(statement)).bytes }

    /// Returns `nil` for an app without a readable fingerprint.
    private func statement(_ app: AndroidAppPolicy.Application) -> JSONValue? {
        let fingerprints = app.fingerprints.compactMap { CertificateFingerprint($0)?.description }
        guard !fingerprints.isEmpty else { return nil }
        return [
            "relation": Self.relations,
            "target": [
                "namespace": "android_app", "package_name": .string(app.name),
                "sha256_cert_fingerprints": .array(fingerprints.map(JSONValue.string)),
            ],
        ]
    }
}
