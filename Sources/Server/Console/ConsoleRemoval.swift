// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Storage

/// An act that cannot be undone: a page that says what will be lost and asks for the name, and the
/// form that does it.
struct ConsoleRemoval: Sendable {
    /// What is about to go.
    struct Target: Sendable {
        /// What has to be typed.
        var word: String
        /// The page it is shown on, and where a refusal leads back to.
        var page: String
        /// The list that is shown when it is gone.
        var list: String
    }

    /// The address, with the act as its last segment.
    var pattern: String
    var action: ConsoleAction
    var part: String
    /// Keys of the texts: `consoleRemoval.NAME.title`, `.lead` and `.button`.
    var name: String
    /// Finds the thing; what refuses is shown.
    var find: @Sendable (ConsoleVisit) async throws -> Result<Target, ConsoleRefusal>
    var act: @Sendable (ConsoleVisit) async throws -> AdminAnswer
    /// What else one should see before one presses the button.
    var beside: @Sendable (ConsoleVisit) async throws -> [ConsoleSection] = { _ in [] }

    func routes(_ frame: ConsoleFrame) -> [Route] {
        [
            frame.page(pattern, action) { console in
                try await show(console, refusal: nil)
            },
            frame.form(pattern, action, isGrave: true) { console, form in
                try await take(console, form)
            },
        ]
    }

    private func show(
        _ console: ConsoleVisit, refusal: AdminAnswer?
    ) async throws -> ServerResponse {
        switch try await find(console) {
        case .failure(let refusal): return console.complain(refusal.answer, part: part)
        case .success(let target): return try await page(console, target, refusal)
        }
    }

    private func page(
        _ console: ConsoleVisit, _ target: Target, _ refusal: AdminAnswer?
    ) async throws -> ServerResponse {
        let words = ["name": target.word]
        let seal = confirmation(console).seal(target.word, now: console.now)
        let form = ConsoleForm(
            "confirm", to: console.visit.prefix + console.visit.request.path,
            button: console.text("consoleRemoval.\(name).button"), weight: .danger,
            inputs: [
                ConsoleInput("seal", "", .hidden, value: seal),
                ConsoleInput(
                    "confirmation", console.text("consoleTypeName", words), isRequired: true),
            ])
        return try await console.render(
            console.text("consoleRemoval.\(name).title", words), part: part,
            sections: [
                ConsoleSection(
                    hint: console.text("consoleRemoval.\(name).lead", words), forms: [form])
            ] + beside(console),
            up: ConsoleLink(text: console.text("consoleCancel"), href: target.page),
            refusal: refusal)
    }

    private func take(_ console: ConsoleVisit, _ form: Form) async throws -> ServerResponse {
        guard case .success(let target) = try await find(console) else {
            return try await show(console, refusal: nil)
        }
        let outcome = confirmation(console).judge(
            form["seal"], typed: form["confirmation"], word: target.word, now: console.now)
        switch outcome {
        case .stale: return try await page(console, target, .conflict("stale_confirmation"))
        case .differs: return try await page(console, target, .conflict("confirmation_differs"))
        case .confirmed: break
        }
        let answer = try await act(console)
        guard answer.json != nil else { return try await page(console, target, answer) }
        return console.redirect(target.list, done: name)
    }

    private func confirmation(_ console: ConsoleVisit) -> ConsoleConfirmation {
        ConsoleConfirmation(
            secrets: console.visit.pages.provider.secrets,
            session: console.authority.signedIn.session.id, act: console.visit.request.path)
    }
}

/// What cannot be shown or done, for `Result`.
struct ConsoleRefusal: Error {
    let answer: AdminAnswer
}

extension AdminAnswer {
    /// A refusal whose words are those of its code.
    static func conflict(_ code: String) -> AdminAnswer {
        .refused(.conflict, code: code, code)
    }
}
