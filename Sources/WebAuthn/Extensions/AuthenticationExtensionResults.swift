// SPDX-License-Identifier: Apache-2.0
import CBOR
package import JOSE
import Primitives

/// The outputs for ``AuthenticationExtensions``, validated. Client outputs are not signed.
package struct AuthenticationExtensionResults: Sendable, Equatable {
    /// `appid`: whether the assertion is under the AppID's hash, which has been verified.
    package let usedAppID: Bool
    package let pseudoRandomResults: PRFResults?
    /// `largeBlob.blob`.
    package let largeBlob: [UInt8]?
    /// `largeBlob.written`.
    package let wroteLargeBlob: Bool?
    /// `credBlob`, signed; at most 64 bytes, empty if the credential has none.
    package let credentialBlob: [UInt8]?
    package let userVerificationMethods: [UserVerificationMethod]

    /// Step 7.2.23.
    package init(
        _ asked: AuthenticationExtensions, client: JSONObject, authenticator: ExtensionOutputs?,
        policy: ExtensionPolicy
    ) throws(WebAuthnRefusal) {
        do throws(ExtensionOutputRefusal) {
            try self.init(asked, client, authenticator, policy)
        } catch {
            throw WebAuthnRefusal(CeremonyStep(.authentication, 23), error.code, error.reason)
        }
    }

    private init(
        _ asked: AuthenticationExtensions, _ client: JSONObject,
        _ authenticator: ExtensionOutputs?, _ policy: ExtensionPolicy
    ) throws(ExtensionOutputRefusal) {
        // Independent of the policy: the output claims that another RP ID hash applies.
        if asked.appID == nil, client["appid"] == true {
            throw ExtensionOutputRefusal(.extensionOutputUnexpected, "appid was not requested")
        }
        // Most responses have no output, and then the expected names are not needed.
        let isSilent = client.isEmpty && authenticator == nil
        let reader = try ExtensionOutputReader(
            client: client, authenticator: authenticator, expected: isSilent ? [] : asked.expected,
            policy: policy)
        do throws(ExtensionOutputParseError) { try self.init(reader) } catch {
            throw ExtensionOutputRefusal(error)
        }
    }

    private init(_ reader: ExtensionOutputReader) throws(ExtensionOutputParseError) {
        usedAppID = try reader.clientFlag("appid") ?? false
        pseudoRandomResults = try reader.prfResults()
        let blob = try reader.clientObject("largeBlob")
        wroteLargeBlob = try ExtensionOutputReader.flag("written", in: blob, of: "largeBlob")
        largeBlob = try Self.blob(blob)
        credentialBlob = try Self.credentialBlob(reader)
        userVerificationMethods = try reader.userVerificationMethods()
    }

    private static func blob(_ object: JSONObject?) throws(ExtensionOutputParseError) -> [UInt8]? {
        guard let value = object?["blob"], value != .null else { return nil }
        guard let bytes = value.string.flatMap({ Base64URL.decode($0) }) else {
            throw ExtensionOutputParseError("largeBlob")
        }
        return bytes
    }

    private static func credentialBlob(
        _ reader: ExtensionOutputReader
    ) throws(ExtensionOutputParseError) -> [UInt8]? {
        guard let value = reader.authenticator("credBlob") else { return nil }
        guard let bytes = value.byteString, bytes.count <= 64 else {
            throw ExtensionOutputParseError("credBlob")
        }
        return Array(bytes)
    }
}
