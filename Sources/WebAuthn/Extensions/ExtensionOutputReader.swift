// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE

/// A reader of both kinds of output: the client's, which are not signed, and the authenticator's.
struct ExtensionOutputReader {
    let client: JSONObject
    let authenticator: [CBOREntry]
    let expected: Set<String>

    /// More outputs than this no browser sends.
    static let maximumOutputs = 64

    init(
        client: JSONObject, authenticator: ExtensionOutputs?, expected: Set<String>,
        policy: ExtensionPolicy
    ) throws(ExtensionOutputRefusal) {
        self.client = client
        self.authenticator = authenticator?.outputs ?? []
        self.expected = expected
        let names = client.names + self.authenticator.compactMap(\.key.textString)
        guard names.count <= Self.maximumOutputs else {
            throw ExtensionOutputRefusal(.extensionOutputMalformed, "\(names.count) outputs")
        }
        guard policy.unsolicited == .refuse else { return }
        if let name = names.first(where: { !expected.contains($0) }) {
            throw ExtensionOutputRefusal(.extensionOutputUnexpected, "\(name) was not requested")
        }
    }

    /// Returns an output of the client, if it was requested.
    func client(_ name: String) -> JSONValue? {
        guard expected.contains(name), let value = client[name], value != .null else { return nil }
        return value
    }

    /// Returns an output of the authenticator, if it was requested.
    func authenticator(_ name: String) -> CBORValue? {
        guard expected.contains(name) else { return nil }
        return authenticator.first { $0.key.textString?.hasSameBytes(as: name) == true }?.value
    }

    func clientFlag(_ name: String) throws(ExtensionOutputParseError) -> Bool? {
        guard let value = client(name) else { return nil }
        guard let flag = value.bool else { throw ExtensionOutputParseError(name) }
        return flag
    }

    func clientObject(_ name: String) throws(ExtensionOutputParseError) -> JSONObject? {
        guard let value = client(name) else { return nil }
        guard let object = value.object else { throw ExtensionOutputParseError(name) }
        return object
    }

    static func flag(
        _ name: String, in object: JSONObject?, of identifier: String
    ) throws(ExtensionOutputParseError) -> Bool? {
        guard let value = object?[name], value != .null else { return nil }
        guard let flag = value.bool else { throw ExtensionOutputParseError(identifier) }
        return flag
    }

    func prfResults() throws(ExtensionOutputParseError) -> PRFResults? {
        guard let value = try clientObject("prf")?["results"], value != .null else { return nil }
        guard let object = value.object else { throw ExtensionOutputParseError("prf") }
        return try PRFResults(object)
    }

    /// Reads `uvm`: the authenticator's signed output if present, otherwise the client's. One to
    /// three factors, each of three numbers; the first is the method.
    func userVerificationMethods() throws(ExtensionOutputParseError) -> [UserVerificationMethod] {
        let factors: [[Int64?]]
        if let signed = authenticator("uvm") {
            guard let items = signed.items else { throw ExtensionOutputParseError("uvm") }
            factors = items.map { ($0.items ?? []).map(\.int64) }
        } else if let told = client("uvm") {
            guard let items = told.array else { throw ExtensionOutputParseError("uvm") }
            factors = items.map { ($0.array ?? []).map(\.integer) }
        } else {
            return []
        }
        guard 1...3 ~= factors.count else { throw ExtensionOutputParseError("uvm") }
        var methods: [UserVerificationMethod] = []
        for factor in factors {
            guard factor.count == 3, let first = factor[0], let number = UInt32(exactly: first)
            else { throw ExtensionOutputParseError("uvm") }
            // A method of a later registry is ignored.
            if let method = UserVerificationMethod(rawValue: number) { methods.append(method) }
        }
        return methods
    }
}

/// The reason why outputs are refused; becomes the refusal of step 7.1.28 or 7.2.23.
struct ExtensionOutputRefusal: Error {
    let code: WebAuthnRefusal.Code
    let reason: String

    init(_ code: WebAuthnRefusal.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ fault: ExtensionOutputParseError) {
        self.init(.extensionOutputMalformed, "\(fault.identifier) is not of its form")
    }
}
