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
/// Whatever a page shows or does goes through ``call(_:_:)``, the services, or the functions of
/// the Admin API, ``ask(_:as:_:body:onlyNew:onlyOver:)``: each behind the table of roles.
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
    ///   - onlyNew: whether one of that name that is there stays as it is
    ///     (``AdministrativeRefusal/exists``).
    ///   - onlyOver: what is replaced; what is something else by now stays
    ///     (``AdministrativeRefusal/changedSince``).
    func ask(
        _ operation: AdministrativeOperation, as action: ConsoleAction? = nil,
        _ parameters: AdministrativeOperation.Parameters = [:],
        body: JSONValue = .null, onlyNew: Bool = false, onlyOver: JSONValue? = nil
    ) async throws -> AdministrativeResult<JSONValue> {
        guard let action = action ?? operation.right(for: body), may(action) else {
            return .failure(await notAllowed())
        }
        var named = parameters
        if let tenant { named[.project] = tenant.project.name }
        var request = visit.request
        request.parameters = Dictionary(
            uniqueKeysWithValues: named.map { ($0.key.rawValue, $0.value) })
        request.facts = caller.facts
        let call = AdminRequest(
            request: request, query: FormParameters(), body: body, rights: authority.rights,
            onlyNew: onlyNew, onlyOver: onlyOver)
        if let person = named[.person],
            let refusal = try await caller.refusal(
                of: action, on: person, in: named[.project] ?? "")
        {
            return .failure(refusal)
        }
        return try await api.handler(of: operation)(call).result
    }

    /// Calls the service of an operation on the project of the page, in the administrator's name.
    /// Operations that change a person go through ``ask(_:as:_:body:onlyNew:onlyOver:)``, which
    /// compares the rights of the two.
    func call<Value>(
        _ operation: AdministrativeOperation,
        _ service: (AdministrativeScope) async throws -> AdministrativeResult<Value>
    ) async throws -> AdministrativeResult<Value> {
        guard let scope else { return .failure(await notAllowed()) }
        return try await callForAll(operation) { _ in try await service(scope) }
    }

    /// The same for a service that cannot refuse.
    func read<Value>(
        _ operation: AdministrativeOperation,
        _ service: (AdministrativeScope) async throws -> Value
    ) async throws -> AdministrativeResult<Value> {
        try await call(operation) { .success(try await service($0)) }
    }

    /// Calls the service of an operation on all projects.
    func callForAll<Value>(
        _ operation: AdministrativeOperation,
        _ service: (AdministrativeCaller) async throws -> AdministrativeResult<Value>
    ) async throws -> AdministrativeResult<Value> {
        guard let right = operation.right, !right.changesPeople, may(right) else {
            return .failure(await notAllowed())
        }
        return try await service(caller)
    }

    private func notAllowed() async -> AdministrativeRefusal {
        await admission.countRefusal(.notAllowed, in: tenant?.project.id)
        return .notAllowed
    }

    /// What a list is searched for, and the page of it: in the address, as in that of the Admin API.
    var search: String { (visit.query["search"] ?? "").trimmed() }
    var cursor: String? { visit.query["cursor"].flatMap { $0.isEmpty ? nil : $0 } }

    // MARK: Words

    var now: Timestamp { visit.now }

    func text(_ key: String, _ values: [String: String] = [:]) -> String {
        visit.text(key, values)
    }

    func when(_ time: Timestamp?) -> String {
        time.map { visit.language.when($0, now: now) } ?? "–"
    }

    /// Until a moment that is ahead, to the minute.
    func until(_ time: Timestamp) -> String {
        self.text("consoleUntil", ["time": minute(time)])
    }

    /// A moment that may be far ahead, to the minute.
    func minute(_ time: Timestamp) -> String {
        "\(CivilTime(time).description.prefix(16)) UTC"
    }

    /// From a moment on, to the minute.
    func canSign(from time: Timestamp?) -> String {
        time.map { text("consoleKeyCanSign", ["time": minute($0)]) } ?? ""
    }

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

extension Result where Failure == AdministrativeRefusal {
    var value: Success? { try? get() }

    var refusal: AdministrativeRefusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}

extension AdministrativeRefusal {
    /// A refusal whose words are those of its code.
    static func conflict(_ code: String) -> AdministrativeRefusal {
        AdministrativeRefusal(.conflict, code, code)
    }

    /// The same in the words of a page, when there is one of that name already.
    func unlessExists(_ code: String) -> AdministrativeRefusal {
        self.code == "exists_already" ? .conflict(code) : self
    }
}
