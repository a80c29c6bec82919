// SPDX-License-Identifier: Apache-2.0
package import JOSE
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
        var reader = ExtensionMessageReader(json)
        url = try reader.text("url", maximum: 65_536)
        operation = try reader.text("operation")
        headers = try reader.pairs("headers", maximum: 200)
        body = try reader.bytes("body", maximum: Self.maximumBodyBytes)
        realm = try reader.text("realm")
        options = try reader.pairs("options", maximum: 200)
        callerBundleIdentifier = try reader.text("caller")
        callerTeamIdentifier = try reader.text("caller_team")
        callerDisplayName = try reader.text("caller_name")
        isCallerManaged = try reader.flag("caller_managed")
        isUserInterfaceEnabled = try reader.flag("interface_enabled")
        if let process = try reader.optionalObject("caller_process") {
            callerProcess = try ExtensionCaller(json: process)
        }
        try reader.finish()
    }
}
