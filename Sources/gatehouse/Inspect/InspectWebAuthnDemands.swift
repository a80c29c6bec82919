// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// Reads the optional members of the WebAuthn inspections: requirements of the relying party beyond
/// its options. Names and values are those of the provider.
enum InspectWebAuthnDemands {
    typealias BadInput = InspectWebAuthnHead.BadInput

    /// Reads `conditional`, `backup`, `unsolicitedExtensions`, and the requirements for
    /// attestation.
    static func apply(
        _ input: JSONValue, to expectation: inout RegistrationExpectation
    ) throws(BadInput) {
        if let conditional = try flag("conditional", input) {
            expectation.isConditional = conditional
        }
        if let backup: BackupPolicy = try choice("backup", input) { expectation.backup = backup }
        try apply(input, to: &expectation.extensionPolicy)
        try apply(input, to: &expectation.attestation)
    }

    /// `allowCredentials`, `requiresUserHandle`, `owner`, `signCountPolicy`,
    /// `unsolicitedExtensions`.
    static func apply(
        _ input: JSONValue, to expectation: inout AssertionExpectation
    ) throws(BadInput) {
        if let list = try bytes(listed: "allowCredentials", input) {
            expectation.allowCredentials = list
        }
        if let isRequired = try flag("requiresUserHandle", input) {
            expectation.requiresUserHandle = isRequired
        }
        expectation.owner = try handle("owner", input)
        if let policy: AssertionExpectation.SignCountPolicy = try choice("signCountPolicy", input) {
            expectation.signCountPolicy = policy
        }
        try apply(input, to: &expectation.extensionPolicy)
    }

    private static func apply(
        _ input: JSONValue, to policy: inout ExtensionPolicy
    ) throws(BadInput) {
        if let rule: ExtensionPolicy.Unsolicited = try choice("unsolicitedExtensions", input) {
            policy.unsolicited = rule
        }
    }

    /// `acceptsNone`, `acceptsSelf`, `acceptsUnanchored`, `allowedModels`, `deniedModels`,
    /// `compoundRule`, `requiresHardwareKeyOfAndroid`, `requiresZeroAAGUIDFromU2F`.
    private static func apply(
        _ input: JSONValue, to policy: inout AttestationPolicy
    ) throws(BadInput) {
        if let accepts = try flag("acceptsNone", input) { policy.acceptsNone = accepts }
        if let accepts = try flag("acceptsSelf", input) { policy.acceptsSelf = accepts }
        if let accepts = try flag("acceptsUnanchored", input) { policy.acceptsUnanchored = accepts }
        policy.allowedModels = try models("allowedModels", input)
        policy.deniedModels = try models("deniedModels", input) ?? []
        if let rule: CompoundRule = try choice("compoundRule", input) { policy.compoundRule = rule }
        if let isRequired = try flag("requiresHardwareKeyOfAndroid", input) {
            policy.requiresHardwareKeyOfAndroid = isRequired
        }
        if let isRequired = try flag("requiresZeroAAGUIDFromU2F", input) {
            policy.requiresZeroAAGUIDFromU2F = isRequired
        }
    }

    // MARK: Reading

    private static func flag(_ name: String, _ input: JSONValue) throws(BadInput) -> Bool? {
        try InspectWebAuthnHead.optional(name, in: input, "true or false", \.bool)
    }

    private static func choice<Value: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ input: JSONValue
    ) throws(BadInput) -> Value? {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return try InspectWebAuthnHead.optional(name, in: input, "one of: \(words)") {
            $0.string.flatMap(Value.init(rawValue:))
        }
    }

    private static func models(
        _ name: String, _ input: JSONValue
    ) throws(BadInput) -> Set<AAGUID>? {
        try InspectWebAuthnHead.optional(name, in: input, "a list of AAGUIDs") { value in
            guard let texts = value.strings else { return nil }
            let models = texts.compactMap { AAGUID($0) }
            return models.count == texts.count ? Set(models) : nil
        }
    }

    private static func bytes(
        listed name: String, _ input: JSONValue
    ) throws(BadInput) -> [[UInt8]]? {
        try InspectWebAuthnHead.optional(name, in: input, "a list of base64url strings") { value in
            guard let texts = value.strings else { return nil }
            let list = texts.compactMap { Base64URL.decode($0) }
            return list.count == texts.count ? list : nil
        }
    }

    /// A user handle.
    static func handle(_ name: String, _ input: JSONValue) throws(BadInput) -> [UInt8]? {
        try InspectWebAuthnHead.optional(name, in: input, "a base64url string") {
            $0.string.flatMap { Base64URL.decode($0) }
        }
    }
}
