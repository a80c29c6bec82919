// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// The member `extensions` of the WebAuthn inspections: what the options asked for, as they went
/// to the client. Outputs that it explains are read; without it none is expected.
enum InspectExtensions {
    typealias BadInput = InspectWebAuthnHead.BadInput

    static func registration(_ input: JSONValue) throws(BadInput) -> RegistrationExtensions {
        var extensions = RegistrationExtensions()
        for member in try members(of: input) {
            switch member.name {
            case "credProps": extensions.credentialProperties = member.value.bool ?? false
            case "prf":
                extensions.pseudoRandomFunction = true
                extensions.pseudoRandomInputs = try values(member.value["eval"])
            case "largeBlob":
                extensions.largeBlob = member.value["support"]?.string.flatMap {
                    RegistrationExtensions.LargeBlobSupport(rawValue: $0)
                }
            case "credentialProtectionPolicy":
                extensions.credentialProtection = CredentialProtectionPolicy.allCases.first {
                    $0.name == member.value.string
                }
            case "enforceCredentialProtectionPolicy":
                extensions.enforcesCredentialProtection = member.value.bool ?? false
            case "minPinLength": extensions.minimumPINLength = member.value.bool ?? false
            case "credBlob": extensions.credentialBlob = try bytes(member.value)
            case "appidExclude": extensions.appIDExclude = member.value.string
            case "uvm": extensions.userVerificationMethod = member.value.bool ?? false
            default: extensions.others[member.name] = member.value
            }
        }
        return extensions
    }

    static func authentication(_ input: JSONValue) throws(BadInput) -> AuthenticationExtensions {
        var extensions = AuthenticationExtensions()
        for member in try members(of: input) {
            switch member.name {
            case "appid": extensions.appID = member.value.string
            case "prf": extensions.pseudoRandomInputs = try values(member.value["eval"])
            case "largeBlob":
                extensions.largeBlob =
                    if let write = member.value["write"] {
                        .write(try bytes(write))
                    } else {
                        .read
                    }
            case "getCredBlob": extensions.credentialBlob = member.value.bool ?? false
            case "uvm": extensions.userVerificationMethod = member.value.bool ?? false
            default: extensions.others[member.name] = member.value
            }
        }
        return extensions
    }

    private static func members(of input: JSONValue) throws(BadInput) -> [JSONObject.Member] {
        try InspectWebAuthnHead.optional("extensions", in: input, "an object", \.object)?.members
            ?? []
    }

    private static func bytes(_ value: JSONValue) throws(BadInput) -> [UInt8] {
        guard let bytes = value.string.flatMap({ Base64URL.decode($0) }) else {
            throw BadInput("\"extensions\" has bytes that are no base64url string")
        }
        return bytes
    }

    private static func values(_ value: JSONValue?) throws(BadInput) -> PRFValues? {
        guard let value, value != .null else { return nil }
        guard let first = value["first"] else { throw BadInput("\"prf\" has no first input") }
        var values = PRFValues(first: try bytes(first))
        if let second = value["second"] { values.second = try bytes(second) }
        return values
    }

    /// What came back, by the names of the inputs. Secrets that were derived are not printed.
    static func json(_ results: RegistrationExtensionResults) -> JSONValue {
        var object = JSONObject()
        object["credProps"] = results.isDiscoverable.map { ["rk": .bool($0)] }
        object["prf"] = results.hasPseudoRandomFunction.map {
            ["enabled": .bool($0), "evaluated": .bool(results.pseudoRandomResults != nil)]
        }
        object["largeBlob"] = results.supportsLargeBlob.map { ["supported": .bool($0)] }
        object["credProtect"] = results.credentialProtection.map { .string($0.name) }
        object["minPinLength"] = results.minimumPINLength.map { .integer($0) }
        object["credBlob"] = results.storedCredentialBlob.map { .bool($0) }
        object["appidExclude"] = results.excludedByAppID.map { .bool($0) }
        object["uvm"] = json(results.userVerificationMethods)
        return .object(object)
    }

    static func json(_ results: AuthenticationExtensionResults) -> JSONValue {
        var object = JSONObject()
        object["appid"] = .bool(results.usedAppID)
        object["prf"] = results.pseudoRandomResults.map { _ in ["evaluated": true] }
        object["largeBlob"] =
            results.largeBlob.map { ["blob": .string(Base64URL.encode($0))] }
            ?? results.wroteLargeBlob.map { ["written": .bool($0)] }
        object["credBlob"] = results.credentialBlob.map { .string(Base64URL.encode($0)) }
        object["uvm"] = json(results.userVerificationMethods)
        return .object(object)
    }

    private static func json(_ methods: [UserVerificationMethod]) -> JSONValue? {
        methods.isEmpty ? nil : .array(methods.map { .integer(Int64($0.rawValue)) })
    }
}
