// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

/// Writes a secret that the provider returns only once, to standard output or to a new file.
struct OneTimeSecretOutput {
    /// The member of the response with the secret.
    let member: String
    /// The name of the secret in sentences, such as `token`.
    let name: String
    /// The path of a new file; `nil` for standard output.
    let path: String?

    /// Creates the resource and writes its secret.
    ///
    /// - Parameter note: Describes the response without the secret, for standard error.
    func make(
        by operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        body: JSONObject, in place: ProjectOptions, note: (JSONObject) -> String
    ) async throws {
        let made = try await place.call(operation, names, body: .object(body))
        var answer = made.object ?? JSONObject()
        guard let secret = answer[member]?.string else {
            throw CommandError("the response has no new \(name)")
        }
        if let path {
            let end = secret.hasSuffix("\n") ? "" : "\n"
            try SecretFile.replace(path, Array((secret + end).utf8))
            answer[member] = nil
            answer["file"] = .string(path)
        }
        if place.output.json { return print(JSONValue.object(answer).text) }
        print(path.map { "the \(name) is in \($0)" } ?? secret.withoutLastLineFeed)
        StandardError.print(note(answer))
    }

    static func validity(_ answer: JSONObject) -> String {
        "valid until \(answer["expires_at"]?.string ?? "-")"
    }
}
