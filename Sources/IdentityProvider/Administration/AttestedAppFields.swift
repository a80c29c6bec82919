// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import Storage
import WebAuthn

/// The keys of `registration.apple` and `registration.android`: which apps are believed. Their
/// secrets are read elsewhere, see ``RegistrationSecrets``.
///
/// Which app and which team count is as good as the roots of its evidence: whoever adds an app of
/// their own has the keys that it makes for people believed.
enum AttestedAppFields {
    static let apple: [RecordField<AppleAppPolicy>] = [
        .list("applications", .impersonating, \.applications, rule: appID),
        .text(
            "environment", .impersonating, \.environment,
            rule: TextRules.oneOf(AppAttestEnvironment.allCases.map(\.rawValue))),
        .rootKeys("roots", .impersonating, \AppleAppPolicy.roots),
        .flag("checks_receipt", .impersonating, \.checksReceipt),
        .rootKeys("receipt_roots", .impersonating, \AppleAppPolicy.receiptRoots),
        .text(
            "assertions", .impersonating, \.assertions,
            rule: TextRules.oneOf(["optional", "required"])),
        .text("device_check_key_id", .impersonating, \.deviceCheckKeyID),
        .text("device_check_team_id", .impersonating, \.deviceCheckTeamID),
        .text("device_check_address", .impersonating, \.deviceCheckAddress, rule: address),
        .flag("device_check_once", .ordinary, \.deviceCheckOnce),
        .list(
            "device_check_again", .ordinary, \.deviceCheckAgain,
            rule: {
                DeviceAllowance($0) == nil ? ValidationIssue(.notAllowance) : nil
            }),
    ]

    static let android: [RecordField<AndroidAppPolicy>] =
        [
            .parts(
                "applications", \.applications, blank: { AndroidAppPolicy.Application() },
                fields: application, named: \.name,
                complaint: { applicationComplaint($0).map { $0.complaint.of($0.key) } })
        ] + androidRules

    /// But for the apps themselves.
    static let androidRules: [RecordField<AndroidAppPolicy>] = [
        .text(
            "minimum_level", .impersonating, \.minimumLevel,
            rule: TextRules.oneOf(AndroidAppPolicy.levels.keys.sorted())),
        .flag("matching_levels", .impersonating, \.matchingLevels),
        .flag("verified_boot", .impersonating, \.verifiedBoot),
        .flag("user_authentication", .impersonating, \.userAuthentication),
        .number("minimum_os_patch", .impersonating, \.minimumOSPatch, in: 0...999_999),
        .number("minimum_vendor_patch", .impersonating, \.minimumVendorPatch, in: 0...99_999_999),
        .number("minimum_boot_patch", .impersonating, \.minimumBootPatch, in: 0...99_999_999),
        .rootKeys("roots", .impersonating, \AndroidAppPolicy.roots),
        .text(
            "revocation", .impersonating, \.revocation,
            rule: TextRules.oneOf(["checked", "ignored"])),
        .text("play_verification_key", .impersonating, \.playVerificationKey),
        .list("play_device_labels", .impersonating, \.playDeviceLabels),
        .flag("play_recognized_app", .impersonating, \.playRecognizedApp),
        .flag("play_licence", .impersonating, \.playLicence),
        .flag("play_testing_responses", .impersonating, \.playTestingResponses),
    ]

    /// An app by its package name, and what it is signed with.
    static let application: [RecordField<AndroidAppPolicy.Application>] = [
        .text("package", .impersonating, \.name, rule: packageName),
        .list("fingerprints", .impersonating, \.fingerprints, rule: fingerprint),
        .text("owner", .ordinary, \.owner),
    ]

    static let applicationComplaint: @Sendable (AndroidAppPolicy.Application) -> CrossFieldRule? = {
        if $0.name.isEmpty { return ("package", ValidationIssue(.missing)) }
        return $0.fingerprints.isEmpty ? ("fingerprints", ValidationIssue(.empty)) : nil
    }

    /// What single keys cannot tell: a method that is offered has what it needs.
    ///
    /// - Parameter secrets: those that the document brings.
    static func complaint(_ policy: RegistrationPolicy) -> CrossFieldRule? {
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

    /// What is wrong with a secret, or nothing.
    static func complaint(
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
