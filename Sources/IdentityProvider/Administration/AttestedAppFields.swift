// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import Storage
import WebAuthn

/// The keys of `registration.apple` and `registration.android`: which apps are believed. Their
/// secrets are read elsewhere, see ``RegistrationSecrets``.
enum AttestedAppFields {
    static let apple: [RecordField<AppleAppRules>] = [
        .list("applications", \.applications, rule: appID),
        .text(
            "environment", \.environment,
            rule: TextRules.oneOf(AppAttestEnvironment.allCases.map(\.rawValue))),
        .rootKeys("roots", \AppleAppRules.roots),
        .flag("checks_receipt", \.checksReceipt),
        .text("assertions", \.assertions, rule: TextRules.oneOf(["optional", "required"])),
        .text("device_check_key_id", \.deviceCheckKeyID),
        .text("device_check_team_id", \.deviceCheckTeamID),
        .text("device_check_address", \.deviceCheckAddress, rule: address),
        .flag("device_check_once", \.deviceCheckOnce),
        .list(
            "device_check_again", \.deviceCheckAgain,
            rule: {
                DeviceAllowance($0) == nil ? "must be NAME until 2026-12-01T00:00:00Z" : nil
            }),
    ]

    static let android: [RecordField<AndroidAppRules>] =
        [
            .parts(
                "applications", \.applications, blank: { AndroidAppRules.Application() },
                fields: application, named: \.name, complaint: applicationComplaint)
        ] + androidRules

    /// But for the apps themselves.
    static let androidRules: [RecordField<AndroidAppRules>] = [
        .text(
            "minimum_level", \.minimumLevel,
            rule: TextRules.oneOf(AndroidAppRules.levels.keys.sorted())),
        .flag("verified_boot", \.verifiedBoot),
        .flag("user_authentication", \.userAuthentication),
        .number("minimum_os_patch", \.minimumOSPatch, in: 0...999_999),
        .number("minimum_vendor_patch", \.minimumVendorPatch, in: 0...99_999_999),
        .number("minimum_boot_patch", \.minimumBootPatch, in: 0...99_999_999),
        .rootKeys("roots", \AndroidAppRules.roots),
        .text("revocation", \.revocation, rule: TextRules.oneOf(["checked", "ignored"])),
        .text("play_verification_key", \.playVerificationKey),
        .list("play_device_labels", \.playDeviceLabels),
        .flag("play_recognized_app", \.playRecognizedApp),
        .flag("play_licence", \.playLicence),
        .flag("play_testing_responses", \.playTestingResponses),
    ]

    /// An app by its package name, and what it is signed with.
    static let application: [RecordField<AndroidAppRules.Application>] = [
        .text("package", \.name, rule: packageName),
        .list("fingerprints", \.fingerprints, rule: fingerprint),
        .text("owner", \.owner),
    ]

    static let applicationComplaint: @Sendable (AndroidAppRules.Application) -> String? = {
        if $0.name.isEmpty { return "package is missing" }
        return $0.fingerprints.isEmpty ? "fingerprints is empty" : nil
    }

    /// What single keys cannot tell: a method that is offered has what it needs.
    ///
    /// - Parameter secrets: those that the document brings.
    static func complaint(_ policy: RegistrationPolicy) -> (key: String, message: String)? {
        let methods = policy.methods.map { RegistrationMethod(rawValue: $0) }
        if methods.contains(.appAttest), policy.apple.applications.isEmpty {
            return ("apple", "applications is empty; the method appAttest needs one")
        }
        if methods.contains(.deviceCheck),
            policy.apple.deviceCheckKeyID.isEmpty || policy.apple.deviceCheckTeamID.isEmpty
        {
            return (
                "apple",
                "device_check_key_id and device_check_team_id are needed by the method deviceCheck"
            )
        }
        let isAndroid = methods.contains(.keyAttestation) || methods.contains(.playIntegrity)
        if isAndroid, policy.android.applications.isEmpty {
            return (
                "android",
                "applications is empty; the methods keyAttestation and playIntegrity need one"
            )
        }
        if methods.contains(.playIntegrity), policy.android.playVerificationKey.isEmpty {
            return ("android", "play_verification_key is needed by the method playIntegrity")
        }
        return nil
    }

    /// What is wrong with a secret, or nothing.
    static func complaint(_ secret: Secret, as name: RegistrationSecrets.Name) -> String? {
        switch name {
        case .deviceCheckKey:
            DeviceCheckKey(pem: secret, keyID: "k", teamID: "t") == nil
                ? "must be a P-256 key as Apple hands it out (.p8)" : nil
        case .playDecryptionKey:
            Base64.decode(secret.revealText())?.count == 32
                ? nil : "must be base64 of 32 bytes, as in the Play Console"
        }
    }

    private static let appID: TextRule = { text in
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isTeam = parts[0].utf8.count == 10
        return parts.count == 2 && isTeam && !parts[1].isEmpty && !text.contains("*")
            ? nil : "must be an App ID such as ABCDE12345.com.example.notes"
    }

    private static let packageName: TextRule = { text in
        let isLetter: (UInt8) -> Bool = {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._".utf8.contains($0)
        }
        return text.contains(".") && text.utf8.allSatisfy(isLetter)
            ? nil : "must be a package name such as com.example.notes"
    }

    private static let fingerprint: TextRule = { text in
        CertificateFingerprint(text) == nil
            ? "must be SHA-256 of a signing certificate, in hexadecimal" : nil
    }

    private static let address: TextRule = { text in
        text.isEmpty || OutgoingAddress(text) != nil
            ? nil : "must be an https address, or http on this machine"
    }
}
