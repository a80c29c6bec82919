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
                DeviceAllowance($0) == nil ? StateComplaint(.notAllowance) : nil
            }),
    ]

    static let android: [RecordField<AndroidAppRules>] =
        [
            .parts(
                "applications", \.applications, blank: { AndroidAppRules.Application() },
                fields: application, named: \.name,
                complaint: { applicationComplaint($0).map { $0.complaint.of($0.key) } })
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

    static let applicationComplaint: @Sendable (AndroidAppRules.Application) -> KeyComplaint? = {
        if $0.name.isEmpty { return ("package", StateComplaint(.missing)) }
        return $0.fingerprints.isEmpty ? ("fingerprints", StateComplaint(.empty)) : nil
    }

    /// What single keys cannot tell: a method that is offered has what it needs.
    ///
    /// - Parameter secrets: those that the document brings.
    static func complaint(_ policy: RegistrationPolicy) -> KeyComplaint? {
        let methods = policy.methods.map { RegistrationMethod(rawValue: $0) }
        if methods.contains(.appAttest), policy.apple.applications.isEmpty {
            return ("apple", StateComplaint(.appAttestNeedsApp))
        }
        if methods.contains(.deviceCheck),
            policy.apple.deviceCheckKeyID.isEmpty || policy.apple.deviceCheckTeamID.isEmpty
        {
            return ("apple", StateComplaint(.deviceCheckNeedsKey))
        }
        let isAndroid = methods.contains(.keyAttestation) || methods.contains(.playIntegrity)
        if isAndroid, policy.android.applications.isEmpty {
            return ("android", StateComplaint(.androidNeedsApp))
        }
        if methods.contains(.playIntegrity), policy.android.playVerificationKey.isEmpty {
            return ("android", StateComplaint(.playNeedsKey))
        }
        return nil
    }

    /// What is wrong with a secret, or nothing.
    static func complaint(
        _ secret: Secret, as name: RegistrationSecrets.Name
    ) -> StateComplaint? {
        switch name {
        case .deviceCheckKey:
            DeviceCheckKey(pem: secret, keyID: "k", teamID: "t") == nil
                ? StateComplaint(.notAppleKey) : nil
        case .playDecryptionKey:
            Base64.decode(secret.revealText())?.count == 32
                ? nil : StateComplaint(.notPlayKey)
        }
    }

    private static let appID: TextRule = { text in
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isTeam = parts[0].utf8.count == 10
        return parts.count == 2 && isTeam && !parts[1].isEmpty && !text.contains("*")
            ? nil : StateComplaint(.notAppID)
    }

    private static let packageName: TextRule = { text in
        let isLetter: (UInt8) -> Bool = {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._".utf8.contains($0)
        }
        return text.contains(".") && text.utf8.allSatisfy(isLetter)
            ? nil : StateComplaint(.notPackage)
    }

    private static let fingerprint: TextRule = { text in
        CertificateFingerprint(text) == nil
            ? StateComplaint(.notFingerprint) : nil
    }

    private static let address: TextRule = { text in
        text.isEmpty || OutgoingAddress(text) != nil
            ? nil : StateComplaint(.notSecureAddress)
    }
}
