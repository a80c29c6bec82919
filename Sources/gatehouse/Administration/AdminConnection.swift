// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE
import Primitives
import ProviderAdministration
import ProviderSettings
import UserClient

/// A connection to the Admin API of a running provider.
struct AdminConnection: Sendable {
    private let url: String
    private let token: Secret
    private let client: WebClient

    /// - Parameter url: with or without a trailing slash.
    init(url: String, token: Secret, certificates: String? = nil) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.token = token
        client = WebClient(trustedCertificates: certificates)
    }

    /// The state document that was sent is wrong.
    struct Invalid: Error {
        var problems: [LocatedValidationIssue]
    }

    private struct Exists: Error {}

    /// Creates a resource and fails if one of this name exists. The first argument is its kind and
    /// name, for the error message.
    func make(
        _ thing: String, by operation: AdministrativeOperation,
        _ names: AdministrativeOperation.Parameters, _ body: JSONValue
    ) async throws -> JSONValue {
        do {
            return try await call(operation, names, query: [], body: body, onlyNew: true)
        } catch is Exists {
            throw Self.exists(thing)
        }
    }

    static func exists(_ thing: String) -> CommandError {
        CommandError("\(thing) exists; change it with gatehouse admin or gatehouse apply")
    }

    /// Returns the response of an operation; `null` if it is empty.
    ///
    /// - Parameter names: the parameters of the operation's path.
    func call(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        query: [(String, String)] = [], body: JSONValue? = nil
    ) async throws -> JSONValue {
        try await call(operation, names, query: query, body: body, onlyNew: false)
    }

    private func call(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters,
        query: [(String, String)], body: JSONValue?, onlyNew: Bool
    ) async throws -> JSONValue {
        var address = "\(url)/admin/v1\(try operation.path(names))"
        if !query.isEmpty {
            let pairs = query.map { "\($0)=\(PercentEncoding.encode($1))" }
            address += "?" + pairs.joined(separator: "&")
        }
        var headers = [("authorization", "Bearer \(token.revealText())")]
        if body != nil { headers.append(("content-type", "application/json")) }
        if onlyNew { headers.append(("if-none-match", "*")) }
        let answer: WebClient.Response
        do {
            answer = try await client.send(
                operation.route.method.rawValue, address, headers: headers, body: body?.bytes,
                limit: 256 * 1024 * 1024, seconds: 600)
        } catch {
            throw Self.unreachable(url, error)
        }
        return try read(answer)
    }

    private static func unreachable(_ url: String, _ error: any Error) -> CommandError {
        let words = ConnectionError.words(for: error)
        let question =
            ConnectionError.wasNeverConnected(error) ? "; is the provider running?" : ""
        return CommandError("\(url) cannot be reached: \(words)\(question)")
    }

    /// All elements of a list, page after page.
    func list(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        query: [(String, String)] = []
    ) async throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor: String?
        repeat {
            let more = cursor.map { [("cursor", $0)] } ?? []
            let page = try await call(
                operation, names, query: query + [("limit", "200")] + more)
            items += page["items"]?.array ?? []
            cursor = page["next"]?.string
        } while cursor != nil
        return items
    }

    private func read(_ answer: WebClient.Response) throws -> JSONValue {
        if answer.body.isEmpty, answer.status < 300 { return .null }
        let body = try? JSONParser.parse(answer.body, maximumBytes: answer.body.count)
        guard let body else {
            throw CommandError("\(url) answered \(answer.status) with something that is not JSON")
        }
        if answer.status < 300 { return body }
        if let errors = body["errors"]?.array {
            throw Invalid(
                problems: errors.map {
                    LocatedValidationIssue(
                        path: $0["path"]?.string ?? "", .verbatim($0["message"]?.string ?? ""))
                })
        }
        if body["code"] == "exists_already" { throw Exists() }
        let detail = body["detail"]?.string ?? "\(url) answered \(answer.status)"
        throw CommandError("\(detail) (\(body["code"]?.string ?? String(answer.status)))")
    }
}

extension ServerOptions {
    /// Runs `body` with the connection; what the provider refuses becomes a sentence.
    func administer<Value>(_ body: (AdminConnection) async throws -> Value) async throws -> Value {
        let connection = try connect()
        do {
            return try await body(connection)
        } catch let error as AdminConnection.Invalid {
            let lines = error.problems.map(\.description)
            throw CommandError(lines.joined(separator: "\ngatehouse: "), code: .badInput)
        }
    }
}
