// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import Storage
import WebPages

/// A removed or replaced resource that the administrator can restore for ten minutes. Every page of
/// its project offers it for that time. A browser has at most ``maximumCount`` of them.
///
/// ``RestoreOffers`` holds the JSON of the resource, under a handle in the administrator's cookie.
struct ConsoleRestore: Sendable {
    /// The maximum in one browser.
    static let maximumCount = 5
    private static let maximumHandleLength = 64
    /// Bytes of a hash that identify one offer on a page.
    private static let markLength = 12

    /// The removed resource, and how it was removed.
    struct RemovedResource: Sendable {
        /// The operation that removed or replaced it.
        var operation: AdministrativeOperation
        /// The path parameters of that operation.
        var parameters: AdministrativeOperation.Parameters
        /// The resource as the operation that restores it takes it.
        var document: JSONObject
        /// The name to display.
        var name: String
        /// The list that contains the resource.
        var list: String
        /// The message that the list displays after the removal. The offer displays it too.
        var done: String
        /// The JSON of the resource that replaced it; `nil` if none did.
        var replacement: JSONObject?

        /// The operation that restores it; `nil` if none can.
        var making: AdministrativeOperation? {
            if replacement != nil { return operation }
            guard case .undo(let making) = ConsoleRemovalRule(operation) else { return nil }
            return making
        }
    }

    let thing: RemovedResource
    /// The operation that restores it.
    let making: AdministrativeOperation
    private let offer: RestoreOffers.Offer

    // MARK: Storing

    /// Stores a resource before it is removed. Call this first, so that every removal can be
    /// undone.
    ///
    /// - Returns: A handle for the browser after the removal, or `nil` if the resource cannot be
    ///   restored.
    static func save(_ thing: RemovedResource, _ console: ConsoleContext) async throws -> String? {
        guard thing.making != nil, let scope = console.scope else { return nil }
        return try await RestoreOffers(scope).save(thing.json.text)
    }

    /// Stores a resource before an operation replaces it with another of the same name.
    ///
    /// - Parameter earlier: The resource as the operation takes it; `nil` if none has the name.
    private static func save(
        _ earlier: JSONObject?, replacedBy new: JSONObject,
        _ operation: AdministrativeOperation,
        _ parameters: AdministrativeOperation.Parameters, list: String,
        _ console: ConsoleContext
    ) async throws -> String? {
        guard let document = earlier else { return nil }
        let thing = RemovedResource(
            operation: operation, parameters: parameters, document: document,
            name: document["name"]?.string ?? "", list: list, done: "replaced", replacement: new)
        return try await save(thing, console)
    }

