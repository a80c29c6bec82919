// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import Primitives
package import ProviderCore
import ProviderPeople
import Storage

/// A form that required a new sign-in, stored until the person has signed in.
///
/// The store holds one form for each person for ten minutes, encrypted for this person and browser.
/// A newer form replaces it. Only a signed-in person has one. The form is stored whole, up to the
/// limit of its route, but without secrets (``secretPrefix``).
///
/// ``ResumptionPages`` consumes it, and the browser sends it again to the same URL. Rights, origin
/// and token are verified again. A form with grave effect is sent after the person presses a button
/// below a description of the effect (``Replay``). A form that needs another review is displayed
/// again on its page (``mark``).
package struct InterruptedForm: Sendable {
    /// The query parameter of a page that displays the submitted values.
    package static let mark = "typed"
    /// The field with the values that a form of the console had when it was rendered.
    package static let snapshotField = "shown"
    /// The prefix of the names of fields with secrets.
    package static let secretPrefix = "secret_"
    private static let headLines = 5

    /// Describes how a form is sent again.
    package enum Replay: String {
        /// Not at all: its page displays it again.
        case onPage = "0"
        /// Automatically. Only for forms without grave effect.
        case byItself = "1"
        /// When the person presses the button of a page that describes the effect.
        case confirmed = "2"
    }

    /// The URL path of the form, with the project's prefix.
    package let action: String
    package let form: FormParameters
    /// The path of the page that shows the form, without the prefix.
    let page: String
    let replay: Replay
    /// A description of the effect, for the page.
    let effect: String
    private let session: String

    // MARK: Stored

    /// - Parameters:
    ///   - replay: of a form in which a secret was typed it is always `onPage`.
    ///   - effect: what the form does.
    ///   - dropped: fields that are of no use later.
    package static func store(
        _ form: FormParameters, _ visit: PageContext, by signedIn: AuthenticatedSession,
        page: String,
        replay: Replay, effect: String, dropping dropped: Set<String> = []
    ) async throws {
        let kept = form.values.filter {
            !isSecret($0.key) && $0.key != "form_token" && !dropped.contains($0.key)
        }
        let isWhole = form.values.allSatisfy { !isSecret($0.key) || $0.value.isEmpty }
        let pairs = kept.map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        let text = [
            visit.prefix + visit.request.path, page, signedIn.session.id.description,
            (isWhole ? replay : .onPage).rawValue, FormText.encode(effect),
            pairs.joined(separator: "&"),
        ].joined(separator: "\n")
        try await stored(visit, signedIn.person).save(Secret(text))
    }

    static func isSecret(_ name: String) -> Bool { name.hasPrefix(secretPrefix) }

    /// Stores a form of an account and leads to the sign-in page.
    static func signInAgain(
        _ form: FormParameters, _ visit: PageContext, by signedIn: AuthenticatedSession,
        page: String,
        replay: Replay, effect: String = ""
    ) async throws -> ServerResponse {
        try await store(form, visit, by: signedIn, page: page, replay: replay, effect: effect)
        return visit.redirect("/sign-in?next=\(PostSignInPage.resume.rawValue)&again=1")
    }

    // MARK: Found

    /// `nil` when this person had sent nothing from this browser in the last minutes.
    package static func find(_ visit: PageContext) async throws -> InterruptedForm? {
        guard let person = visit.signedIn?.person else { return nil }
        return try await stored(visit, person).find().flatMap(parse)
    }

    /// The same, consumed: of two that ask at once one gets it. That of another browser remains.
    package static func consume(_ visit: PageContext) async throws -> InterruptedForm? {
        guard let person = visit.signedIn?.person else { return nil }
        return try await stored(visit, person).consume().flatMap(parse)
    }

    private static func stored(_ visit: PageContext, _ person: Person) -> InterruptedFormStore {
        InterruptedFormStore(
            visit.pages.provider, of: person, browserSecret: visit.browserSecret, now: visit.now)
    }

    /// Whether its sender has signed in since.
    func isAfterSignIn(_ signedIn: AuthenticatedSession) -> Bool {
        session != signedIn.session.id.description
    }

    private static func parse(_ text: Secret) -> InterruptedForm? {
        let lines = text.reveal().split(
            separator: UInt8(ascii: "\n"), maxSplits: headLines, omittingEmptySubsequences: false)
        guard lines.count == headLines + 1, let form = try? FormParameters(Array(lines[headLines])),
            let effect = try? FormParameters(Array("effect=".utf8) + lines[4])
        else { return nil }
        let head = lines.prefix(headLines).map { String(decoding: $0, as: UTF8.self) }
        return InterruptedForm(
            action: head[0], form: form, page: head[1],
            replay: Replay(rawValue: head[3]) ?? .onPage,
            effect: effect["effect"] ?? "", session: head[2])
    }
}
