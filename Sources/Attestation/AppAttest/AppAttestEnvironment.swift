// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// The App Attest environment in which a key was created (the entitlement
/// `com.apple.developer.devicecheck.appattest-environment`).
package enum AppAttestEnvironment: String, Sendable, CaseIterable {
    case development
    case production

    /// The AAGUID of the environment: 16 bytes of ASCII, filled with zeros.
    var aaguid: AAGUID? {
        switch self {
        case .development: AAGUID(Array("appattestdevelop".utf8))
        case .production: AAGUID(Array("appattest".utf8) + [UInt8](repeating: 0, count: 7))
        }
    }

    /// The name of the environment in a receipt.
    var receiptName: String {
        switch self {
        case .development: "sandbox"
        case .production: "production"
        }
    }
}

/// A rule for the source of an app (App Store, TestFlight, …), which systems from iOS 27 on write
/// into the attestation.
///
/// Apple has not documented its location yet, so the caller supplies the reader. Without a rule it
/// is not read. The tests put it into an extension of the leaf.
package struct AppAttestValidationCategory: Sendable {
    /// Returns the category of an attestation, or `nil` if it has none, as up to iOS 26.
    package let read: @Sendable (AttestationCertificate, AuthenticatorData) -> String?
    /// The categories that may register.
    package let allowed: Set<String>
    /// Whether an attestation without a category may register.
    package let acceptsNone: Bool

    package init(
        allowed: Set<String>, acceptsNone: Bool,
        read: @escaping @Sendable (AttestationCertificate, AuthenticatorData) -> String?
    ) {
        self.allowed = allowed
        self.acceptsNone = acceptsNone
        self.read = read
    }

    /// Checks the category and returns it.
    func check(
        _ leaf: AttestationCertificate, _ data: AuthenticatorData
    ) throws(AttestationRefusal) -> String? {
        let category = read(leaf, data)
        guard category.map(allowed.contains) ?? acceptsNone else {
            throw AttestationRefusal(
                .validationCategoryNotAllowed, "category \(category ?? "none")")
        }
        return category
    }
}
