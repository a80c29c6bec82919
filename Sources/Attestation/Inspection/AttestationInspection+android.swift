// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

extension AttestationInspection {
    static func androidKey(
        _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        let verifier = AndroidKeyVerifier(
            policy: try keyPolicy(fields), roots: try fields.roots(orElse: VendorRoots.androidKey))
        let evidence = UnverifiedAndroidKey(
            certificates: try fields.certificates("certificates") ?? [])
        let expectation = try fields.expectation(key: try fields.key("publicKey"))
        let verified = try await verifier.inspect(evidence, expectation)
        let facts = verified.facts
        return [
            "publicKey": verified.key.json,
            "packageName": .string(verified.application.packageName),
            "certifiedLevel": facts.certifiedLevel.map { .string("\($0)") } ?? .null,
            "level": facts.level.map { .string("\($0)") } ?? .null,
            "attestationVersion": .integer(facts.attestationVersion),
            "bootState": facts.rootOfTrust?.bootState.map { .string("\($0)") } ?? .null,
            "deviceLocked": facts.rootOfTrust.map { .bool($0.isDeviceLocked) } ?? .null,
            "osVersion": number(facts.osVersion), "osPatchLevel": number(facts.osPatchLevel),
            "vendorPatchLevel": number(facts.vendorPatchLevel),
            "bootPatchLevel": number(facts.bootPatchLevel),
            "userAuthenticationType": number(facts.userAuthenticationType),
        ]
    }

    static func playIntegrity(
        _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        let decryption = Secret(try fields.reader.required("decryptionKey", .string))
        let verification = try fields.reader.required("verificationKey", .string)
        guard let keys = PlayIntegrityKeys(decryption: decryption, verification: verification)
        else {
            throw .badInput("\"decryptionKey\" and \"verificationKey\" must be as in the console")
        }
        let verifier = PlayIntegrityVerifier(keys: keys, policy: try integrityPolicy(fields))
        let token = try fields.reader.required("token", .string)
        let expectation = try fields.expectation(key: nil)
        let evidence = try InspectionError.refusing { () throws(AttestationRefusal) in
            try UnverifiedPlayIntegrityToken(token)
        }
        let verified = try await verifier.inspect(evidence, expectation)
        return [
            "packageName": .string(verified.verdict.request.packageName),
            "recognition": .string(verified.verdict.app.recognition),
            "versionCode": number(verified.verdict.app.versionCode),
            "deviceLabels": .array(verified.verdict.deviceLabels.map { .string($0) }),
            "licensing": verified.verdict.licensing.map { .string($0) } ?? .null,
            "time": .string(verified.verdict.request.time.rfc3339),
        ]
    }

    private static func keyPolicy(
        _ fields: InspectionFields
    ) throws(InspectionError) -> AndroidKeyPolicy {
        var policy = AndroidKeyPolicy(
            applications: try fields.applications(), revocation: try revocation(fields))
        let level = try fields.reader.optional(
            "minimumLevel",
            JSONForm("software, trustedEnvironment or strongBox") { value in
                AndroidSecurityLevel.allCases.first { "\($0)" == value.string }
            })
        policy.minimumLevel = level ?? policy.minimumLevel
        policy.requiresMatchingLevels = try fields.flag("requiresMatchingLevels", false)
        policy.requiresVerifiedBoot = try fields.flag("requiresVerifiedBoot", true)
        policy.requiresUserAuthentication = try fields.flag("requiresUserAuthentication", false)
        policy.minimumOSPatchLevel = try fields.integer("minimumOSPatchLevel")
        policy.minimumVendorPatchLevel = try fields.integer("minimumVendorPatchLevel")
        policy.minimumBootPatchLevel = try fields.integer("minimumBootPatchLevel")
        return policy
    }

    /// Reads `"revocation":"ignored"`, or `"revocationList"` with the list itself, whose age is
    /// then zero.
    private static func revocation(
        _ fields: InspectionFields
    ) throws(InspectionError) -> AndroidKeyPolicy.Revocation {
        let isIgnored = JSONForm<Bool>("checked or ignored") { value in
            value.string.flatMap { ["checked": false, "ignored": true][$0] }
        }
        if try fields.reader.optional("revocation", isIgnored) ?? false { return .ignored }
        let now = try fields.now()
        let list = try fields.reader.optional(
            "revocationList",
            JSONForm("Google's status list") { value in
                try? RevocationStatusList(json: value.bytes, fetched: now)
            })
        return .checked(list, maximumAge: AndroidKeyPolicy.usualRevocationAge)
    }

    private static func integrityPolicy(
        _ fields: InspectionFields
    ) throws(InspectionError) -> PlayIntegrityPolicy {
        var policy = PlayIntegrityPolicy(applications: try fields.applications())
        policy.deviceLabels = try fields.set("deviceLabels") ?? policy.deviceLabels
        policy.requiresRecognizedApp = try fields.flag("requiresRecognizedApp", true)
        policy.requiresLicence = try fields.flag("requiresLicence", false)
        policy.acceptsTestingResponses = try fields.flag("acceptsTestingResponses", false)
        if let seconds = try fields.integer("maximumAge") {
            policy.maximumAge = .seconds(seconds)
        }
        return policy
    }

    private static func number(_ value: Int64?) -> JSONValue {
        value.map { .integer($0) } ?? .null
    }
}
