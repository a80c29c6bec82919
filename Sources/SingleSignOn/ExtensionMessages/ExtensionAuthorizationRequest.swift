// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A request of an app that an extension handles: the data of Apple's
/// `ASAuthorizationProviderExtensionAuthorizationRequest`.
package struct ExtensionAuthorizationRequest: Sendable, Equatable {
    package static let maximumBodyBytes = 524_288

    /// The whole URL, with its query.
    package var url: String
    /// The operation that the app requests; empty for an intercepted HTTP request.
    package var operation: String
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
    package var realm = ""
    package var options: [String: String] = [:]
    package var callerBundleIdentifier = ""
    package var callerTeamIdentifier = ""
    package var callerDisplayName = ""
    package var isCallerManaged = false
    /// The requesting process, if the agent has identified it.
    package var callerProcess: ExtensionCaller?
    package var isUserInterfaceEnabled = true

    package init(url: String, operation: String = "") {
        self.url = url
        self.operation = operation
    }

    var json: JSONObject {
        var object = JSONObject([
            .init(name: "url", value: .string(url)),
            .init(name: "operation", value: .string(operation)),
            .init(name: "headers", value: .pairs(headers)),
            .init(name: "body", value: .string(Base64URL.encode(body))),
            .init(name: "realm", value: .string(realm)),
            .init(name: "options", value: .pairs(options)),
            .init(name: "caller", value: .string(callerBundleIdentifier)),
            .init(name: "caller_team", value: .string(callerTeamIdentifier)),
            .init(name: "caller_name", value: .string(callerDisplayName)),
            .init(name: "caller_managed", value: .bool(isCallerManaged)),
            .init(name: "interface_enabled", value: .bool(isUserInterfaceEnabled)),
        ])
        object["caller_process"] = callerProcess.map { .object($0.json) }
        return object
    }

    init(json: JSONObject) throws(ExtensionMessageError) {
        let reader = JSONReader<ExtensionMessageError>(json)
        url = try reader.required("url", .string(0...65_536))
        operation = try reader.required("operation", .text)
        headers = try reader.required("headers", .pairs(200))
        body = try reader.required("body", .base64url(0...Self.maximumBodyBytes))
        realm = try reader.required("realm", .text)
        options = try reader.required("options", .pairs(200))
        callerBundleIdentifier = try reader.required("caller", .text)
        callerTeamIdentifier = try reader.required("caller_team", .text)
        callerDisplayName = try reader.required("caller_name", .text)
        isCallerManaged = try reader.required("caller_managed", .bool)
        isUserInterfaceEnabled = try reader.required("interface_enabled", .bool)
        if let process = try reader.optional("caller_process", .object) {
            callerProcess = try ExtensionCaller(json: process)
        }
        try reader.finish()
    }
}
