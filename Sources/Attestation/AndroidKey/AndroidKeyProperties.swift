// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// The properties of a key description that the policy's level permits to trust.
///
/// For hardware keys these are only the hardware-enforced ones. The application is always the
/// operating system's statement, because the hardware cannot know it.
package struct AndroidKeyProperties: Sendable {
    /// The lower of the attestation's and the key's level; `nil` if one is unknown.
    package let level: AndroidSecurityLevel?
    /// The levels of the attestation and of the key in the key description.
    package let attestationLevel: AndroidSecurityLevel?
    package let keyLevel: AndroidSecurityLevel?
    /// The level in the issuing certificates; `nil` if they state none.
    package let certifiedLevel: AndroidSecurityLevel?
    package let attestationVersion: Int64
    package let origins: Set<Int64>
    package let purposes: Set<Int64>
    /// Whether the key can be used by all applications.
    package let isForAllApplications: Bool
    package let isUsableWithoutAuthentication: Bool
    /// 1 password, 2 biometrics, 3 either; `nil` if no user authentication is required.
    package let userAuthenticationType: Int64?
    package let rootOfTrust: AndroidRootOfTrust?
    package let application: AndroidApplicationID?
    package let osVersion: Int64?
    package let osPatchLevel: Int64?
    package let vendorPatchLevel: Int64?
    package let bootPatchLevel: Int64?

    /// - Parameter trustsSoftware: Whether the software-enforced list is trusted as well.
    init(
        _ description: AndroidKeyDescription, certifiedLevel: AndroidSecurityLevel? = nil,
        trustsSoftware: Bool
    ) throws(AndroidKeyDescriptionError) {
        let (software, hardware) = (description.softwareEnforced, description.hardwareEnforced)
        let lists = trustsSoftware ? [hardware, software] : [hardware]
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
        // Either list can allow the use without authentication.
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
