// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
package import Primitives
import ProviderCore
import ProviderPeople
package import ProviderSettings
package import Storage
import WebAuthn

/// The keys of `registration.apple` and `registration.android`: the accepted apps. Their secrets
/// are read elsewhere, see ``RegistrationSecrets``.
///
/// The list of apps and teams is as sensitive as the roots of their evidence: the keys of every app
/// in it are accepted as sign-in keys.
package enum AttestedAppFields {
    package static let apple: [RecordField<AppleAppPolicy>] = [
        .list("applications", .impersonating, \.applications, rule: appID)
            .with(\.summary, "App IDs: TEAMID.bundle.id."),
        .text(
            "environment", .impersonating, \.environment,
            rule: TextRules.oneOf(AppAttestEnvironment.allCases.map(\.rawValue))),
        .flag("checks_receipt", .impersonating, \.checksReceipt),
        .text(
            "assertions", .impersonating, \.assertions,
            rule: TextRules.oneOf(["optional", "required"])),
        .text("device_check_team_id", .impersonating, \.deviceCheckTeamID),
        .text("device_check_key_id", .impersonating, \.deviceCheckKeyID),
        .flag("device_check_once", .ordinary, \.deviceCheckOnce),
        .text("device_check_address", .impersonating, \.deviceCheckAddress, rule: address),
        .list(
            "device_check_again", .ordinary, \.deviceCheckAgain,
            rule: {
                DeviceAllowance($0) == nil ? ValidationIssue(.notAllowance) : nil
            }
        ).with(\.summary, "Devices that may register once more: NAME until RFC3339."),
        .rootKeys("roots", .impersonating, \AppleAppPolicy.roots),
        .rootKeys("receipt_roots", .impersonating, \AppleAppPolicy.receiptRoots),
    ]

    static let android: [RecordField<AndroidAppPolicy>] =
        [
            .parts(
                "applications", \.applications, blank: { AndroidAppPolicy.Application() },
                fields: application, named: \.name,
                complaint: { applicationComplaint($0).map { $0.complaint.of($0.key) } })
        ] + androidRules

    /// All keys except the list of apps.
    package static let androidRules: [RecordField<AndroidAppPolicy>] = [
        .text(
            "minimum_level", .impersonating, \.minimumLevel,
            rule: TextRules.oneOf(AndroidAppPolicy.levels.sorted { $0.value < $1.value }.map(\.key))
        ),
        .text(
            "revocation", .impersonating, \.revocation,
            rule: TextRules.oneOf(["checked", "ignored"])),
        .number("minimum_os_patch", .impersonating, \.minimumOSPatch, in: 0...999_999)
            .with(\.summary, "Year and month, 202511."),
        .number("minimum_vendor_patch", .impersonating, \.minimumVendorPatch, in: 0...99_999_999),
        .number("minimum_boot_patch", .impersonating, \.minimumBootPatch, in: 0...99_999_999),
        .flag("matching_levels", .impersonating, \.matchingLevels),
        .flag("verified_boot", .impersonating, \.verifiedBoot),
        .flag("user_authentication", .impersonating, \.userAuthentication),
        .flag("play_recognized_app", .impersonating, \.playRecognizedApp),
        .flag("play_licence", .impersonating, \.playLicence),
        .flag("play_testing_responses", .impersonating, \.playTestingResponses),
        .list("play_device_labels", .impersonating, \.playDeviceLabels),
        .text("play_verification_key", .impersonating, \.playVerificationKey),
        .rootKeys("roots", .impersonating, \AndroidAppPolicy.roots),
    ]

    /// An app by its package name, with the fingerprints of its signing certificates.
    package static let application: [RecordField<AndroidAppPolicy.Application>] = [
        .text("package", .impersonating, \.name, rule: packageName).with(\.isNeeded, true),
        .list("fingerprints", .impersonating, \.fingerprints, rule: fingerprint)
            .with(\.summary, "SHA-256 of signing certificates, in hexadecimal.")
            .with(\.isNeeded, true),
        .text("owner", .ordinary, \.owner).with(\.summary, "Who is responsible for it."),
    ]

    package static let applicationComplaint:
        @Sendable (AndroidAppPolicy.Application) -> CrossFieldRule? = {
            if $0.name.isEmpty { return ("package", ValidationIssue(.missing)) }
            return $0.fingerprints.isEmpty ? ("fingerprints", ValidationIssue(.empty)) : nil
        }

    /// Checks conditions across keys: an offered method must have the settings that it requires.
    ///
    /// - Parameter secrets: the secrets in the document.
    package static func complaint(_ policy: RegistrationPolicy) -> CrossFieldRule? {
        let methods = policy.methods.map { AppRegistrationMethod(rawValue: $0) }
        if methods.contains(.appAttest), policy.apple.applications.isEmpty {
            return ("apple", ValidationIssue(.appAttestNeedsApp))
        }
        if methods.contains(.deviceCheck),
            policy.apple.deviceCheckKeyID.isEmpty || policy.apple.deviceCheckTeamID.isEmpty
        {
            return ("apple", ValidationIssue(.deviceCheckNeedsKey))
        }
        let isAndroid = methods.contains(.keyAttestation) || methods.contains(.playIntegrity)
        if isAndroid, policy.android.applications.isEmpty {
            return ("android", ValidationIssue(.androidNeedsApp))
        }
        if methods.contains(.playIntegrity), policy.android.playVerificationKey.isEmpty {
            return ("android", ValidationIssue(.playNeedsKey))
        }
        return nil
    }

    /// Returns the issue of a secret, or `nil`.
    package static func complaint(
        _ secret: Secret, as name: RegistrationSecrets.Name
    ) -> ValidationIssue? {
        switch name {
        case .deviceCheckKey:
            DeviceCheckKey(pem: secret, keyID: "k", teamID: "t") == nil
                ? ValidationIssue(.notAppleKey) : nil
        case .playDecryptionKey:
            Base64.decode(secret.revealText())?.count == 32
                ? nil : ValidationIssue(.notPlayKey)
        }
    }

    private static let appID: TextRule = { text in
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isTeam = parts[0].utf8.count == 10
        return parts.count == 2 && isTeam && !parts[1].isEmpty && !text.contains("*")
            ? nil : ValidationIssue(.notAppID)
    }

    private static let packageName: TextRule = { text in
        let isLetter: (UInt8) -> Bool = {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._".utf8.contains($0)
        }
        return text.contains(".") && text.utf8.allSatisfy(isLetter)
            ? nil : ValidationIssue(.notPackage)
    }

    private static let fingerprint: TextRule = { text in
        CertificateFingerprint(text) == nil
            ? ValidationIssue(.notFingerprint) : nil
    }

    private static let address: TextRule = { text in
        text.isEmpty || OutgoingURL(text) != nil
            ? nil : ValidationIssue(.notSecureAddress)
    }
}
