// SPDX-License-Identifier: Apache-2.0
import Attestation
import Primitives
import Storage
import WebAuthn

extension AndroidAppPolicy {
    /// What was stored was checked when it was written; a root that cannot be read trusts nobody.
    var rootKeys: RootKeys {
        guard !roots.isEmpty else { return VendorRoots.androidKey }
        return (try? RootKeys(der: roots.compactMap { Base64.decode($0) })) ?? .none
    }

    private var known: [AndroidApplication] {
        applications.map {
            AndroidApplication(
                packageName: $0.name,
                fingerprints: Set($0.fingerprints.compactMap { CertificateFingerprint($0) }))
        }
    }

    static let levels: [String: AndroidSecurityLevel] = [
        "software": .software, "trusted_environment": .trustedEnvironment,
        "strong_box": .strongBox,
    ]

    /// `nil` where no app is named.
    ///
    /// - Parameter revoked: the list as it is now; not asked for when it does not count.
    func keyAttestation(
        revoked: () async -> RevocationStatusList?
    ) async -> AndroidKeyVerifier? {
        guard !applications.isEmpty, let level = Self.levels[minimumLevel] else { return nil }
        let revocation: AndroidKeyPolicy.Revocation =
            if self.revocation == "ignored" {
                .ignored
            } else {
                .checked(await revoked(), maximumAge: AndroidKeyPolicy.usualRevocationAge)
            }
        var policy = AndroidKeyPolicy(applications: known, revocation: revocation)
        policy.minimumLevel = level
        policy.requiresMatchingLevels = matchingLevels
        policy.requiresVerifiedBoot = verifiedBoot
        policy.requiresUserAuthentication = userAuthentication
        policy.minimumOSPatchLevel = minimumOSPatch == 0 ? nil : minimumOSPatch
        policy.minimumVendorPatchLevel = minimumVendorPatch == 0 ? nil : minimumVendorPatch
        policy.minimumBootPatchLevel = minimumBootPatch == 0 ? nil : minimumBootPatch
        return AndroidKeyVerifier(policy: policy, roots: rootKeys)
    }

    /// `nil` where no app is named, or without both keys of the Play Console.
    func playIntegrity(_ secrets: RegistrationSecrets) -> PlayIntegrityVerifier? {
        guard !applications.isEmpty, let decryption = secrets.open(.playDecryptionKey),
            let keys = PlayIntegrityKeys(
                decryption: decryption, verification: playVerificationKey)
        else { return nil }
        var policy = PlayIntegrityPolicy(applications: known)
        policy.deviceLabels = Set(playDeviceLabels)
        policy.requiresRecognizedApp = playRecognizedApp
        policy.requiresLicence = playLicence
        policy.acceptsTestingResponses = playTestingResponses
        return PlayIntegrityVerifier(keys: keys, policy: policy)
    }
}
