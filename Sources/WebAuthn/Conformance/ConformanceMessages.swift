// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The JSON of the FIDO conformance tests' server API: the same ceremonies under other spellings,
/// for a development server only.
package enum ConformanceMessages {
    /// `POST /attestation/options`.
    package struct CreationRequest: Sendable, Equatable {
        package let username: String
        package let displayName: String
        package let residentKey: ResidentKeyRequirement
        package let userVerification: UserVerificationRequirement
        package let authenticatorAttachment: AuthenticatorAttachment?
        package let attestation: AttestationConveyance
        /// Echoed in the options.
        package let extensions: JSONObject

        package init(_ json: JSONValue) throws(ParseError) {
            let reader = ConformanceMessages.reader(json)
            username = try reader.required("username", .string(1...256))
            displayName = try reader.required("displayName", .string(1...256))
            let selection = ConformanceMessages.reader(json["authenticatorSelection"])
            let required = selection.object["requireResidentKey"] == true
            residentKey =
                try selection.optional("residentKey", .choice)
                ?? (required ? .required : .discouraged)
            userVerification = try selection.optional("userVerification", .choice) ?? .preferred
            authenticatorAttachment = try selection.optional("authenticatorAttachment", .choice)
            attestation = try reader.optional("attestation", .choice) ?? .none
            extensions = json["extensions"]?.object ?? JSONObject()
        }

        /// Returns the requested options.
        package func options(
            relyingParty: RelyingParty, name: String, userId: [UInt8], challenge: [UInt8],
            excluding known: [CredentialDescriptor], algorithms: [COSEAlgorithm]
        ) -> CreationOptions {
            var options = CreationOptions(
                relyingParty: relyingParty, name: name,
                user: .init(id: userId, name: username, displayName: displayName),
                challenge: challenge)
            options.algorithms = algorithms
            options.excludeCredentials = known
            options.residentKey = residentKey
            options.userVerification = userVerification
            options.authenticatorAttachment = authenticatorAttachment
            options.attestation = attestation
            options.extensions.others = extensions
            return options
        }
    }

    /// `POST /assertion/options`.
    package struct AssertionRequest: Sendable, Equatable {
        package let username: String
        package let userVerification: UserVerificationRequirement
        /// Echoed in the options.
        package let extensions: JSONObject

        package init(_ json: JSONValue) throws(ParseError) {
            let reader = ConformanceMessages.reader(json)
            username = try reader.required("username", .string(1...256))
            userVerification = try reader.optional("userVerification", .choice) ?? .preferred
            extensions = json["extensions"]?.object ?? JSONObject()
        }

        /// Returns the requested options.
        package func options(
            relyingParty: RelyingParty, challenge: [UInt8], allowing known: [CredentialDescriptor]
        ) -> RequestOptions {
            var options = RequestOptions(relyingParty: relyingParty, challenge: challenge)
            options.allowCredentials = known
            options.userVerification = userVerification
            options.extensions.others = extensions
            return options
        }
    }

    /// A member that is missing or of another form.
    package struct ParseError: Error, Sendable, Equatable {
        package let member: String

        package init(member: String) { self.member = member }
    }

    private static func reader(_ value: JSONValue?) -> JSONReader<ParseError> {
        JSONReader(value?.object ?? JSONObject(), ignoresNull: true) {
            ParseError(member: $0.member)
        }
    }

    // MARK: Responses

    /// `{"status":"ok","errorMessage":"",…}` with the members of the options.
    package static func succeeded(with options: JSONValue = [:]) -> JSONValue {
        let head = [
            JSONObject.Member(name: "status", value: "ok"),
            JSONObject.Member(name: "errorMessage", value: ""),
        ]
        return .object(JSONObject(head + (options.object?.members ?? [])))
    }

    /// `{"status":"failed","errorMessage":…}`: the stable code, and no private reason.
    package static func failed(_ code: String) -> JSONValue {
        ["status": "failed", "errorMessage": .string(code)]
    }

    // MARK: Responses

    /// `POST /attestation/result` and `/assertion/result`: the response in the spelling of WebAuthn
    /// section 5.1. The tests write `getClientExtensionResults`, leave `rawId` out, and send an
    /// empty user handle for none.
    package static func response(_ json: JSONValue) -> JSONValue {
        guard var credential = json.object else { return json }
        if credential["rawId"] == nil { credential["rawId"] = credential["id"] }
        if credential["clientExtensionResults"] == nil {
            credential["clientExtensionResults"] = credential["getClientExtensionResults"]
        }
        credential["getClientExtensionResults"] = nil
        if var response = credential["response"]?.object, response["userHandle"] == "" {
            response["userHandle"] = nil
            credential["response"] = .object(response)
        }
        return .object(credential)
    }
}
