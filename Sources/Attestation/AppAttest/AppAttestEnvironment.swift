// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// Which of Apple's two App Attest environments made a key (the entitlement
/// `com.apple.developer.devicecheck.appattest-environment`).
package enum AppAttestEnvironment: String, Sendable, CaseIterable {
    case development
    case production

    /// What stands in the place of the model: 16 bytes of ASCII, filled with zeros.
    var aaguid: AAGUID? {
        switch self {
        case .development: AAGUID(Array("appattestdevelop".utf8))
        case .production: AAGUID(Array("appattest".utf8) + [UInt8](repeating: 0, count: 7))
        }
    }

    /// How a receipt calls it.
    var receiptName: String {
        switch self {
        case .development: "sandbox"
        case .production: "production"
        }
    }
}

/// Judges where an app came from (App Store, TestFlight, …), which systems from iOS 27 on write
/// into the attestation.
///
/// Where it stands was not published when this was written, so the reader is given from outside;
/// without a rule nobody looks. The tests put it into an extension of the leaf.
package struct AppAttestValidationCategory: Sendable {
    /// The category of an attestation, or `nil` when it has none, as up to iOS 26.
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

    /// The category that was found.
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