    /// Saves a resource over the one that the form displayed, and offers to restore the earlier
    /// one.
    ///
    /// - Parameters:
    ///   - call: The operation of the Admin API, and its path parameters.
    ///   - earlier: The earlier resource as the operation takes it; `nil` if none has the name.
    static func save(
        _ body: JSONObject, over earlier: JSONObject?, by call: AdministrativeOperation,
        _ parameters: AdministrativeOperation.Parameters, list: String,
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<ServerResponse> {
        let handle = try await save(
            earlier, replacedBy: body, call, parameters, list: list, console)
        let shown = earlier.map(JSONValue.object)
        return try await console.ask(
            call, parameters, body: .object(body), onlyOver: shown
        ).map { saved in
            guard saved != shown, let handle else {
                return console.redirect(list, done: "saved")
            }
            var response = console.redirect(list, done: "replaced")
            offer(handle, console, in: &response)
            return response
        }
    }

    static func offer(
        _ handle: String?, _ console: ConsoleContext, in response: inout ServerResponse
    ) {
        guard let handle else { return }
        remember(([handle] + handles(console)).prefix(maximumCount), console, in: &response)
    }

    private static func remember(
        _ handles: some Sequence<String>, _ console: ConsoleContext,
        in response: inout ServerResponse
    ) {
        let text = handles.joined(separator: ".")
        response.setCookie(
            name(console), text, isSecure: console.visit.request.isSecure,
            maxAge: text.isEmpty ? 0 : RestoreOffers.lifetime.seconds)
    }

    /// As the browser has them: the last one first, of all projects.
    private static func handles(_ console: ConsoleContext) -> [String] {
        let cookie = console.visit.request.cookie(name(console)) ?? ""
        guard cookie.utf8.count <= maximumCount * (maximumHandleLength + 1) else { return [] }
        return cookie.split(separator: ".").prefix(maximumCount).map(String.init)
            .filter { $0.utf8.count <= maximumHandleLength }
    }

    /// Returns what this administrator can restore in this project. It omits resources for which
    /// the administrator no longer has the required role.
    static func pending(_ console: ConsoleContext) async throws -> [ConsoleRestore] {
        var found: [ConsoleRestore] = []
        for handle in handles(console) {
            if let one = try await pending(handle, console) { found.append(one) }
        }
        return found
    }

    private static func pending(
        _ handle: String, _ console: ConsoleContext
    ) async throws -> ConsoleRestore? {
        guard let scope = console.scope,
            let offer = try await RestoreOffers(scope).offer(handle),
            let thing = RemovedResource(offer.text),
            let making = thing.making,
            making.right.map(console.may) == true
        else { return nil }
        return ConsoleRestore(thing: thing, making: making, offer: offer)
    }

    private static func name(_ console: ConsoleContext) -> String {
        console.visit.cookies.consoleRemoved
    }

    // MARK: Offers

    func values(_ console: ConsoleContext) -> [String: Any] {
        let form = ConsoleForm(
            "put-back", to: console.path("put-back"), button: console.text("consolePutBack"),
            weight: .quiet, hint: console.until(offer.expiresAt),
            inputs: [ConsoleInput("which", "", .hidden, value: mark)])
        return [
            "words": console.text(
                thing.replacement == nil ? "consoleRemoved" : "consoleReplaced",
                ["name": thing.name]),
            "form": form.values,
        ]
    }

    private var mark: String { Base64URL.encode(Array(offer.hash.prefix(Self.markLength))) }

    // MARK: Restoring

    static func routes(_ frame: ConsoleRouteGuard) -> [HTTPRoute] {
        [
            // `ask` verifies the right: that of the operation that creates the resource.
            frame.form(ConsoleRouteGuard.project + "/put-back", .seeProject, isGrave: true) {
                console, form in
                let removed = console.removed.first { $0.mark == form["which"] ?? $0.mark }
                guard let removed else {
                    return console.refuse(.conflict("nothing_to_put_back"), part: "project")
                }
                return try await removed.restore(console)
            }
        ]
    }

    private func restore(_ console: ConsoleContext) async throws -> ServerResponse {
        var refusal: AdministrativeRefusal? = .conflict("nothing_to_put_back")
        guard let scope = console.scope else { return console.refuse(refusal, part: "project") }
        let outcome = try await RestoreOffers(scope).restore(
            offer, of: thing.operation, name: thing.name
        ) {
            refusal = try await make(console)
            return refusal == nil
        }
        guard outcome == .restored else { return console.refuse(refusal, part: "project") }
        var response = console.redirect(thing.list, done: "putBack")
        Self.remember(Self.handles(console).filter { $0 != offer.handle }, console, in: &response)
        return response
    }

    /// Creates the resource. A resource that another administrator created or changed in the
    /// meantime is not overwritten, not even by a concurrent call.
    private func make(_ console: ConsoleContext) async throws -> AdministrativeRefusal? {
        let replacement = thing.replacement
        let answer = try await console.ask(
            making, thing.parameters, body: .object(thing.document), onlyNew: replacement == nil,
            onlyOver: replacement.map(JSONValue.object))
        return answer.refusal?.unlessExists("exists_again")
    }
}

extension ConsoleRestore.RemovedResource {
    fileprivate var json: JSONValue {
        [
            "operation": .string(operation.rawValue),
            "parameters": .object(
                JSONObject(
                    parameters.map { .init(name: $0.key.rawValue, value: .string($0.value)) })),
            "document": .object(document), "name": .string(name), "list": .string(list),
            "done": .string(done), "replacement": replacement.map(JSONValue.object) ?? .null,
        ]
    }

    fileprivate init?(_ text: String) {
        guard let value = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 262_144),
            let operation = value["operation"]?.string.flatMap(
                AdministrativeOperation.init),
            let parameters = value["parameters"]?.object,
            let document = value["document"]?.object, let name = value["name"]?.string,
            let list = value["list"]?.string, let done = value["done"]?.string
        else { return nil }
        self.init(
            operation: operation,
            parameters: AdministrativeOperation.parameters(
                parameters.members.map { ($0.name, $0.value.string ?? "") }),
            document: document, name: name, list: list, done: done,
            replacement: value["replacement"]?.object)
    }
}
