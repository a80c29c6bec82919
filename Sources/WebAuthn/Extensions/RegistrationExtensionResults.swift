// SPDX-License-Identifier: Apache-2.0
import CBOR
package import JOSE

/// The outputs for ``RegistrationExtensions``, validated. Client outputs are not signed.
package struct RegistrationExtensionResults: Sendable, Equatable {
    /// `credProps.rk`: whether the credential is discoverable; `nil` if the client does not state
    /// it.
    package let isDiscoverable: Bool?
    /// `prf.enabled`.
    package let hasPseudoRandomFunction: Bool?
    package let pseudoRandomResults: PRFResults?
    /// `largeBlob.supported`.
    package let supportsLargeBlob: Bool?
    /// `credProtect`, signed.
    package let credentialProtection: CredentialProtectionPolicy?
    /// `minPinLength`, signed; in code points.
    package let minimumPINLength: Int64?
    /// `credBlob`, signed: whether the authenticator stored the bytes.
    package let storedCredentialBlob: Bool?
    /// `appidExclude`: whether the client acted on it.
    package let excludedByAppID: Bool?
    package let userVerificationMethods: [UserVerificationMethod]

    /// Step 7.1.28.
    package init(
        _ asked: RegistrationExtensions, client: JSONObject, authenticator: ExtensionOutputs?,
        policy: ExtensionPolicy
    ) throws(WebAuthnRefusal) {
        do throws(ExtensionOutputRefusal) {
            try self.init(asked, client, authenticator, policy)
        } catch {
            throw WebAuthnRefusal(CeremonyStep(.registration, 28), error.code, error.reason)
        }
    }

    private init(
        _ asked: RegistrationExtensions, _ client: JSONObject, _ authenticator: ExtensionOutputs?,
        _ policy: ExtensionPolicy
    ) throws(ExtensionOutputRefusal) {
        // Most responses have no output, and then the expected names are not needed.
        let isSilent = client.isEmpty && authenticator == nil
        let reader = try ExtensionOutputReader(
            client: client, authenticator: authenticator, expected: isSilent ? [] : asked.expected,
            policy: policy)
        do throws(ExtensionOutputParseError) { try self.init(reader) } catch {
            throw ExtensionOutputRefusal(error)
        }
        guard let wanted = asked.credentialProtection, policy.refusesWeakerProtection else {
            return
        }
        guard let given = credentialProtection, given >= wanted else {
            throw ExtensionOutputRefusal(
                .credentialProtectionWeaker,
                "\(credentialProtection?.name ?? "none") is less than \(wanted.name)")
        }
    }

    private init(_ reader: ExtensionOutputReader) throws(ExtensionOutputParseError) {
        isDiscoverable = try ExtensionOutputReader.flag(
            "rk", in: try reader.clientObject("credProps"), of: "credProps")
        hasPseudoRandomFunction = try ExtensionOutputReader.flag(
            "enabled", in: try reader.clientObject("prf"), of: "prf")
        pseudoRandomResults = try reader.prfResults()
        supportsLargeBlob = try ExtensionOutputReader.flag(
            "supported", in: try reader.clientObject("largeBlob"), of: "largeBlob")
        credentialProtection = try Self.protection(reader)
        minimumPINLength = try Self.pinLength(reader)
        storedCredentialBlob = try Self.readStoredCredentialBlob(reader)
        excludedByAppID = try reader.clientFlag("appidExclude")
        userVerificationMethods = try reader.userVerificationMethods()
    }

    private static func protection(
        _ reader: ExtensionOutputReader
    ) throws(ExtensionOutputParseError) -> CredentialProtectionPolicy? {
        guard let value = reader.authenticator("credProtect") else { return nil }
        guard let policy = value.int64.flatMap({ CredentialProtectionPolicy(rawValue: $0) }) else {
            throw ExtensionOutputParseError("credProtect")
        }
        return policy
    }

    private static func pinLength(
        _ reader: ExtensionOutputReader
    ) throws(ExtensionOutputParseError) -> Int64? {
        guard let value = reader.authenticator("minPinLength") else { return nil }
        guard let length = value.int64, 4...63 ~= length else {
            throw ExtensionOutputParseError("minPinLength")
        }
        return length
    }

    private static func readStoredCredentialBlob(
        _ reader: ExtensionOutputReader
    ) throws(ExtensionOutputParseError) -> Bool? {
        guard let value = reader.authenticator("credBlob") else { return nil }
        guard value == .bool(true) || value == .bool(false) else {
            throw ExtensionOutputParseError("credBlob")
        }
        return value == .bool(true)
    }
}
