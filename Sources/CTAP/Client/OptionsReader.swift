// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// Reads the JSON forms of the options that a relying party sends (WebAuthn sections 5.1.9 and
/// 5.1.10). A member that is absent or `null` is not there; what is there has the right type.
struct OptionsReader {
    let object: JSONObject
    private let name: String

    init(_ value: JSONValue?, _ name: String) throws(SecurityKeyError) {
        guard let object = value?.object else { throw .malformedOptions(name) }
        self.object = object
        self.name = name
    }

    func value(_ member: String) -> JSONValue? {
        guard let value = object[member], value != .null else { return nil }
        return value
    }

    private func read<Value>(
        _ member: String, _ get: (JSONValue) -> Value?
    ) throws(SecurityKeyError) -> Value? {
        guard let value = value(member) else { return nil }
        guard let read = get(value) else { throw .malformedOptions("\(name).\(member)") }
        return read
    }

    func required<Value>(_ value: Value?, _ member: String) throws(SecurityKeyError) -> Value {
        guard let value else { throw .malformedOptions("\(name).\(member)") }
        return value
    }

    func text(_ member: String) throws(SecurityKeyError) -> String? {
        try read(member, \.string)
    }

    func bool(_ member: String) throws(SecurityKeyError) -> Bool? { try read(member, \.bool) }

    func bytes(_ member: String) throws(SecurityKeyError) -> [UInt8]? {
        try read(member) { $0.string.flatMap { Base64URL.decode($0) } }
    }

    func texts(_ member: String) throws(SecurityKeyError) -> [String]? {
        try read(member, \.strings)
    }

    func map(_ member: String) throws(SecurityKeyError) -> OptionsReader? {
        guard let value = value(member) else { return nil }
        return try OptionsReader(value, "\(name).\(member)")
    }

    func list(_ member: String) throws(SecurityKeyError) -> [OptionsReader]? {
        guard let items = try read(member, \.array) else { return nil }
        var readers: [OptionsReader] = []
        for item in items { readers.append(try OptionsReader(item, "\(name).\(member)")) }
        return readers
    }

    /// A choice, where a value that is not known means the default.
    func choice<Choice: RawRepresentable<String>>(
        _ member: String, otherwise: Choice
    ) throws(SecurityKeyError) -> Choice {
        try text(member).flatMap(Choice.init(rawValue:)) ?? otherwise
    }

    /// Milliseconds; what is negative or absurdly long is read as absent.
    func timeout() throws(SecurityKeyError) -> Duration? {
        guard let value = value("timeout") else { return nil }
        guard let number = value.integer else { throw .malformedOptions("\(name).timeout") }
        return 1...86_400_000 ~= number ? .milliseconds(number) : nil
    }

    /// Credentials of the one known type; others are passed over. An entry has at most 1,023
    /// bytes of id.
    func credentials(_ member: String) throws(SecurityKeyError) -> [CTAPCredentialDescriptor] {
        var credentials: [CTAPCredentialDescriptor] = []
        for entry in try list(member) ?? [] {
            guard try entry.text("type") == CTAPCredentialDescriptor.publicKey else { continue }
            let id = try entry.required(try entry.bytes("id"), "id")
            guard 1...1023 ~= id.count else { throw .malformedOptions("\(name).\(member).id") }
            let transports = try entry.texts("transports")
            credentials.append(CTAPCredentialDescriptor(id: id, transports: transports))
        }
        return credentials
    }

    /// The inputs of the `prf` extension.
    func prf() throws(SecurityKeyError) -> PRFRequest? {
        guard let reader = try map("prf") else { return nil }
        var request = PRFRequest(eval: try reader.map("eval")?.prfValues())
        for entry in try reader.map("evalByCredential")?.object.members ?? [] {
            guard let id = Base64URL.decode(entry.name), !id.isEmpty else {
                throw .malformedOptions("\(name).prf.evalByCredential")
            }
            request.evalByCredential[id] = try OptionsReader(
                entry.value, "\(name).prf.evalByCredential"
            ).prfValues()
        }
        return request
    }

    private func prfValues() throws(SecurityKeyError) -> PRFRequest.Values {
        PRFRequest.Values(
            first: try required(try bytes("first"), "first"), second: try bytes("second"))
    }
}
