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
        roots("roots", \AppleAppRules.roots),
        .flag("checks_receipt", \.checksReceipt),
        .text("assertions", \.assertions, rule: TextRules.oneOf(["optional", "required"])),
        .text("device_check_key_id", \.deviceCheckKeyID),
        .text("device_check_team_id", \.deviceCheckTeamID),
        .text("device_check_address", \.deviceCheckAddress, rule: address),
        .flag("device_check_once", \.deviceCheckOnce),
    ]

    static let android: [RecordField<AndroidAppRules>] = [
        .parts(
            "applications", \.applications, blank: { AndroidAppRules.Application() },
            fields: [
                .text("package", \.name, rule: packageName),
                .list("fingerprints", \.fingerprints, rule: fingerprint),
            ], named: \.name,
            complaint: {
                if $0.name.isEmpty { return "package is missing" }
                return $0.fingerprints.isEmpty ? "fingerprints is empty" : nil
            }),
        .text(
            "minimum_level", \.minimumLevel,
            rule: TextRules.oneOf(AndroidAppRules.levels.keys.sorted())),
        .flag("verified_boot", \.verifiedBoot),
        .flag("user_authentication", \.userAuthentication),
        .number("minimum_os_patch", \.minimumOSPatch, in: 0...999_999),
        .number("minimum_vendor_patch", \.minimumVendorPatch, in: 0...99_999_999),
        .number("minimum_boot_patch", \.minimumBootPatch, in: 0...99_999_999),
        roots("roots", \AndroidAppRules.roots),
        .text("revocation", \.revocation, rule: TextRules.oneOf(["checked", "ignored"])),
        .text("play_verification_key", \.playVerificationKey),
        .list("play_device_labels", \.playDeviceLabels),
        .flag("play_recognized_app", \.playRecognizedApp),
        .flag("play_licence", \.playLicence),
        .flag("play_testing_responses", \.playTestingResponses),
    ]

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

    /// Public keys or certificates, each as PEM or as base64 of its DER; kept as the latter.
    private static func roots<Record>(
        _ name: String, _ path: any (WritableKeyPath<Record, [String]> & Sendable)
    ) -> RecordField<Record> {
        RecordField(name: name) {
            .array($0[keyPath: path].map(JSONValue.string))
        } write: { value, record in
            guard let texts = value.strings, texts.count <= TextRules.mostElements else {
                return "must be a list of at most \(TextRules.mostElements) keys or certificates"
            }
            var roots: [String] = []
            for (index, text) in texts.enumerated() {
                guard let der = WebAuthnFields.certificate(text),
                    (try? RootKeys(der: [der])) != nil
                else {
                    return "element \(index) is neither a key nor a certificate; give PEM, or "
                        + "base64 of its DER"
                }
                roots.append(Base64.encode(der))
            }
            record[keyPath: path] = roots
            return nil
        }
    }
}
