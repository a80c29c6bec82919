// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
package import JOSE
package import ProviderAdministration
import ProviderCore

/// One endpoint of the Admin API with what its documentation says. The OpenAPI document is drawn
/// from the same table that requests are routed by, so none can be missing in the other.
package struct AdminEndpoint: Sendable {
    typealias Parameter = OpenAPIOperation.Parameter
    package typealias Run = @Sendable (AdminRequest) async throws -> AdminResponse

    var method: HTTPRequest.Method
    /// Below `/admin/v1`.
    var path: String
    package var operation: String
    var summary: String
    var query: [Parameter] = []
    /// Name of the schema of the body; `nil` when there is none.
    var body: String?
    /// Name of the schema of the answer; `nil` for 204.
    var answer: String?
    /// Of answers that are not refusals, when there is an answer.
    var statuses: [HTTPResponse.Status]
    package var run: Run

    init(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ summary: String,
        query: [Parameter] = [], body: String? = nil, answer: String? = nil,
        statuses: [HTTPResponse.Status] = [.ok], run: @escaping Run
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.summary = summary
        self.query = query
        self.body = body
        self.answer = answer
        self.statuses = statuses
        self.run = run
    }

    /// What the documentation says of it.
    var documented: OpenAPIOperation {
        OpenAPIOperation(
            method: method, path: path, name: operation, summary: summary, query: query,
            body: body, answer: answer, statuses: statuses)
    }

    /// The statuses of an endpoint that creates or changes a resource.
    static let making: [HTTPResponse.Status] = [.ok, .created]

    /// Paging parameters of lists that are short enough to be requested whole.
    static let optionalPaging = [
        Parameter(name: "limit", summary: "How many, 1 to 200; all when absent."), paging[1],
    ]

    /// Of lists in which one looks for what begins so.
    ///
    /// - Parameter what: for people, what begins.
    static func search(_ what: String) -> [Parameter] {
        [Parameter(name: "search", summary: "Only those whose \(what) begins so.")]
    }

    static let paging = [
        Parameter(name: "limit", summary: "How many, 1 to 200; 50 when absent."),
        Parameter(name: "cursor", summary: "The `next` of the page before."),
    ]
}

/// One call of an endpoint: authenticated, its query and body read.
package struct AdminRequest: Sendable {
    var request: ServerRequest
    var query: FormParameters
    /// `null` when the endpoint takes none.
    var body: JSONValue
    /// Of who calls; `nil` for the operator's own token, which may all.
    var rights: AdministratorRights?
    /// Whether a PUT makes something, and leaves what is there as it is (`If-None-Match: *`).
    var onlyNew: Bool
    /// What a PUT replaces, as it was sent: what is something else by now stays. `nil` for whatever
    /// is there.
    var onlyOver: JSONValue?

    package init(
        request: ServerRequest, query: FormParameters, body: JSONValue,
        rights: AdministratorRights? = nil,
        onlyNew: Bool = false, onlyOver: JSONValue? = nil
    ) {
        self.request = request
        self.query = query
        self.body = body
        self.rights = rights
        self.onlyNew = onlyNew || request.headers[.ifNoneMatch] == "*"
        self.onlyOver = onlyOver
    }

    var facts: RequestMetadata { request.facts }

    subscript(parameter name: String) -> String { request.parameters[name] ?? "" }

    /// What a list is searched for: empty for all of it.
    var search: String { (query["search"] ?? "").trimmed() }

    /// A text of the body: `absent` when there is none, `nil` when it is something else.
    func text(_ name: String, absent: String = "") -> String? {
        guard let value = body[name] else { return absent }
        return value.string
    }
}
