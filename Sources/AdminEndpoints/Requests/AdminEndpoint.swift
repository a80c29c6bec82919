// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
package import JOSE
package import ProviderAdministration
import ProviderCore

/// One endpoint of the Admin API with its documentation. The OpenAPI document is drawn from the same
/// values that requests are routed by.
package struct AdminEndpoint: Sendable {
    package typealias Run = @Sendable (AdminRequest) async throws -> AdminResponse

    package let operation: AdministrativeOperation
    let documentation: Documentation
    let run: Run

    init(_ operation: AdministrativeOperation, run: @escaping Run) {
        self.operation = operation
        documentation = operation.documentation
        self.run = run
    }

    var method: HTTPRequest.Method {
        switch operation.route.method {
        case .get: .get
        case .put: .put
        case .post: .post
        case .delete: .delete
        }
    }

    /// Below `/admin/v1`.
    var path: String { operation.route.path }
    var query: [OpenAPIOperation.Parameter] { documentation.query }
    var body: String? { documentation.body }

    var documented: OpenAPIOperation {
        OpenAPIOperation(
            method: method, path: path, name: operation.rawValue, summary: documentation.summary,
            query: query, body: body, answer: documentation.answer,
            statuses: documentation.statuses)
    }
}

extension AdminEndpoint {
    /// What the OpenAPI document says of an operation, apart from its route.
    struct Documentation: Sendable {
        let summary: String
        let query: [OpenAPIOperation.Parameter]
        /// The name of the schema of the body; `nil` if there is none.
        let body: String?
        /// The name of the schema of the answer; `nil` for 204.
        let answer: String?
        /// The statuses of answers that are not refusals, if there is an answer.
        let statuses: [HTTPResponse.Status]

        init(
            _ summary: String, query: [OpenAPIOperation.Parameter] = [], body: String? = nil,
            answer: String? = nil, statuses: [HTTPResponse.Status] = [.ok]
        ) {
            self.summary = summary
            self.query = query
            self.body = body
            self.answer = answer
            self.statuses = statuses
        }

        static func show(_ group: ProjectSettingsGroup) -> Self {
            Self(group.summary, answer: group.schema)
        }

        static func put(_ group: ProjectSettingsGroup) -> Self {
            Self(
                "Changes what the body names; everything else stays.", body: group.schema,
                answer: "Changes")
        }

        static func list(_ list: ProjectList) -> Self {
            Self(list.summary, query: .optionalPaging, answer: list.schema + "s")
        }

        static func show(_ list: ProjectList) -> Self {
            Self("One of them.", answer: list.schema)
        }

        static func put(_ list: ProjectList) -> Self {
            Self(
                "Makes the entry match the body wholly; the name is that of the address.",
                body: list.schema, answer: "Changes")
        }

        static func remove(_ list: ProjectList) -> Self { Self("Removes the entry.") }
    }
}

extension [OpenAPIOperation.Parameter] {
    static let paging = [limit("50"), cursor]

    /// Paging parameters of lists that are short enough to be requested whole.
    static let optionalPaging = [limit("all"), cursor]

    private static let cursor = Element(name: "cursor", summary: "The `next` of the page before.")

    private static func limit(_ absent: String) -> Element {
        Element(name: "limit", summary: "How many, 1 to 200; \(absent) when absent.")
    }

    /// The search parameter of a list, and its paging.
    ///
    /// - Parameter compared: what begins with the text.
    static func search(_ compared: String, _ paging: Self, of entries: String = "those") -> Self {
        [Element(name: "search", summary: "Only \(entries) whose \(compared) begins so.")] + paging
    }

    static let auditFilter =
        [
            Element(name: "project", summary: "Only of this project."),
            Element(name: "action", summary: "This action, or all under `sign-in.`"),
            Element(name: "person", summary: "Only of this `sub`."),
            Element(name: "device", summary: "Only events of the device with this id."),
            Element(name: "client", summary: "Only of this client_id."),
            Element(
                name: "request",
                summary: "Only of this request number, as an error page shows it."),
            Element(name: "outcome", summary: "`accepted` or `refused`."),
            Element(name: "since", summary: "RFC 3339 moment."),
        ] + paging
}

/// One call of an endpoint: authenticated, its query and body read.
package struct AdminRequest: Sendable {
    var request: ServerRequest
    var query: FormParameters
    /// `null` when the endpoint takes none.
    var body: JSONValue
    /// The rights of the caller; `nil` for the operator's token, which has all rights.
    var rights: AdministratorRights?
    /// Whether a PUT only creates, and does not change what exists (`If-None-Match: *`).
    var onlyNew: Bool
    /// The value that a PUT replaces, as the caller received it. If the stored value is another one,
    /// nothing is changed. `nil` replaces any value.
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

    subscript(_ parameter: AdministrativeOperation.Parameter) -> String {
        request.parameters[parameter.rawValue] ?? ""
    }

    /// What a list is searched for: empty for all of it.
    var search: String { (query["search"] ?? "").trimmed() }

    /// A text of the body: `absent` when there is none, `nil` when it is something else.
    func text(_ name: String, absent: String = "") -> String? {
        guard let value = body[name] else { return absent }
        return value.string
    }

    /// A flag of the body: `false` when there is none, `nil` when it is something else.
    func flag(_ name: String) -> Bool? {
        guard let value = body[name] else { return false }
        return value.bool
    }
}
