// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// A removal: a page that names what is lost, and the form that removes it. For a resource that
/// cannot be restored the administrator types the name first (``ConsoleRemovalRule``).
struct ConsoleRemoval: Sendable {
    /// The resource to remove.
    struct Target: Sendable {
        /// Its name, which the administrator may have to type.
        var word: String
        /// The page that displays it, and to which a refusal leads back.
        var page: String
        /// The list that is displayed after the removal.
        var list: String
        /// The resource as the operation that restores it takes it, if it can be restored.
        var document = JSONObject()

        /// - Parameter page: `nil` for the list.
        init(word: String, page: String? = nil, list: String, document: JSONObject = JSONObject()) {
            (self.word, self.page, self.list) = (word, page ?? list, list)
            self.document = document
        }
    }

    /// The path, with the action as its last segment.
    var pattern: String
    var action: ConsoleAction
    var part: String
    /// Keys of the texts: `consoleRemoval.NAME.title`, `.lead` and `.button`.
    var name: String
    /// The operation of the Admin API that removes it.
    var operation: AdministrativeOperation
    /// Finds the resource. The page displays a refusal.
    var find: @Sendable (ConsoleContext) async throws -> AdministrativeResult<Target>
    /// Calls the operation, if it needs more than the parameters of the path.
    var act: (@Sendable (ConsoleContext) async throws -> AdministrativeResult<JSONValue>)?
    /// Further sections that are displayed before the confirmation.
    var beside: @Sendable (ConsoleContext) async throws -> [ConsoleSection] = { _ in [] }

    private var isUndoable: Bool {
        if case .undo = ConsoleRemovalRule(operation) { true } else { false }
    }

    func routes(_ frame: ConsoleRouteGuard) -> [HTTPRoute] {
        [
            frame.page(pattern, action) { console in
                try await show(console, refusal: nil)
            },
            frame.form(pattern, action, isGrave: true, hasPage: true) { console, form in
                try await receive(console, form)
            },
        ]
    }

    /// Named so that its name can be read and typed: by the identifier in the address where there is
    /// nothing to see of it.
    private func target(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<Target> {
        try await find(console).map { found in
            var target = found
            target.word = ConsoleConfirmation.readable(found.word)
            guard target.word.isEmpty else { return target }
            let above = pattern.split(separator: "/").dropLast().last ?? ""
            target.word = console[parameter: String(above.dropFirst().dropLast())]
            return target
        }
    }

    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal?
    ) async throws -> ServerResponse {
        switch try await target(console) {
        case .failure(let refusal): return console.refuse(refusal, part: part)
        case .success(let target): return try await page(console, target, refusal)
        }
    }

    private func page(
        _ console: ConsoleContext, _ target: Target, _ refusal: AdministrativeRefusal?
    ) async throws -> ServerResponse {
        let words = ["name": target.word]
        let form = ConsoleForm(
            "confirm", to: console.visit.prefix + console.visit.request.path,
            button: console.text("consoleRemoval.\(name).button"), weight: .danger,
            inputs: isUndoable ? [] : inputs(console, target))
        let end = console.text(isUndoable ? "consoleRemovalUndo" : "consoleRemovalFinal")
        return try await console.render(
            console.text("consoleRemoval.\(name).title", words), part: part,
            sections: [
                ConsoleSection(
                    hint: console.text("consoleRemoval.\(name).lead", words) + " " + end,
                    forms: [form])
            ] + beside(console),
            up: ConsoleLink(text: console.text("consoleCancel"), href: target.page),
            refusal: refusal)
    }

    private func inputs(_ console: ConsoleContext, _ target: Target) -> [ConsoleInput] {
        let seal = confirmation(console).seal(target.word, now: console.now)
        return [
            ConsoleInput("seal", "", .hidden, value: seal),
            ConsoleInput(
                "confirmation", console.text("consoleTypeName", ["name": target.word]),
                isRequired: true),
        ]
    }

    private func receive(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        guard case .success(let target) = try await target(console) else {
            return try await show(console, refusal: nil)
        }
        if let refusal = isUndoable ? nil : refusal(console, target, form) {
            return try await page(console, target, refusal)
        }
        let parameters = AdministrativeOperation.parameters(
            console.visit.request.parameters.map { ($0.key, $0.value) })
        let handle = try await ConsoleRestore.save(
            ConsoleRestore.RemovedResource(
                operation: operation, parameters: parameters,
                document: target.document, name: target.word,
                list: target.list, done: name), console)
        let answer =
            if let act { try await act(console) } else {
                try await console.ask(operation, parameters)
            }
        if let refusal = answer.refusal { return try await page(console, target, refusal) }
        var response = console.redirect(target.list, done: name)
        ConsoleRestore.offer(handle, console, in: &response)
        return response
    }

    private func refusal(
        _ console: ConsoleContext, _ target: Target, _ form: FormParameters
    ) -> AdministrativeRefusal? {
        let outcome = confirmation(console).verify(
            form["seal"], typed: form["confirmation"], word: target.word, now: console.now)
        switch outcome {
        case .stale: return .conflict("stale_confirmation")
        case .differs: return .conflict("confirmation_differs")
        case .confirmed: return nil
        }
    }

    private func confirmation(_ console: ConsoleContext) -> ConsoleConfirmation {
        ConsoleConfirmation(
            secrets: console.visit.pages.provider.secrets,
            session: console.authority.signedIn.session.id, act: console.visit.request.path)
    }
}
