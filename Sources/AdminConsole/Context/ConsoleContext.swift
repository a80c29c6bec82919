// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import WebPages

/// One request for a page of the console: an administrator, and the project that it is about.
///
/// Whatever a page shows or does goes through ``ask(_:_:query:body:)``: the functions of the Admin
/// API, each behind the table of roles. A page cannot leave the question out.
struct ConsoleContext: Sendable {
    let visit: PageContext
    let authority: ConsolePrincipal
    /// `nil` on pages about all projects.
    let tenant: Tenant?
    let api: AdminAPI
    /// What the person removed in this console and can restore, newest first.
    var removed: [ConsoleRestore] = []
    /// The form that was submitted before a new sign-in was required.
    var typed: SubmittedForm?

    /// The administrator as the caller of administrative services.
    var caller: AdministrativeCaller {
        var facts = visit.request.facts
        facts.administrator = authority.person.id
        return AdministrativeCaller(visit.pages.provider, facts: facts, rights: authority.rights)
    }

    /// The project of the page; `nil` on pages about all projects.
    var scope: AdministrativeScope? {
        tenant.map { AdministrativeScope(caller, $0.project) }
    }

    var admission: ConsoleAdmission {
        ConsoleAdmission(
            visit.pages.provider, authority.signedIn, home: visit.tenant.project,
            facts: visit.request.facts)
    }

    /// Whether the table allows it here. Pages offer what it allows.
    func may(_ action: ConsoleAction) -> Bool {
        authority.may(action, in: tenant?.project.id)
    }

    subscript(parameter name: String) -> String { visit.request.parameters[name] ?? "" }

    /// Asks the Admin API, in the administrator's name. The project is always the page's own.
    ///
    /// - Parameters:
    ///   - action: the row of the table that allows it, when that is not the operation's own.
    ///   - onlyNew: whether one of that name that is there stays as it is (``AdminResponse/exists``).
    ///   - onlyOver: what is replaced; what is something else by now stays
    ///     (``AdminResponse/changedSince``).
    func ask(
        _ operation: AdministrativeOperation, as action: ConsoleAction? = nil,
        _ parameters: AdministrativeOperation.Parameters = [:],
        query: [String: String] = [:],
        body: JSONValue = .null, onlyNew: Bool = false, onlyOver: JSONValue? = nil
    ) async throws -> AdminResponse {
        guard let action = action ?? operation.right(for: body), may(action) else {
            await admission.countRefusal(.notAllowed, in: tenant?.project.id)
            return .notAllowed
        }
        guard let form = try? FormParameters(Self.query(query)) else {
            return .unknown("operation")
        }
        var named = parameters
        if let tenant { named[.project] = tenant.project.name }
        var request = visit.request
        request.parameters = Dictionary(
            uniqueKeysWithValues: named.map { ($0.key.rawValue, $0.value) })
        request.facts = caller.facts
        let call = AdminRequest(
            request: request, query: form, body: body,
            rights: authority.rights,
            onlyNew: onlyNew, onlyOver: onlyOver)
        let permit = AdminAuthorizer(provider: visit.pages.provider)
        if let refusal = try await permit.standing(action, call) { return refusal }
        return try await api.handler(of: operation)(call)
    }

    /// Calls the service of an operation that reads, in the administrator's name, for its own output
    /// type instead of the JSON of the Admin API.
    func read<Value>(
        _ operation: AdministrativeOperation,
        _ body: (AdministrativeScope) async throws -> AdministrativeResult<Value>
    ) async throws -> Result<Value, ConsoleRefusal> {
        guard let scope, let right = operation.right, may(right) else {
            await admission.countRefusal(.notAllowed, in: tenant?.project.id)
            return .failure(ConsoleRefusal(answer: .notAllowed))
        }
        return try await body(scope).mapError { ConsoleRefusal(answer: AdminResponse($0)) }
    }

    /// The first element of a list of the Admin API that fits, looked for page after page.
    func first(
        in operation: AdministrativeOperation, where fits: (JSONValue) -> Bool
    ) async throws -> JSONValue? {
        var cursor: String?
        repeat {
            var query = ["limit": "200"]
            query["cursor"] = cursor
            let page = try await ask(operation, query: query).json
            if let found = page?["items"]?.array?.first(where: fits) { return found }
            cursor = page?["next"]?.string
        } while cursor != nil
        return nil
    }

    private static func query(_ values: [String: String]) -> [UInt8] {
        let pairs = values.map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        return Array(pairs.joined(separator: "&").utf8)
    }

    // MARK: Words

    var now: Timestamp { visit.now }

    func text(_ key: String, _ values: [String: String] = [:]) -> String {
        visit.text(key, values)
    }

    /// A moment of an answer (RFC 3339), as people say it.
    func when(_ value: JSONValue?) -> String {
        when(value?.string.flatMap { Timestamp(rfc3339: $0) })
    }

    func when(_ time: Timestamp?) -> String {
        time.map { visit.language.when($0, now: now) } ?? "–"
    }

    /// Until a moment that is ahead, to the minute.
    func until(_ value: JSONValue?) -> String {
        value?.string.flatMap { Timestamp(rfc3339: $0) }.map { until($0) } ?? ""
    }

    func until(_ time: Timestamp) -> String {
        self.text("consoleUntil", ["time": minute(time)])
    }

    private func minute(_ time: Timestamp) -> String {
        "\(CivilTime(time).description.prefix(16)) UTC"
    }

    /// From a moment on, to the minute.
    func canSign(from value: JSONValue?) -> String {
        value?.string.flatMap { Timestamp(rfc3339: $0) }
            .map { text("consoleKeyCanSign", ["time": minute($0)]) } ?? ""
    }

    /// The day of a moment that may be far ahead.
    func day(_ value: JSONValue?) -> String { String((value?.string ?? "–").prefix(10)) }

    /// What the administrator hears of a refusal of the Admin API, in their language where there
    /// are words for it.
    func text(code: String, _ message: String) -> String {
        let texts = visit.language.texts
        return texts["consoleRefusal.\(code)"] ?? texts["refusal.\(code)"] ?? message
    }

    /// What is wrong with a value, likewise.
    func text(_ complaint: ValidationIssue) -> String {
        let texts = visit.language.texts
        return complaint.text { texts["consoleWrong.\($0.name)"] ?? $0.rawValue }
    }

    /// The same with where it is.
    func text(_ problem: LocatedValidationIssue) -> String {
        let words = text(problem.complaint)
        return problem.path.isEmpty ? words : "\(problem.path): \(words)"
    }

    // MARK: Addresses

    /// Where pages of this project (or of all) begin.
    var root: String {
        let console = visit.prefix + "/console"
        return tenant.map { "\(console)/projects/\(FormText.encode($0.project.name))" } ?? console
    }

    /// An address below ``root``.
    func path(_ segments: String...) -> String {
        ([root] + segments.map(FormText.encode)).joined(separator: "/")
    }

    func redirect(_ path: String, done: String) -> ServerResponse {
        .redirect(to: "\(path)?done=\(done)")
    }
}

extension AdminResponse {
    /// The same in the words of a page, when there is one of that name already.
    func unlessExists(_ code: String) -> AdminResponse {
        guard case .refused(_, "exists_already", _, _) = self else { return self }
        return .conflict(code)
    }
}
