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
        if !waiting.isRepeatable {
            response = visit.redirect("\(waiting.page)?\(InterruptedForm.mark)=1")
        } else if let form = try await InterruptedForm.consume(visit), form.isRepeatable {
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
    /// site led here (also back from another provider) a person presses the button.
    private func again(_ form: InterruptedForm, _ visit: PageContext) -> ServerResponse {
        visit.render(
            "resume", title: visit.text("resumeTitle"),
            [
                "action": form.action,
                "sendsItself": CSRFProtection.isSameOrigin(
                    visit.request, issuer: pages.provider.issuer),
                "fields": form.form.values.sorted { $0.key < $1.key }
                    .map { ["name": $0.key, "value": $0.value] },
            ])
    }
}
