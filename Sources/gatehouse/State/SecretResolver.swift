// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE
import ProviderSettings

/// Fetches the secrets that a state document names instead of holding.
struct SecretResolver: Sendable {
    /// Before relative paths; ends with a slash unless it is empty.
    let folder: String
    let environment: @Sendable (String) -> String?

    private static let names = [
        "client_secret", "password", "device_check_key", "play_decryption_key",
    ]

    func resolve(_ value: JSONValue, at path: String) throws(LocatedValidationIssue) -> JSONValue {
        switch value {
        case .array(let elements):
            var resolved: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                resolved.append(try resolve(element, at: "\(path)[\(index)]"))
            }
            return .array(resolved)
        case .object(let object): return .object(try resolve(object, at: path))
        default: return value
        }
    }

    private func resolve(
        _ object: JSONObject, at path: String
    ) throws(LocatedValidationIssue) -> JSONObject {
        var resolved: [JSONObject.Member] = []
        for member in object.members {
            let place = path.isEmpty ? member.name : "\(path).\(member.name)"
            guard let (name, secret) = try secret(for: member, at: place) else {
                let value = try resolve(member.value, at: place)
                resolved.append(JSONObject.Member(name: member.name, value: value))
                continue
            }
            guard object[name] == nil, !resolved.contains(where: { $0.name == name }) else {
                throw LocatedValidationIssue(
                    path: place, .verbatim("gives \(name) for the second time"))
            }
            resolved.append(JSONObject.Member(name: name, value: .string(secret)))
        }
        return JSONObject(resolved)
    }

    /// `nil` when the member names no secret.
    private func secret(
        for member: JSONObject.Member, at place: String
    ) throws(LocatedValidationIssue) -> (name: String, secret: String)? {
        for name in Self.names {
            guard member.name == name + "_file" || member.name == name + "_env" else { continue }
            guard let reference = member.value.string, !reference.isEmpty else {
                throw LocatedValidationIssue(
                    path: place, .verbatim("is \(member.value.kind); it must be a name"))
            }
            return member.name.hasSuffix("_env")
                ? (name, try variable(reference, at: place))
                : (name, try file(reference, at: place))
        }
        return nil
    }

    private func variable(_ name: String, at place: String) throws(LocatedValidationIssue) -> String
    {
        guard let value = environment(name), !value.isEmpty else {
            throw LocatedValidationIssue(
                path: place, .verbatim("the environment variable \(name) is not set"))
        }
        return value
    }

    private func file(_ name: String, at place: String) throws(LocatedValidationIssue) -> String {
        let path = name.hasPrefix("/") ? name : folder + name
        guard let content = try? SecretFile.read(path, limit: 65_536) else {
            throw LocatedValidationIssue(path: place, .verbatim("the file \(path) cannot be read"))
        }
        guard let text = String(validating: content.trimmedLine, as: UTF8.self), !text.isEmpty
        else {
            throw LocatedValidationIssue(
                path: place, .verbatim("the file \(path) contains no text"))
        }
        return text
    }
}
