// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// What the key description says, as far as the policy's level lets it be believed: of hardware
/// keys only what hardware enforces, and of the application what the system says, which is the
/// only one that knows.
package struct AndroidKeyProperties: Sendable {
    /// The weaker of the attestation's and the key's; `nil` when one is unknown.
    package let level: AndroidSecurityLevel?
    /// Of the attestation and of the key, as the key description has them.
    package let attestationLevel: AndroidSecurityLevel?
    package let keyLevel: AndroidSecurityLevel?
    /// What the issuing certificates say; `nil` when they say nothing.
    package let certifiedLevel: AndroidSecurityLevel?
    package let attestationVersion: Int64
    package let origins: Set<Int64>
    package let purposes: Set<Int64>
    /// The key belongs to no application in particular.
    package let isForAllApplications: Bool
    package let isUsableWithoutAuthentication: Bool
    /// 1 password, 2 biometrics, 3 either; `nil` when no person is asked for.
    package let userAuthenticationType: Int64?
    package let rootOfTrust: AndroidRootOfTrust?
    package let application: AndroidApplicationID?
    package let osVersion: Int64?
    package let osPatchLevel: Int64?
    package let vendorPatchLevel: Int64?
    package let bootPatchLevel: Int64?

    /// - Parameter believesSoftware: Whether the list that the system enforces counts as well.
    init(
        _ description: AndroidKeyDescription, certifiedLevel: AndroidSecurityLevel? = nil,
        believesSoftware: Bool
    ) throws(AndroidKeyDescriptionError) {
        let (software, hardware) = (description.softwareEnforced, description.hardwareEnforced)
        let lists = believesSoftware ? [hardware, software] : [hardware]
        self.certifiedLevel = certifiedLevel
        attestationLevel = description.attestationSecurityLevel
        keyLevel = description.keyMintSecurityLevel
        if let attestation = description.attestationSecurityLevel,
            let key = description.keyMintSecurityLevel
        {
            level = min(attestation, key)
        } else {
            level = nil
        }
        attestationVersion = description.attestationVersion
        origins = Set(lists.compactMap(\.origin))
        purposes = lists.reduce(into: []) { $0.formUnion($1.purposes) }
        isForAllApplications = software.isForAllApplications || hardware.isForAllApplications
        // Whoever says so, it may be used without.
        let hardwareAlone = try hardware.isUsableWithoutAuthentication()
        let softwareAlone = try software.isUsableWithoutAuthentication()
        isUsableWithoutAuthentication = hardwareAlone || softwareAlone
        rootOfTrust = try Self.first(lists) { list throws(AndroidKeyDescriptionError) in
            try list.rootOfTrust()
        }
        application = try software.applicationID()
        userAuthenticationType = try Self.number(.userAuthenticationType, lists)
        osVersion = try Self.number(.osVersion, lists)
        osPatchLevel = try Self.number(.osPatchLevel, lists)
        vendorPatchLevel = try Self.number(.vendorPatchLevel, lists)
        bootPatchLevel = try Self.number(.bootPatchLevel, lists)
    }

    private static func number(
        _ number: AndroidAuthorizationList.Number, _ lists: [AndroidAuthorizationList]
    ) throws(AndroidKeyDescriptionError) -> Int64? {
        try first(lists) { list throws(AndroidKeyDescriptionError) in try list.number(number) }
    }

    private static func first<Value>(
        _ lists: [AndroidAuthorizationList],
        _ read: (AndroidAuthorizationList) throws(AndroidKeyDescriptionError) -> Value?
    ) throws(AndroidKeyDescriptionError) -> Value? {
        for list in lists {
            if let value = try read(list) { return value }
        }
        return nil
    }
}
