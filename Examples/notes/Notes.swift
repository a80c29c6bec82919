// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// Notes are kept by a service of the app's own: ``NotesService``.
extension NotesApp {
    /// The client ID of the service at the provider: the audience of its tokens.
    static let audience = "notes-service"
    static let scope = "notes"

    struct Refused: Error, CustomStringConvertible {
        let status: Int
        var description: String { "The notes service refuses: \(status)." }
    }

    func add(_ text: String) async throws {
        _ = try await ask("POST", Array(try JSONEncoder().encode([text])))
        print("Noted.")
    }

    func list() async throws {
        let answer = try await ask("GET", nil)
        for line in try JSONDecoder().decode([String].self, from: Data(answer)) { print(line) }
    }

    /// With a token that is for the service alone: what the app itself may do at the provider, the
    /// service cannot do with it. It is bound to this installation's key, which signs each request.
    private func ask(_ method: String, _ body: [UInt8]?) async throws -> [UInt8] {
        var request = ResourceRequest(service + "/notes", method: method, body: body)
        if body != nil { request.set("content-type", "application/json") }
        let answer = try await client.session().data(
            for: request, audience: Self.audience, scopes: [Self.scope])
        guard (200...201).contains(answer.status) else { throw Refused(status: answer.status) }
        return answer.body
    }
}
