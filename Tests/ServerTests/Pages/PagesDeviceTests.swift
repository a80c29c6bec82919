// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

@Suite struct PagesDeviceTests {
    /// Knows no device: these tests are about the way to the page.
    private struct NoDevices: DeviceFlow {
        private static let unknown = Refusal("unknown_code", "No such code.", reason: "test")

        func look(
            _ userCode: String, _ request: ServerRequest
        ) async throws -> Result<DeviceCodePrompt, Refusal> { .failure(Self.unknown) }

        func decide(
            _ userCode: String, allow: Bool, _ request: ServerRequest,
            _ signedIn: AuthenticatedSession
        ) async throws -> Result<Bool, Refusal> { .failure(Self.unknown) }
    }

    /// A device flow with one device that a person wants to register.
    private struct OneMachine: DeviceFlow {
        var name = ""

        func look(
            _ userCode: String, _ request: ServerRequest
        ) async throws -> Result<DeviceCodePrompt, Refusal> {
            .success(
                DeviceCodePrompt(
                    client: ClientDisplayInfo(name: "Platform SSO"), scopes: ["openid"],
                    code: "BCDF-GHJK", needsFreshSignIn: true, device: name))
        }

        func decide(
            _ userCode: String, allow: Bool, _ request: ServerRequest,
            _ signedIn: AuthenticatedSession
        ) async throws -> Result<Bool, Refusal> { .success(allow) }
    }

    @Test("who lets a machine register has signed in a moment ago, and comes back to the code")
    func freshSignIn() async throws {
        let house = try await PagesHouse(devices: OneMachine())
        var browser = try await house.registered()
        _ = try await browser.get("/device")
        let asked = try await browser.submit("/device", ["code": "BCDF-GHJK"])
        #expect(asked.location == nil && asked.text.contains("BCDF-GHJK"))
        house.clock.advance(by: .minutes(20))
        _ = try await browser.get("/device")
        let sent = try await browser.submit("/device", ["code": "BCDF-GHJK"])
        #expect(sent.location == "/sign-in?next=device&again=1")
        _ = try await browser.get("/sign-in?next=device&again=1")
        let back = try await browser.submit(
            "/sign-in",
            ["username": "anna", "password": "correct horse battery staple", "next": "device"])
        #expect(back.location == "/device")
        #expect(try await browser.get("/device").text.contains("BCDF-GHJK"))
        let again = try await browser.submit("/device", ["code": "BCDF-GHJK"])
        #expect(again.location == nil && again.text.contains("BCDF-GHJK"))
    }

    @Test(
        "the person who approves a device sees its stated name, and that it is not verified",
        arguments: [
            ("en", "Name given by the device", "not verified"),
            ("de", "Name, den das Gerät angibt", "nicht geprüft"),
        ])
    func named(language: String, says: String, warns: String) async throws {
        let name = #"<b>laptop-7</b> {code}, "ThinkPad""#
        let house = try await PagesHouse(devices: OneMachine(name: name))
        var browser = try await house.registered()
        browser.language = language
        _ = try await browser.get("/device")
        let asked = try await browser.submit("/device", ["code": "BCDF-GHJK"]).text
        #expect(asked.contains(says) && asked.contains(warns))
        #expect(asked.contains("&lt;b&gt;laptop-7&lt;/b&gt; {code}, "))
        #expect(!asked.contains("<b>laptop-7"))
    }

    @Test("a machine that calls itself nothing has no such line")
    func nameless() async throws {
        let house = try await PagesHouse(devices: OneMachine())
        var browser = try await house.registered()
        _ = try await browser.get("/device")
        let asked = try await browser.submit("/device", ["code": "BCDF-GHJK"]).text
        #expect(asked.contains("BCDF-GHJK") && !asked.contains("Name given by the device"))
    }

    /// A device flow with one client, whose policy refuses all people.
    private struct NotForThem: DeviceFlow {
        let code: String
        var canStepUp = false

        func look(
            _ userCode: String, _ request: ServerRequest
        ) async throws -> Result<DeviceCodePrompt, Refusal> {
            .success(
                DeviceCodePrompt(
                    client: ClientDisplayInfo(name: "Till"), scopes: ["openid"], code: "BCDF-GHJK"))
        }

        func decide(
            _ userCode: String, allow: Bool, _ request: ServerRequest,
            _ signedIn: AuthenticatedSession
        ) async throws -> Result<Bool, Refusal> {
            var refusal = Refusal(code, "No.", reason: "test")
            refusal.canStepUp = canStepUp
            return .failure(refusal)
        }
    }

    @Test(
        "a person without access to the client sees the contact and the request number, and no form"
    )
    func notForThem() async throws {
        for (code, words) in [
            ("client_access", "has no access to this app"),
            ("unmet_authentication_requirements", "stronger sign-in"),
        ] {
            let house = try await PagesHouse(devices: NotForThem(code: code))
            var browser = try await house.registered()
            _ = try await browser.get("/device")
            _ = try await browser.submit("/device", ["code": "BCDF-GHJK"])
            let page = try await browser.submit(
                "/device", ["code": "BCDF-GHJK", "decision": "allow"])
            #expect(page.status == .badRequest && page.text.contains(words))
            #expect(page.text.contains("class=\"request\"") && !page.text.contains("<form"))
        }
    }

    @Test("who has a key that is enough is led to a sign-in with it, and back to the code")
    func stepUp() async throws {
        let house = try await PagesHouse(
            devices: NotForThem(code: "unmet_authentication_requirements", canStepUp: true))
        var browser = try await house.registered()
        _ = try await browser.get("/device")
        _ = try await browser.submit("/device", ["code": "BCDF-GHJK"])
        let page = try await browser.submit(
            "/device", ["code": "BCDF-GHJK", "decision": "allow"])
        #expect(page.status == .forbidden)
        #expect(page.text.contains("/sign-in?next=device") && page.text.contains("again=1"))
        #expect(browser.cookies["gatehouse-device"] == "BCDF-GHJK")
    }

    @Test("a code in the address is there again after signing in")
    func codeSurvivesSignIn() async throws {
        let house = try await PagesHouse(devices: NoDevices())
        _ = try await house.registered()
        var browser = house.browser()
        #expect(
            try await browser.get("/device?user_code=BCDF-GHJK").location
                == "/sign-in?next=device")
        _ = try await browser.get("/sign-in?next=device")
        let answer = try await browser.submit(
            "/sign-in",
            ["username": "anna", "password": "correct horse battery staple", "next": "device"])
        #expect(answer.location == "/device")
        #expect(try await browser.get("/device").text.contains("BCDF-GHJK"))
    }

    @Test(
        "what is no code is not kept",
        arguments: ["A%3Bb", "%22x", "ABCDEFGHIJKLMNOPQ", "%0d%0aSet-Cookie", "1234"])
    func notKept(_ code: String) async throws {
        let house = try await PagesHouse(devices: NoDevices())
        var browser = house.browser()
        _ = try await browser.get("/device?user_code=\(code)")
        #expect(browser.cookies["gatehouse-device"] == nil)
    }
}
