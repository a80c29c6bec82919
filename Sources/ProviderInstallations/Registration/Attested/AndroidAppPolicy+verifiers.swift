// SPDX-License-Identifier: Apache-2.0
import Attestation
import Primitives
import Storage
import WebAuthn

extension AndroidAppPolicy {
    /// The stored values are valid roots. If one is not, no root is trusted.
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

    /// Returns `nil` if the policy names no app.
    ///
    /// - Parameter revoked: returns the current list; it is not called if the policy ignores
    ///   revocation.
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

    /// Returns `nil` if the policy names no app, or lacks one of the two keys of the Play Console.
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
