// SPDX-License-Identifier: Apache-2.0
import WebAuthn

extension AndroidKeyPolicy {
    /// `KeyOrigin.GENERATED`: made inside the key store.
    private static let generated: Int64 = 0
    /// `KeyPurpose.SIGN`.
    private static let sign: Int64 = 2
    /// `KeyPurpose.VERIFY`, which is harmless for a public key.
    private static let verify: Int64 = 3

    /// Checks that the key is stored at the required level, was generated there, and only signs.
    func check(use facts: AndroidKeyProperties) throws(AttestationRefusal) {
        guard let level = facts.level, level >= minimumLevel else {
            throw AttestationRefusal(
                .securityLevelTooLow, "stored at level \(facts.level.map { "\($0)" } ?? "unknown")")
        }
        try check(levelsOf: facts)
        guard facts.origins == [Self.generated] else {
            throw AttestationRefusal(.keyOriginNotAllowed, "origin \(facts.origins.sorted())")
        }
        guard facts.purposes.contains(Self.sign),
            facts.purposes.isSubset(of: [Self.sign, Self.verify])
        else {
            throw AttestationRefusal(.keyPurposeNotAllowed, "for \(facts.purposes.sorted())")
        }
        guard !facts.isForAllApplications else {
            throw AttestationRefusal(.applicationMismatch, "for all applications")
        }
        guard requiresUserAuthentication else { return }
        guard !facts.isUsableWithoutAuthentication, (facts.userAuthenticationType ?? 0) != 0 else {
            throw AttestationRefusal(.userAuthenticationMissing, "usable without its person")
        }
    }

    /// Checks that the issuing certificates state the level.
    private func check(levelsOf facts: AndroidKeyProperties) throws(AttestationRefusal) {
        let certified = facts.certifiedLevel
        let said = certified.map { "\($0)" } ?? "no level"
        if minimumLevel == .strongBox, certified != .strongBox {
            throw AttestationRefusal(.securityLevelTooLow, "the certificates state \(said)")
        }
        guard requiresMatchingLevels else { return }
        guard facts.attestationLevel == facts.keyLevel else {
            throw AttestationRefusal(
                .securityLevelMismatch, "attestation and key are of two levels")
        }
        // Factory certificates of a trusted environment state no level.
        guard facts.keyLevel == certified || (certified == nil && facts.keyLevel != .strongBox)
        else { throw AttestationRefusal(.securityLevelMismatch, "the certificates state \(said)") }
    }

    /// Checks that the device was booted with its manufacturer's keys, and that its system is
    /// recent enough.
    func check(device facts: AndroidKeyProperties) throws(AttestationRefusal) {
        if requiresVerifiedBoot {
            guard let root = facts.rootOfTrust else {
                throw AttestationRefusal(.rootOfTrustMissing, "no root of trust")
            }
            guard root.bootState == .verified else {
                throw AttestationRefusal(
                    .bootNotVerified, "boot is \(root.bootState.map { "\($0)" } ?? "unknown")")
            }
            guard root.isDeviceLocked else {
                throw AttestationRefusal(.deviceUnlocked, "the boot loader is unlocked")
            }
        }
        let levels = [
            ("system", facts.osPatchLevel, minimumOSPatchLevel),
            ("vendor", facts.vendorPatchLevel, minimumVendorPatchLevel),
            ("boot", facts.bootPatchLevel, minimumBootPatchLevel),
        ]
        for (name, level, minimum) in levels {
            guard let minimum else { continue }
            guard let level, level >= minimum else {
                throw AttestationRefusal(
                    .patchLevelTooOld, "\(name) \(level.map { "\($0)" } ?? "unknown")")
            }
        }
    }

    /// Returns the accepted application that requested the key. The description can also name
    /// applications with the same user ID; they are signed with the same certificates.
    func application(
        of facts: AndroidKeyProperties
    ) throws(AttestationRefusal) -> AndroidApplication {
        guard let named = facts.application else {
            throw AttestationRefusal(.applicationMismatch, "no application is named")
        }
        return try applications.application(
            named: named.packages.map(\.name),
            signedWith: named.signatureDigests.map { CertificateFingerprint(bytes: $0) })
    }
}
