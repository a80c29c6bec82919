// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

/// The members that both WebAuthn inspections begin with: whose ceremony it is, and what that
/// party asked for.
struct InspectWebAuthnHead {
    let relyingParty: RelyingParty
    let challenge: [UInt8]
    let userVerification: UserVerificationRequirement
    let response: JSONValue

    /// The input is not what the command reads; becomes ``Verdict/badInput(_:)``.
    struct BadInput: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    init(_ input: JSONValue) throws(BadInput) {
        guard let id = input["rpId"]?.string else { throw BadInput("\"rpId\" must be a string") }
        guard let origins = input["origins"]?.strings else {
            throw BadInput("\"origins\" must be a list of strings")
        }
        relyingParty = RelyingParty(
            id: id, origins: origins,
            topOrigins: try Self.optional("topOrigins", in: input, "a list of strings", \.strings)
                ?? [],
            allowCrossOrigin: try Self.optional(
                "allowCrossOrigin", in: input, "true or false", \.bool)
                ?? false)
        challenge = try Self.bytes("challenge", in: input)
        let wanted = try Self.optional("userVerification", in: input, "a string", \.string)
        guard let requirement = UserVerificationRequirement(rawValue: wanted ?? "preferred") else {
            throw BadInput("\"userVerification\" must be required, preferred or discouraged")
        }
        userVerification = requirement
        guard let response = input["response"], response.object != nil else {
            throw BadInput("\"response\" must be an object")
        }
        self.response = response
    }

    /// Returns the algorithms in a list of their numbers, or `nil` if the member is absent. Unknown
    /// numbers are ignored, because no key here can use them.
    static func algorithms(
        _ name: String, in input: JSONValue
    ) throws(BadInput) -> [COSEAlgorithm]? {
        try optional(name, in: input, "a list of numbers") { value in
            let numbers = value.array?.map(\.integer)
            guard let numbers, !numbers.contains(nil) else { return nil }
            return numbers.compactMap { $0.flatMap { COSEAlgorithm(rawValue: $0) } }
        }
    }

    static func bytes(_ name: String, in input: JSONValue) throws(BadInput) -> [UInt8] {
        guard let text = input[name]?.string, let bytes = Base64URL.decode(text) else {
            throw BadInput("\"\(name)\" must be a base64url string")
        }
        return bytes
    }

    /// `nil` when absent or `null`.
    static func optional<Value>(
        _ name: String, in input: JSONValue, _ form: String, _ read: (JSONValue) -> Value?
    ) throws(BadInput) -> Value? {
        guard let member = input[name], member != .null else { return nil }
        guard let value = read(member) else { throw BadInput("\"\(name)\" must be \(form)") }
        return value
    }

    /// The flags by their names in the specification.
    static func json(_ flags: AuthenticatorFlags) -> JSONValue {
        [
            "up": .bool(flags.contains(.userPresent)),
            "uv": .bool(flags.contains(.userVerified)),
            "be": .bool(flags.contains(.backupEligible)),
            "bs": .bool(flags.contains(.backupState)),
            "at": .bool(flags.contains(.attestedCredentialData)),
            "ed": .bool(flags.contains(.extensionData)),
        ]
    }

    static func json(_ extensions: ExtensionOutputs?) -> JSONValue {
        extensions.map { .string(Base64URL.encode($0.bytes)) } ?? .null
    }

    static func refused(_ refusal: WebAuthnRefusal) -> Verdict {
        .refused(
            code: refusal.code.rawValue, reason: "step \(refusal.step): \(refusal.reason)")
    }
}
