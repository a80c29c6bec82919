// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import CTAP
import Foundation
import Primitives
import Support
import Synchronization
import Testing
import UserClient

@Suite struct AssociatedAppTests {
    /// A site that answers what it is told to, and counts how often it was asked.
    private final class Site: Sendable {
        private let state: Mutex<(answer: WebClient.Response, addresses: [String])>

        init(_ answer: WebClient.Response) { state = Mutex((answer, [])) }

        var addresses: [String] { state.withLock { $0.addresses } }

        func fetch(_ address: String, _ limit: Int) throws -> WebClient.Response {
            let answer = state.withLock { state in
                state.addresses.append(address)
                return state.answer
            }
            guard answer.body.count <= limit else { throw WebClient.TooLong() }
            return answer
        }
    }

    private static let goodFile = #"{"webcredentials":{"apps":["ABC.com.example.app"]}}"#
    private let clock = ManualClock()

    private func answer(
        _ body: String = goodFile, status: Int = 200, headers: [String: String] = [:]
    ) -> WebClient.Response {
        WebClient.Response(status: status, headers: headers, body: Array(body.utf8))
    }

    private func app(
        _ site: Site, domains: [String] = ["applinks:example.com", "webcredentials:example.com"],
        identifier: String? = "ABC.com.example.app", isBrowser: Bool = false,
        development: Bool = false
    ) -> AssociatedApp {
        let entitlements = identifier.map {
            AppEntitlements(
                applicationIdentifier: $0, associatedDomains: domains, isWebBrowser: isBrowser)
        }
        let told = Warnings()
        return AssociatedApp(
            entitlements: { entitlements },
            files: AssociationFiles(clock: clock) { try site.fetch($0, $1) },
            allowsDevelopment: development, warn: told.add)
    }

    private final class Warnings: Sendable {
        let all = Mutex<[String]>([])
        var add: @Sendable (String) -> Void { { text in self.all.withLock { $0.append(text) } } }
    }

    private func refusal(
        _ app: AssociatedApp, _ domain: String = "example.com", clientData: [UInt8]? = nil
    ) async -> String {
        do throws(ASAuthorizationError) {
            _ = try await app.caller(for: domain, clientDataJSON: clientData)
            return "accepted"
        } catch {
            #expect(error.code == .failed)
            return error.localizedDescription
        }
    }

    @Test("An app and a domain that name one another belong together")
    func accepted() async throws {
        let site = Site(answer())
        let caller = try await app(site).caller(for: "example.com", clientDataJSON: nil)
        #expect(caller == .app(associatedDomains: ["example.com"]))
        #expect(site.addresses == ["https://example.com/.well-known/apple-app-site-association"])
    }

    @Test("A wildcard matches subdomains, and the file of the domain itself is fetched")
    func wildcard() async throws {
        let site = Site(answer())
        let app = app(site, domains: ["webcredentials:*.example.com"])
        _ = try await app.caller(for: "login.example.com", clientDataJSON: nil)
        #expect(site.addresses == ["https://example.com/.well-known/apple-app-site-association"])
        #expect(await refusal(app).contains("does not name webcredentials:example.com"))
        #expect(await refusal(app, "evil-example.com").contains("does not name"))
    }

