// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import Storage

/// Endpoints below `/projects/{project}`: each calls a service of the project.
struct ProjectScope: Sendable {
    let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    /// Runs `body` with the project of the address.
    ///
    /// - Parameter resource: the kind of resource of the refusal if there is no such project.
    func open(
        _ call: AdminRequest, unknown resource: String = "project",
        _ body: (AdministrativeScope) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        let caller = call.caller(provider)
        guard let scope = try await caller.scope(ofProject: call[.project]) else {
            return .unknown(resource)
        }
        return try await body(scope)
    }

    /// Answers with a page of a list of the project.
    func list<Element>(
        _ call: AdminRequest, json: (Element) -> JSONValue,
        _ list: (AdministrativeScope) async throws -> AdministrativeList<Element>
    ) async throws -> AdminResponse {
        try await open(call) { try await call.page(of: list($0), json: json) }
    }

    /// Runs `body` with the project and the person of the address.
    func person(
        _ call: AdminRequest,
        _ body: (AdministrativeScope, Person) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        try await open(call, unknown: "person") { scope in
            guard let person = try await scope.person(call[.person]) else {
                return .unknown("person")
            }
            return try await body(scope, person)
        }
    }

    /// Runs `body` with the one-time links of the project, and the name of the person of the address.
    func links(
        _ call: AdminRequest, notices: any NotificationComposer,
        _ body: (LinkAdministration, String) async throws -> AdminResponse
    ) async throws -> AdminResponse {
        try await open(call, unknown: "person") {
            try await body(LinkAdministration($0, notices: notices), call[.person])
        }
    }
}

extension AdminRequest {
    func caller(_ provider: Provider) -> AdministrativeCaller {
        AdministrativeCaller(provider, facts: facts, rights: rights)
    }

    /// The condition of a PUT, with the resource as the administrator saw it.
    var condition: SaveCondition<JSONValue> {
        onlyNew ? .onlyNew : onlyOver.map(SaveCondition.onlyOver) ?? .always
    }

    /// The same with the resource parsed; `nil` if it cannot be parsed.
    func condition<Earlier>(
        _ read: (JSONValue) -> Earlier?
    ) -> SaveCondition<Earlier>? {
        switch condition {
        case .always: .always
        case .onlyNew: .onlyNew
        case .onlyOver(let shown): read(shown).map(SaveCondition.onlyOver)
        }
    }
}

extension AdminResponse {
    /// The response of a service, with the value that it returns.
    init<Value>(
        _ result: AdministrativeResult<Value>, _ answer: (Value) -> AdminResponse
    ) {
        switch result {
        case .success(let value): self = answer(value)
        case .failure(let refusal): self = .refused(refusal)
        }
    }

    init(_ result: AdministrativeResult<Void>) {
        self.init(result) { _ in .nothing }
    }

    /// The response to a change of declarative state.
    init(changes result: AdministrativeResult<[StateChange]>) {
        self.init(result) { changes in
            let isNew = changes.contains { $0.action == .create }
            return .value(StateEndpoints.json(changes), isNew ? .created : .ok)
        }
    }
}

extension ProjectEditor.Outcome {
    /// - Parameter resource: the kind of resource that an "unknown" response names.
    func answer(unknown resource: String) -> AdminResponse {
        switch self {
        case .done(let change): .value(StateEndpoints.json([change]))
        case .refused(let refusal): .invalid(refusal)
        case .unknown: .unknown(resource)
        case .exists: .refused(.exists)
        case .changedSince: .refused(.changedSince)
        }
    }
}
