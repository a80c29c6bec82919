// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderCore

/// Sends or displays a form again after the sign-in that it required.
struct ResumptionPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [pages.page(PostSignInPage.resume.path) { try await resume($0) }]
    }

    private func resume(_ visit: PageContext) async throws -> ServerResponse {
        guard let signedIn = visit.signedIn else {
            return visit.redirect("/sign-in?next=\(PostSignInPage.resume.rawValue)")
        }
        guard let waiting = try await InterruptedForm.find(visit) else {
            return try await continueWithoutForm(visit)
        }
        guard waiting.isAfterSignIn(signedIn) else {
            return visit.redirect("/sign-in?next=\(PostSignInPage.resume.rawValue)&again=1")
        }
        var response: ServerResponse
        if waiting.replay == .onPage {
            response = visit.redirect("\(waiting.page)?\(InterruptedForm.mark)=1")
        } else if let form = try await InterruptedForm.consume(visit), form.replay != .onPage {
            response = again(form, visit)
        } else {
            return try await continueWithoutForm(visit)
        }
        ConsoleReturnPath(visit).forget(in: &response)
        return response
    }

    /// Continues if no form is pending: it was sent, has expired, or belongs to another person.
    private func continueWithoutForm(_ visit: PageContext) async throws -> ServerResponse {
        let mayOpenConsole = try await visit.mayOpenConsole()
        let isOfConsole = mayOpenConsole && ConsoleReturnPath(visit).path != nil
        return visit.redirect((isOfConsole ? PostSignInPage.console : .account).path)
    }

    /// Returns a page that sends the form automatically, or with its button if scripts are
    /// disabled. The form is validated as usual, and a request for the page changes nothing. The
    /// person has to press the button if another site (also an upstream provider) led here, and for
    /// a form with grave effect.
    private func again(_ form: InterruptedForm, _ visit: PageContext) -> ServerResponse {
        let isConfirmed = form.replay == .confirmed
        let title = visit.text(isConfirmed ? "resumeConfirmTitle" : "resumeTitle")
        let isOfThisSite = CSRFProtection.isSameOrigin(
            visit.request, issuer: pages.provider.issuer)
        return visit.render(
            "resume", title: title,
            [
                "action": form.action, "heading": title,
                "lead": visit.text(isConfirmed ? "resumeConfirmLead" : "resumeLead"),
                "sendsItself": !isConfirmed && isOfThisSite,
                "isConfirmed": isConfirmed, "effect": form.effect,
                "shown": isConfirmed ? Self.shown(form.form, visit.language) : [],
                "cancel": visit.prefix + form.page,
                "fields": form.form.values.filter { $0.key != FormLabels.field }
                    .sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] },
            ])
    }

    private static let maximumDisplayedLength = 200

    /// What was typed, for the person who confirms it; without what pages add to their forms.
    private static func shown(_ form: FormParameters, _ language: Language) -> [[String: String]] {
        let rows = FormLabels(form).rows(of: form, in: language) ?? unlabelled(form)
        return rows.map { row in
            let isLong = row.value.count > maximumDisplayedLength
            let text = row.value.prefix(maximumDisplayedLength) + (isLong ? "…" : "")
            return ["name": row.label, "value": String(text)]
        }
    }

    /// The fields of a form without labels, by name.
    private static func unlabelled(_ form: FormParameters) -> [FormLabels.Row] {
        form.values.filter { field in
            !field.value.isEmpty
                && ![InterruptedForm.snapshotField, "request_id", "username"]
                    .contains(field.key)
        }.sorted { $0.key < $1.key }.map { FormLabels.Row(label: $0.key, value: $0.value) }
    }
}
