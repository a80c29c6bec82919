// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE

/// The description of the Admin API, OpenAPI 3.1, drawn from its table of endpoints.
struct OpenAPIDocument: Sendable {
    private let endpoints: [AdminEndpoint]

    init(_ endpoints: [AdminEndpoint]) { self.endpoints = endpoints }

    var bytes: [UInt8] { document.bytes }

    var document: JSONValue {
        let schemas = try? JSONParser.parse(Array(AdminSchemas.text.utf8), maximumBytes: 65_536)
        let components: JSONValue = [
            "schemas": schemas ?? .null,
            "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        ]
        let info: JSONValue = [
            "title": "Gatehouse Admin API", "version": "1",
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ]
        return [
            "openapi": "3.1.0", "info": info, "servers": [["url": .string(AdminAPI.prefix)]],
            "security": [["token": []]], "paths": .object(paths), "components": components,
        ]
    }

    private var paths: JSONObject {
        var paths = JSONObject()
        for endpoint in endpoints {
            var item = paths[endpoint.path]?.object ?? JSONObject()
            item[endpoint.method.rawValue.lowercased()] = .object(operation(endpoint))
            paths[endpoint.path] = .object(item)
        }
        return paths
    }

    private func operation(_ endpoint: AdminEndpoint) -> JSONObject {
        var operation = JSONObject()
        operation["operationId"] = .string(endpoint.operation)
        operation["summary"] = .string(endpoint.summary)
        let parameters = pathParameters(endpoint) + endpoint.query.map(Self.queryParameter)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = endpoint.body {
            operation["requestBody"] = ["required": true, "content": Self.content(body)]
        }
        var responses = JSONObject()
        if let answer = endpoint.answer {
            responses["200"] = ["description": "Done.", "content": Self.content(answer)]
        } else {
            responses["204"] = ["description": "Done."]
        }
        let problem: JSONValue = [
            "application/problem+json": ["schema": Self.reference("Problem")]
        ]
        responses["default"] = ["description": "Refused or failed.", "content": problem]
        operation["responses"] = .object(responses)
        return operation
    }

    private func pathParameters(_ endpoint: AdminEndpoint) -> [JSONValue] {
        endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment in
            [
                "name": .string(String(segment.dropFirst().dropLast())), "in": "path",
                "required": true, "schema": ["type": "string"],
            ]
        }
    }

    private static func queryParameter(_ parameter: AdminEndpoint.Parameter) -> JSONValue {
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
