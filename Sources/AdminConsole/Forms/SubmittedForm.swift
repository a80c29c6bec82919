// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Primitives
import ProviderCore
import Storage
import WebPages

/// A form of the console that a sign-in interrupted, for the page that displays it again. A form
/// with a confirmation name or a secret is not sent again automatically.
///
/// Secrets have to be typed again. The confirmation name is filled in; it is compared with the name
/// that the page displays now, under a new seal.
struct SubmittedForm: Sendable {
    private let waiting: InterruptedForm

    init(_ waiting: InterruptedForm) { self.waiting = waiting }

    private var action: String { waiting.action }
    private var form: FormParameters { waiting.form }

    /// - Parameters:
    ///   - page: The page that displays the form.
    ///   - isHarmless: Whether the form is sent again without confirmation.
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

    /// Returns the query that a page adds to its link to the page with the form.
    static func carried(_ console: ConsoleContext) -> String {
        console.typed == nil ? "" : "?\(InterruptedForm.mark)=1"
    }

    // MARK: Shown again

    /// Whether the form was submitted to this URL.
    func isOf(_ action: String) -> Bool { self.action == action }

    /// Returns the sections with the submitted values in their fields, or `nil` if no form matches.
    /// A form matches if it has the same URL, or if it concerns the same resource and has the same
    /// text area: a document that was to be applied is first compared again.
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

    /// Whether this is the submitted one of several forms with the same URL. Their hidden fields
    /// differ.
    private func isSame(_ form: ConsoleForm) -> Bool {
        form.inputs.contains(where: Self.comesBack)
            && form.inputs.allSatisfy {
                !$0.isHidden || Self.ofOneSheet.contains($0.name) || self.form[$0.name] == $0.value
            }
    }

    /// Fields with the state that the form is based on. They protect changes of others from being
    /// reverted, and distinguish forms with the same effect.
    private static let preservedFields = [FormSnapshot.field, "request_id"]
    /// Fields whose values differ each time a form is rendered.
    private static let ofOneSheet = preservedFields + [ConsoleConfirmation.seal]

    /// Returns the part of a URL that names the resource, without the action.
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
            if Self.preservedFields.contains(input.name) {
                input.value = form[input.name] ?? input.value
            }
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
