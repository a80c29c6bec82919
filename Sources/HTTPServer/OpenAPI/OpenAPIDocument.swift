// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import JOSE

/// What the description of an interface says of one operation.
package struct OpenAPIOperation: Sendable {
    /// A query parameter.
    package struct Parameter: Sendable {
        package var name: String
        package var summary: String

        package init(name: String, summary: String) {
            self.name = name
            self.summary = summary
        }
    }

    package var method: HTTPRequest.Method
    /// Below the address of the document.
    package var path: String
    package var name: String
    package var summary: String
    package var query: [Parameter] = []
    /// Name of the schema of the body; `nil` when there is none.
    package var body: String?
    /// Name of the schema of the answer; `nil` for 204.
    package var answer: String?
    /// Of answers that are not refusals, when there is an answer.
    package var statuses: [HTTPResponse.Status] = [.ok]
    /// Whether it is asked without a token.
    package var isOpen = false

    package init(
        method: HTTPRequest.Method, path: String, name: String, summary: String,
        query: [Parameter] = [], body: String? = nil, answer: String? = nil,
        statuses: [HTTPResponse.Status] = [.ok], isOpen: Bool = false
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.summary = summary
        self.query = query
        self.body = body
        self.answer = answer
        self.statuses = statuses
        self.isOpen = isOpen
    }
}

/// The description of an interface, OpenAPI 3.1, drawn from its table of operations.
package struct OpenAPIDocument: Sendable {
    package let title: String
    /// Where the paths begin.
    package let address: String
    package let operations: [OpenAPIOperation]
    /// JSON Schema 2020-12 by name, with one for `Problem`.
    package let schemas: String

    package init(title: String, address: String, operations: [OpenAPIOperation], schemas: String) {
        self.title = title
        self.address = address
        self.operations = operations
        self.schemas = schemas
    }

    package var bytes: [UInt8] { document.bytes }

    var document: JSONValue {
        let schemas = try? JSONParser.parse(Array(schemas.utf8), maximumBytes: 65_536)
        let components: JSONValue = [
            "schemas": schemas ?? .null,
            "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        ]
        let info: JSONValue = [
            "title": .string(title), "version": "1",
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ]
        return [
            "openapi": "3.1.0", "info": info, "servers": [["url": .string(address)]],
            "security": [["token": []]], "paths": .object(paths), "components": components,
        ]
    }

    private var paths: JSONObject {
        var paths = JSONObject()
        for operation in operations {
            var item = paths[operation.path]?.object ?? JSONObject()
            item[operation.method.rawValue.lowercased()] = .object(describe(operation))
            paths[operation.path] = .object(item)
        }
        return paths
    }

    private func describe(_ operation: OpenAPIOperation) -> JSONObject {
        var object = JSONObject()
        object["operationId"] = .string(operation.name)
        object["summary"] = .string(operation.summary)
        if operation.isOpen { object["security"] = [] }
        let parameters = pathParameters(operation) + operation.query.map(Self.queryParameter)
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let body = operation.body {
            object["requestBody"] = ["required": true, "content": Self.content(body)]
        }
        object["responses"] = .object(responses(operation))
        return object
    }

    private func responses(_ operation: OpenAPIOperation) -> JSONObject {
        var responses = JSONObject()
        if let answer = operation.answer {
            for status in operation.statuses {
                responses[String(status.code)] = [
                    "description": "Done.", "content": Self.content(answer),
                ]
            }
        } else {
            responses["204"] = ["description": "Done."]
        }
        let problem: JSONValue = [
            "application/problem+json": ["schema": Self.reference("Problem")]
        ]
        responses["default"] = ["description": "Refused or failed.", "content": problem]
        return responses
    }

    private func pathParameters(_ operation: OpenAPIOperation) -> [JSONValue] {
        operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment in
            [
                "name": .string(String(segment.dropFirst().dropLast())), "in": "path",
                "required": true, "schema": ["type": "string"],
            ]
        }
    }

    private static func queryParameter(_ parameter: OpenAPIOperation.Parameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query",
            "description": .string(parameter.summary), "schema": ["type": "string"],
        ]
    }

    private static func content(_ schema: String) -> JSONValue {
        ["application/json": ["schema": reference(schema)]]
    }

    private static func reference(_ schema: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(schema)")]
    }
}
