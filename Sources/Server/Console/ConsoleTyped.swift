// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Primitives
import Storage

/// What somebody had typed whom a form sent to sign in once more, kept for the way back: the page
/// that they come to has it in its fields again, and they press once more. Nothing is done by itself.
///
/// It waits in the store for ten minutes, whole, sealed for this person and this browser: nobody
/// else who signs in there sees it, nor they elsewhere. Each administrator has one place, which the
/// next form takes, and is forgotten with the next form that is sent. Fields for secrets come back to
/// no page, and neither does the name by which somebody confirms what cannot be undone: who has come
/// back confirms what the page shows now. A document comes back as it was written.
struct ConsoleTyped: Sendable {
    /// In the address of the page that shows it.
    static let mark = "typed"
    private static let lifetime = TimeSpan.minutes(10)

    /// The address of the form.
    private let action: String
    private let form: Form

    // MARK: Kept

    static func keep(
        _ form: Form, _ visit: Visit, _ person: Identifier<Person>
    ) async throws {
        let pairs = form.values.filter { !neverKept.contains($0.key) }
            .map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        // What is pressed now is what somebody comes back for, and no form of before.
        guard !pairs.isEmpty else { return try await forget(visit, person) }
        let text = visit.prefix + visit.request.path + "\n" + pairs.joined(separator: "&")
        let provider = visit.pages.provider
        let sealed = try provider.secrets.seal(Secret(text), context: context(visit, person))
        try await provider.store.issue(
            Challenge(
                hash: place(visit, person), purpose: .typedForm, project: visit.tenant.project.id,
                payload: Base64URL.encode(sealed), expiresAt: visit.now + lifetime))
    }

    /// What comes back to no page is not kept either.
    private static let neverKept: Set = [
        "form_token", ConsoleConfirmation.field, ConsoleConfirmation.seal, "client_secret",
        "device_check_key", "play_decryption_key",
    ]

    /// `nil` when nothing was typed here by them in the last minutes.
    static func find(
        _ visit: Visit, _ person: Identifier<Person>
    ) async throws -> ConsoleTyped? {
        let provider = visit.pages.provider
        let waiting = try await provider.store.peek(
            hash: place(visit, person), purpose: .typedForm, in: visit.tenant.project.id,
            now: visit.now)
        guard let waiting, let sealed = Base64URL.decode(waiting.payload),
            let text = try? provider.secrets.open(sealed, context: context(visit, person))
        else { return nil }
        let bytes = text.reveal()
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let form = try? Form(Array(bytes[(end + 1)...]))
        else { return nil }
        return ConsoleTyped(action: String(decoding: bytes[..<end], as: UTF8.self), form: form)
    }

    /// For a page that leads to another one, which has the form.
    static func carried(_ console: ConsoleVisit) -> String {
        console.typed == nil ? "" : "?\(mark)=1"
    }

    /// Forgets what was kept: it is shown.
    static func forget(_ visit: Visit, _ person: Identifier<Person>) async throws {
        _ = try await visit.pages.provider.store.consumeChallenge(
            hash: place(visit, person), purpose: .typedForm, in: visit.tenant.project.id,
            now: visit.now)
    }

    private static func place(_ visit: Visit, _ person: Identifier<Person>) -> [UInt8] {
        visit.pages.provider.secrets.hash(
            Array("typed-form\u{0}\(person)".utf8), for: .challenge)
    }

    private static func context(_ visit: Visit, _ person: Identifier<Person>) -> String {
        let browser = visit.pages.provider.secrets.hash(visit.browserSecret, for: .challenge)
        return "typed-form\u{0}\(person)\u{0}\(Base64URL.encode(browser))"
    }

    // MARK: Shown again

    /// Whether it was typed in the form of that address.
    func isOf(_ action: String) -> Bool { self.action == action }

    /// The sections of a page with what was typed in their fields; `nil` when none of its forms is
    /// the one, or of the same thing: a document that was to be applied is compared first again.
    func filled(_ sections: [ConsoleSection]) -> [ConsoleSection]? {
        let forms = sections.flatMap(\.forms)
        let isThere = forms.contains { isOf($0.action) }
        let fits = { (form: ConsoleForm) in
            isThere
                ? isOf(form.action) && isSame(form)
                : Self.thing(form.action) == Self.thing(action)
                    && form.inputs.contains { isTyped($0) }
        }
        guard forms.contains(where: fits) else { return nil }
        return sections.map { section in
            var section = section
            section.forms = section.forms.map { fits($0) ? filled($0) : $0 }
            return section
        }
    }

    /// Of several that go to one address the one that was sent: what they carry unseen tells.
    private func isSame(_ form: ConsoleForm) -> Bool {
        form.inputs.contains(where: Self.comesBack)
            && form.inputs.allSatisfy {
                !$0.isHidden || Self.ofOneSheet.contains($0.name) || self.form[$0.name] == $0.value
            }
    }

    /// What the form rested on, so that what others have changed since is not taken back, and by what
    /// it is told from another that is to do the same.
    private static let kept = [ConsoleShown.field, "request_id"]
    /// What differs whenever a form is drawn.
    private static let ofOneSheet = kept + [ConsoleConfirmation.seal]

    /// What an address is about, without what is done to it.
    private static func thing(_ action: String) -> Substring {
        action[..<(action.lastIndex(of: "/") ?? action.startIndex)]
    }

    private func isTyped(_ input: ConsoleInput) -> Bool {
        guard Self.comesBack(input), case .area = input.kind else { return false }
        return form[input.name] != nil
    }

    private static func comesBack(_ input: ConsoleInput) -> Bool {
        !input.isHidden && !input.isSecret && input.name != ConsoleConfirmation.field
    }

    private func filled(_ form: ConsoleForm) -> ConsoleForm {
        var form = form
        form.inputs = form.inputs.map(filled)
        return form
    }

    private func filled(_ input: ConsoleInput) -> ConsoleInput {
        guard !input.isSecret, input.name != ConsoleConfirmation.field else { return input }
        var input = input
        switch input.kind {
        case .hidden:
            if Self.kept.contains(input.name) { input.value = form[input.name] ?? input.value }
        case .text, .area, .choice: input.value = form[input.name] ?? input.value
        case .flag: input.value = form[input.name] ?? ""
        case .boxes(let boxes):
            guard let others = form[input.name] else { break }
            let ticked = boxes.map(\.value).filter { form["\(input.name).\($0)"] == "1" }
            input.value = (ticked + ConsoleField.lines(others)).joined(separator: "\n")
        }
        return input
    }
}