    @Test(
        "A domain that cannot confirm the app refuses it",
        arguments: [
            (301, goodFile, "redirect"), (302, goodFile, "redirect"), (404, "", "status 404"),
            (500, goodFile, "status 500"), (200, "<html>", "no list of apps"),
            (200, #"{"webcredentials":{"apps":"ABC.com.example.app"}}"#, "no list of apps"),
            (200, #"{"applinks":{"apps":["ABC.com.example.app"]}}"#, "no list of apps"),
            (
                200, #"{"webcredentials":{"apps":["ABC.com.example.other"]}}"#,
                "does not name the app"
            ),
            (200, #"{"webcredentials":{"apps":["abc.com.example.app"]}}"#, "does not name the app"),
            (200, String(repeating: " ", count: 131_073), "longer than 128 KiB"),
        ])
    func refused(_ status: Int, _ body: String, _ reason: String) async {
        let app = app(Site(answer(body, status: status)))
        #expect(await refusal(app).contains(reason))
    }

    @Test("An app without services, or with other services only, is refused without a request")
    func undeclared() async {
        let site = Site(answer())
        #expect(await refusal(app(site, identifier: nil)).contains("GATEHOUSE_APP_IDENTIFIER"))
        #expect(await refusal(app(site, domains: [])).contains("does not name"))
        #expect(await refusal(app(site, domains: ["applinks:example.com"])).contains("does not"))
        #expect(await refusal(app(site), "login.example.com").contains("does not name"))
        #expect(site.addresses.isEmpty)
    }

    @Test("A file is kept until it expires: a day, or what the server says, at most a week")
    func expiry() async throws {
        let cases: [(String?, Int64)] = [
            (nil, 86_400), ("public, max-age=60", 60), ("max-age=99999999", 604_800),
        ]
        for (header, seconds) in cases {
            let site = Site(answer(headers: header.map { ["cache-control": $0] } ?? [:]))
            let app = app(site)
            _ = try await app.caller(for: "example.com", clientDataJSON: nil)
            clock.advance(by: .seconds(seconds - 1))
            _ = try await app.caller(for: "example.com", clientDataJSON: nil)
            #expect(site.addresses.count == 1)
            clock.advance(by: .seconds(1))
            _ = try await app.caller(for: "example.com", clientDataJSON: nil)
            #expect(site.addresses.count == 2)
        }
    }

    @Test("What must not be kept, and what was no file, is asked for each time")
    func unkept() async {
        for answer in [answer(headers: ["cache-control": "no-store"]), answer("no")] {
            let site = Site(answer)
            let app = app(site)
            _ = await refusal(app)
            _ = await refusal(app)
            #expect(site.addresses.count == 2)
        }
    }

    @Test("Only an app that is declared as a browser gives client data")
    func browser() async throws {
        let site = Site(answer())
        #expect(await refusal(app(site), clientData: [1]).contains("browser"))
        let caller = try await app(site, isBrowser: true).caller(
            for: "anything.test", clientDataJSON: [1])
        #expect(caller == .browser(clientDataJSON: [1]))
        #expect(site.addresses.isEmpty)
    }

    @Test("Developer mode needs localhost, its mark and its switch")
    func developerMode() async throws {
        let site = Site(answer())
        let entry = "webcredentials:localhost:8080?mode=developer"
        let off = app(site, domains: [entry])
        #expect(await refusal(off, "localhost").contains("GATEHOUSE_DEVELOPER_MODE"))
        let elsewhere = app(
            site, domains: ["webcredentials:example.com?mode=developer"], development: true)
        #expect(await refusal(elsewhere).contains("localhost only"))
        let on = app(site, domains: [entry], development: true)
        let caller = try await on.caller(for: "localhost", clientDataJSON: nil)
        #expect(caller == .web(origin: "http://localhost:8080"))
        #expect(site.addresses.isEmpty)
    }

    @Test("Developer mode is loud, every time")
    func loud() async throws {
        let told = Warnings()
        let site = Site(answer())
        let app = AssociatedApp(
            entitlements: {
                AppEntitlements(
                    applicationIdentifier: "A.b",
                    associatedDomains: ["webcredentials:localhost?mode=developer"])
            }, files: AssociationFiles(clock: clock) { try site.fetch($0, $1) },
            allowsDevelopment: true, warn: told.add)
        _ = try await app.caller(for: "localhost", clientDataJSON: nil)
        _ = try await app.caller(for: "localhost", clientDataJSON: nil)
        #expect(told.all.withLock { $0.count } == 2)
        #expect(told.all.withLock { $0.allSatisfy { $0.hasPrefix("WARNING") } })
    }

    @Test(
        "Entries that cannot be read count for nothing",
        arguments: [
            "example.com", "authsrv:example.com", "webcredentials:", "webcredentials:*",
            "webcredentials:a b",
            "webcredentials:example.com:0", "webcredentials:example.com:70000",
            "webcredentials:example.com:1:2", "webcredentials:*.*.example.com",
            "webcredentials:https://example.com", "webcredentials:example.com?a?b",
        ])
    func entries(_ entry: String) async {
        let site = Site(answer())
        #expect(await refusal(app(site, domains: [entry])).contains("webcredentials:example.com"))
        #expect(site.addresses.isEmpty)
    }
}
