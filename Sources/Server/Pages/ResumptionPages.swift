// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Storage

/// After a sign-in that a form had asked for: the form is sent once more, or shown again.
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
            return try await goOn(visit)
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
            return try await goOn(visit)
        }
        ConsoleReturnPath(visit).forget(in: &response)
        return response
    }

    /// Nothing waits: it was done, has expired, or is another person's.
    private func goOn(_ visit: PageContext) async throws -> ServerResponse {
        let mayOpenConsole = try await visit.mayOpenConsole()
        let isOfConsole = mayOpenConsole && ConsoleReturnPath(visit).path != nil
        return visit.redirect((isOfConsole ? PostSignInPage.console : .account).path)
    }

    /// A page that sends the form by itself; without scripts its button does. Like this it is
    /// judged as any form is, and a request that only shows a page changes nothing. Where another
    /// site led here (also back from another provider), and for a form with grave effect, a person
    /// presses the button.
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
                "shown": isConfirmed ? Self.shown(form.form) : [],
                "cancel": visit.prefix + form.page,
                "fields": form.form.values.sorted { $0.key < $1.key }
                    .map { ["name": $0.key, "value": $0.value] },
            ])
    }

    private static let longestShown = 200

    /// What was typed, for the person who confirms it; without what pages add to their forms.
    private static func shown(_ form: FormParameters) -> [[String: String]] {
        form.values.filter { field in
            !field.value.isEmpty
                && ![InterruptedForm.snapshotField, "request_id", "username"]
                    .contains(field.key)
        }.sorted { $0.key < $1.key }.map { field in
            let isLong = field.value.count > longestShown
            let text = field.value.prefix(longestShown) + (isLong ? "…" : "")
            return ["name": field.key, "value": String(text)]
        }
    }
}
