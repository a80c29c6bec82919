// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Primitives
import Storage

/// What an administrator had typed in a form that was interrupted by a sign-in, for the page that
/// shows it again: a form that asks for a name to confirm, or one in which a secret was typed, is
/// not done without another look.
///
/// Secrets are typed once more. A name that confirms is there again; it is judged against the name
/// that the page shows now, and under a seal of now.
struct SubmittedForm: Sendable {
    private let waiting: InterruptedForm

    init(_ waiting: InterruptedForm) { self.waiting = waiting }

    private var action: String { waiting.action }
    private var form: FormParameters { waiting.form }

    /// - Parameters:
    ///   - page: the one that shows the form.
    ///   - isHarmless: whether the form is sent without another look.
    static func store(
        _ form: FormParameters, _ visit: PageContext, by signedIn: AuthenticatedSession,
        from page: String, isHarmless: Bool
    ) async throws {
        let isConfirmedThere = form[ConsoleConfirmation.seal] != nil
        let place = visit.request.path.split(separator: "/").dropFirst()
        try await InterruptedForm.store(
            form, visit, by: signedIn, page: page,
            replay: isConfirmedThere ? .onPage : isHarmless ? .byItself : .confirmed,
            effect: place.joined(separator: " / "),
            dropping: [ConsoleConfirmation.seal])
    }

    /// For a page that leads to another one, which has the form.
    static func carried(_ console: ConsoleContext) -> String {
        console.typed == nil ? "" : "?\(InterruptedForm.mark)=1"
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
    private static let kept = [FormSnapshot.field, "request_id"]
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
        !input.isHidden && !input.isSecret
    }

    private func filled(_ form: ConsoleForm) -> ConsoleForm {
        var form = form
        form.inputs = form.inputs.map(filled)
        return form
    }

    private func filled(_ input: ConsoleInput) -> ConsoleInput {
        guard !input.isSecret else { return input }
        var input = input
        switch input.kind {
        case .hidden:
            if Self.kept.contains(input.name) { input.value = form[input.name] ?? input.value }
        case .text, .area, .choice: input.value = form[input.name] ?? input.value
        case .flag: input.value = form[input.name] ?? ""
        case .access:
            if let access = ClientAccessInput(form, input.name) { input.kind = .access(access) }
        case .claims:
            if let claims = ClientClaimsInput(form, input.name), claims.isTable {
                input.kind = .claims(claims)
            }
        case .boxes(let boxes):
            guard let others = form[input.name] else { break }
            let ticked = boxes.map(\.value).filter { form["\(input.name).\($0)"] == "1" }
            input.value = (ticked + ConsoleField.lines(others)).joined(separator: "\n")
        }
        return input
    }
}
