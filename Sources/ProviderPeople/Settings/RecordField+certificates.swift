// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import ProviderSettings
import WebAuthn

extension RecordField {
    package typealias Texts = any (WritableKeyPath<Record, [String]> & Sendable)

    /// Certificates in PEM, or in Base64 of DER; stored in the latter form.
    package static func certificates(
        _ name: String, _ effect: SettingEffect, _ path: Texts
    ) -> RecordField {
        der(name, effect, path, of: .wordCertificate) { (try? TrustAnchors(der: [$0])) != nil }
    }

    /// Public keys, or certificates with the keys.
    package static func rootKeys(
        _ name: String, _ effect: SettingEffect, _ path: Texts
    ) -> RecordField {
        der(name, effect, path, of: .wordCertificateOrKey) { (try? RootKeys(der: [$0])) != nil }
    }

    /// Public keys on P-256, or RSA keys.
    package static func publicKeys(
        _ name: String, _ effect: SettingEffect, _ path: Texts
    ) -> RecordField {
        der(name, effect, path, of: .wordPublicKey) { (try? PublicJWK(der: $0)) != nil }
    }

    /// Certificate revocation lists and OCSP responses.
    package static func evidence(
        _ name: String, _ effect: SettingEffect, _ path: Texts
    ) -> RecordField {
        der(name, effect, path, of: .wordRevocation) { bytes in
            var evidence = RevocationData()
            return (try? evidence.add(bytes)) != nil
        }
    }

    /// One of the values of an enumeration.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, Choice> & Sendable)
    ) -> RecordField where Choice.RawValue == String {
        RecordField(name: name, effect) {
            .string($0[keyPath: path].rawValue)
        } write: {
            guard let value = $0.string.flatMap(Choice.init(rawValue:)) else {
                return .notOneOf(Choice.allCases.map(\.rawValue))
            }
            $1[keyPath: path] = value
            return nil
        }
    }

    private static func der(
        _ name: String, _ effect: SettingEffect, _ path: Texts, of thing: ValidationIssueCode,
        isReadable: @escaping @Sendable ([UInt8]) -> Bool
    ) -> RecordField {
        RecordField(name: name, effect) {
            .array($0[keyPath: path].map(JSONValue.string))
        } write: { value, record in
            guard let texts = value.strings, texts.count <= TextRules.maximumElements else {
                return ValidationIssue(.notElements, ["most": "\(TextRules.maximumElements)"])
            }
            var kept: [String] = []
            for (index, text) in texts.enumerated() {
                guard let der = content(text), isReadable(der) else {
                    return ValidationIssue(
                        .notReadable,
                        [
                            "index": ValidationIssue.position(index),
                            "thing": .complaint(ValidationIssue(thing)),
                        ])
                }
                kept.append(Base64.encode(der))
            }
            record[keyPath: path] = kept
            return nil
        }.with(\.isPEM, true)
    }

    private static var maximumContentLength: Int { 131_072 }

    /// Decodes one value in PEM or in Base64, with or without line ends.
    private static func content(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= maximumContentLength else { return nil }
        if text.contains("-----") { return try? PEMBlock(text, limit: maximumContentLength).der }
        return Base64.decode(text.filter { !$0.isWhitespace })
    }
}
