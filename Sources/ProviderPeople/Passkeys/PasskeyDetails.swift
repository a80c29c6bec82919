// SPDX-License-Identifier: Apache-2.0
import JOSE
package import WebAuthn

/// The content of the `details` column of a public-key credential.
package struct PasskeyDetails: Sendable, Equatable {
    package var transports: [String] = []
    /// The authenticator model; all zero if the authenticator does not report it.
    package var aaguid = ""
    package var format = ""
    package var algorithm: Int64 = 0
    package var isBackupEligible: Bool?
    package var isBackedUp = false
    package var attachment: AuthenticatorAttachment?
    /// The trust in the attestation at registration.
    package var trust = AttestationTrust.none
    /// Whether the credential is discoverable (`credProps.rk`); `nil` if the browser did not report
    /// it.
    package var isDiscoverable: Bool?

    init(_ registration: VerifiedRegistration) {
        transports = registration.transports
        aaguid = registration.aaguid.description
        format = registration.format
        algorithm = registration.algorithm.rawValue
        isBackupEligible = registration.isBackupEligible
        isBackedUp = registration.isBackedUp
        attachment = registration.authenticatorAttachment
        trust = registration.trust
        isDiscoverable = registration.extensionResults.isDiscoverable
    }

    package init(_ json: String) {
        let object = try? JSONParser.parseObject(Array(json.utf8), maximumBytes: 16_384)
        transports = object?["transports"]?.strings ?? []
        aaguid = object?["aaguid"]?.string ?? ""
        format = object?["fmt"]?.string ?? ""
        algorithm = object?["alg"]?.integer ?? 0
        isBackupEligible = object?["backup_eligible"]?.bool
        isBackedUp = object?["backed_up"]?.bool ?? false
        attachment = object?["attachment"]?.string.flatMap(AuthenticatorAttachment.init)
        trust = object?["trust"]?.string.flatMap(AttestationTrust.init) ?? .none
        isDiscoverable = object?["discoverable"]?.bool
    }

    /// The properties that determine the assurance. A record without the backup flag counts as
    /// backup eligible, the weaker kind.
    package var facts: CredentialProperties {
        CredentialProperties(
            isBackupEligible: isBackupEligible ?? true, attachment: attachment,
            transports: transports, trust: trust)
    }

    package var json: String {
        var writer = JSONWriter()
        writer.member("transports", transports)
        writer.member("aaguid", aaguid)
        writer.member("fmt", format)
        writer.member("alg", algorithm)
        if let isBackupEligible { writer.member("backup_eligible", isBackupEligible) }
        writer.member("backed_up", isBackedUp)
        writer.member("attachment", ifPresent: attachment?.rawValue)
        writer.member("trust", trust.rawValue)
        if let isDiscoverable { writer.member("discoverable", isDiscoverable) }
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
