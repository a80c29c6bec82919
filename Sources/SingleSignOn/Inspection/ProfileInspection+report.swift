// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The output of `gatehouse inspect profile`.
extension ProfileInspection {
    /// Returns `{"verdict","code","reason","value"}`: refused if it cannot be read, or has an
    /// error.
    package static func verdict(on bytes: [UInt8], context: Context = Context()) -> JSONValue {
        do throws(ProfileParseError) {
            return try ProfileInspection(bytes, context: context).verdict
        } catch {
            let place = error.place.map { " (\($0))" } ?? ""
            return verdict(code: error.code, reason: error.reason + place, value: [:])
        }
    }

    private static func verdict(code: String, reason: String, value: JSONValue) -> JSONValue {
        [
            "verdict": code == "ok" ? "accepted" : "refused", "code": .string(code),
            "reason": .string(reason), "value": value,
        ]
    }

    package var verdict: JSONValue {
        guard let error = findings.first(where: { $0.severity == .error }) else {
            return Self.verdict(code: "ok", reason: "", value: value)
        }
        let path = error.path.isEmpty ? "" : error.path + " "
        let place = "\(path)(\(document.place(at: error.offset)))"
        let remedy = error.remedy.isEmpty ? "" : "; \(error.remedy)"
        return Self.verdict(
            code: error.code.rawValue, reason: "\(place): \(error.problem)\(remedy)", value: value)
    }

    /// The configuration and the findings. Tokens are omitted. Of the extension data only the names
    /// are included, because the values may be secret.
    package var value: JSONValue {
        var object = JSONObject()
        object["format"] = .string(document.format.rawValue)
        object["signature"] = signatureValue
        switch subject {
        case .profile(let profile):
            object["kind"] = "profile"
            object["profile"] =
                PropertyList.dictionary(
                    profile.envelope.entries.filter { $0.name != "EncryptedPayloadContent" }
                ).json
            object["associatedDomains"] = .array(
                profile.associatedDomains.map(\.propertyList.json))
        case .declaration(let declaration):
            object["kind"] = "declaration"
            object["identifier"] = .string(declaration.identifier)
        }
        object["singleSignOn"] = .array(singleSignOn.map { Self.json($0) })
        if let needs {
            object["needs"] = [
                "macOS": .string(needs.system.description),
                "because": .array(needs.paths.prefix(20).map { .string($0) }),
            ]
        }
        object["findings"] = .array(
            findings.map { $0.json(at: document.place(at: $0.offset)) })
        return .object(object)
    }

    private var signatureValue: JSONValue {
        guard let signature else { return ["status": "unsigned"] }
        return [
            "status": "not verified", "signers": .integer(Int64(signature.signers)),
            "certificates": .array(signature.certificateNames.map { .string($0) }),
        ]
    }

    /// Returns the configuration with defaults for absent keys.
    private static func json(_ configuration: SSOConfiguration) -> JSONValue {
        var shown = configuration.withDefaults
        shown.platformSSO = configuration.isPlatformSSO ? shown.platformSSO?.withDefaults : nil
        let hidden = ["RegistrationToken", "ExtensionData"]
        var object = JSONObject(
            shown.entries.filter { !hidden.contains($0.name) }
                .map { JSONObject.Member(name: $0.name, value: $0.value.json) })
        object["RegistrationToken"] = configuration.registrationToken.map { _ in "[redacted]" }
        object["ExtensionData"] = configuration.extensionData.map { entries in
            .array(entries.map { .string($0.name) })
        }
        object["Kerberos"] = configuration.kerberos?.withDefaults.propertyList.json
        return .object(object)
    }
}
