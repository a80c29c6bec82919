// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderInstallations
import ProviderPeople
import Storage
import WebPages

/// What an administrator does for a person, or to one.
struct ConsolePersonForms: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsolePeoplePages.path + "/{person}"

    var routes: [HTTPRoute] {
        let forms = [
            frame.form(Self.path + "/disable", .changePeople) { console, _ in
                try await change(console, .putPerson, body: ["disabled": true], done: "disabled")
            },
            frame.form(Self.path + "/enable", .changePeople) { console, _ in
                try await change(console, .putPerson, body: ["disabled": false], done: "enabled")
            },
            frame.form(Self.path + "/sign-out", .changePeople) { console, _ in
                try await change(console, .endSessions, done: "signedOut")
            },
            frame.form(Self.path + "/entitlements", .giveEntitlements) {
                try await entitlements($0, $1)
            },
            frame.form(Self.path + "/expendable", .giveEntitlements) {
                try await refill($0, $1)
            },
            frame.form(Self.path + "/re-registration/close", .changePeople) { console, _ in
                try await change(console, .closeReRegistration, done: "wayBackClosed")
            },
            frame.form(Self.path + "/invitation", .editPeople) { try await invite($0, $1) },
            frame.form(Self.path + "/invitation/withdraw", .editPeople) { console, _ in
                try await change(console, .withdrawInvitation, done: "invitationWithdrawn")
            },
            // Where these forms lead back to when they have to ask for a sign-in.
            back(from: "/invitation", .editPeople), back(from: "/re-registration", .takeOverPeople),
            frame.form(Self.path + "/re-registration", .takeOverPeople, isGrave: true) {
                console, _ in
                try await openWayBack(console)
            },
            back(from: "/first-password", .takeOverPeople),
            frame.form(Self.path + "/first-password", .takeOverPeople, isGrave: true) {
                console, _ in
                try await setFirstPassword(console)
            },
        ]
        return forms + removal.routes(frame) + installationRemoval.routes(frame)
    }

    private func back(from place: String, _ action: ConsoleAction) -> HTTPRoute {
        frame.page(Self.path + place, action) {
            .redirect(to: $0.path("people", $0[parameter: "person"]))
        }
    }

    private var removal: ConsoleRemoval {
        ConsoleRemoval(
            pattern: Self.path + "/remove", action: .removePeople, part: "people", name: "person",
            operation: .removePerson,
            find: { console in
                try await console.person().map { overview in
                    ConsoleRemoval.Target(
                        word: overview.person.username,
                        page: console.path("people", console[parameter: "person"]),
                        list: console.path("people"))
                }
            })
    }

    private var installationRemoval: ConsoleRemoval {
        ConsoleRemoval(
            pattern: Self.path + "/installations/{installation}/remove", action: .changePeople,
            part: "people", name: "installation", operation: .removeInstallation,
            find: { try await findInstallation($0) })
    }

    private func findInstallation(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<ConsoleRemoval.Target> {
        let page = console.path("people", console[parameter: "person"])
        return try await console.person().flatMap { overview in
            let id = console[parameter: "installation"]
            let found = overview.installations.first { $0.id.description == id }
            guard let name = found?.name else {
                return .failure(.unknown("installation"))
            }
            return .success(ConsoleRemoval.Target(word: name.isEmpty ? id : name, list: page))
        }
    }

    private func change(
        _ console: ConsoleContext, _ operation: AdministrativeOperation,
        body: JSONValue = .null, done: String, typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let person = console[parameter: "person"]
        // The person must exist: this form must not create one.
        if let refusal = try await console.person().refusal {
            return console.refuse(refusal, part: "people")
        }
        let answer = try await console.ask(operation, [.person: person], body: body)
        if let refusal = answer.refusal {
            return try await ConsolePersonPage(console).show(refusal: refusal, typed: typed)
        }
        return console.redirect(console.path("people", person), done: done)
    }

    private func entitlements(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let found = try await console.person()
        guard let person = found.value?.person else {
            return console.refuse(found.refusal, part: "people")
        }
        let answer = try await console.call(.setEntitlements) {
            scope -> AdministrativeResult<Void> in
            let entitlements = PersonalEntitlementAdministration(scope, person)
            guard let given = try await entitlements.overview()?.given else {
                return .failure(.unknown("person"))
            }
            switch ConsolePersonEntitlements.assignment(form, over: given) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let wanted):
                return try await entitlements.assign(wanted, over: given.given)
            }
        }
        if let refusal = answer.refusal {
            return try await ConsolePersonPage(console).show(refusal: refusal, typed: form)
        }
        return console.redirect(
            console.path("people", console[parameter: "person"]), done: "saved")
    }

    /// The form carries an identifier, so that pressing twice gives once.
    private func refill(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let amounts = ConsolePersonEntitlements.amounts(in: form)
        return try await change(
            console, .changeExpendables,
            body: ["request_id": .string(form["request_id"] ?? ""), "amounts": amounts],
            done: "saved", typed: form)
    }

    /// The link is in this answer and nowhere else.
    private func openWayBack(_ console: ConsoleContext) async throws -> ServerResponse {
        let person = console[parameter: "person"]
        let answer = try await console.ask(.openReRegistration, [.person: person], body: [:])
        guard let link = answer.value?["url"]?.string else {
            return try await ConsolePersonPage(console).show(refusal: answer.refusal)
        }
        return try await ConsolePersonPage(console).show(
            link: ConsoleSecret(label: console.text("consoleWayBackLink"), text: link))
    }

    /// The password is in this answer and nowhere else.
    private func setFirstPassword(_ console: ConsoleContext) async throws -> ServerResponse {
        if let refusal = try await console.person().refusal {
            return console.refuse(refusal, part: "people")
        }
        let password = FirstPassword.make(random: console.visit.pages.provider.random)
        let answer = try await console.ask(
            .putPerson, [.person: console[parameter: "person"]],
            body: ["password": .string(password), "password_must_change": true])
        if let refusal = answer.refusal {
            return try await ConsolePersonPage(console).show(refusal: refusal)
        }
        return try await ConsolePersonPage(console).show(
            link: ConsoleSecret(label: console.text("consoleFirstPassword"), text: password),
            linkTitle: "consoleFirstPassword")
    }

    /// A mailed link is not shown. Another link is shown in this response only.
    private func invite(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let person = console[parameter: "person"]
        var body = JSONObject()
        body["mail"] = .bool(form["mail"] == "1")
        body["lifetime"] = form["days"].flatMap(Int64.init).map { .integer($0 * 86_400) }
        let answer = try await console.ask(
            .invitePerson, [.person: person], body: .object(body))
        guard let sent = answer.value else {
            return try await ConsolePersonPage(console).show(refusal: answer.refusal, typed: form)
        }
        guard let link = sent["url"]?.string else {
            return console.redirect(console.path("people", person), done: "invited")
        }
        return try await ConsolePersonPage(console).show(
            link: ConsoleSecret(label: console.text("consoleWayBackLink"), text: link),
            linkTitle: sent["not_mailed"]?.string.map { "consoleNotMailed.\($0)" }
                ?? "consoleInvitation")
    }
}

/// JSON that an administrator types.
enum ConsoleJSON {
    static let maximumBytes = 8192

    /// An object; an empty field is an empty one. `nil` for anything else.
    static func object(_ typed: String?) -> JSONValue? {
        let text = (typed ?? "").trimmed()
        guard !text.isEmpty else { return [:] }
        return (try? JSONParser.parseObject(Array(text.utf8), maximumBytes: maximumBytes))
            .map(JSONValue.object)
    }
}
