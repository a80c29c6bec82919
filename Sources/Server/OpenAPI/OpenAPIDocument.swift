// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE

/// What the description of an interface says of one operation.
struct OpenAPIOperation: Sendable {
    /// A query parameter.
    struct Parameter: Sendable {
        var name: String
        var summary: String
    }

    var method: HTTPRequest.Method
    /// Below the address of the document.
    var path: String
    var name: String
    var summary: String
    var query: [Parameter] = []
    /// Name of the schema of the body; `nil` when there is none.
    var body: String?
    /// Name of the schema of the answer; `nil` for 204.
    var answer: String?
    /// Of answers that are not refusals, when there is an answer.
    var statuses: [HTTPResponse.Status] = [.ok]
    /// Whether it is asked without a token.
    var isOpen = false
}

/// The description of an interface, OpenAPI 3.1, drawn from its table of operations.
struct OpenAPIDocument: Sendable {
    let title: String
    /// Where the paths begin.
    let address: String
    let operations: [OpenAPIOperation]
    /// JSON Schema 2020-12 by name, with one for `Problem`.
    let schemas: String

    var bytes: [UInt8] { document.bytes }

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
