// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Testing

@testable import Server

@Suite struct PagesDeviceTests {
    /// Knows no device: these tests are about the way to the page.
    private struct NoDevices: DeviceFlow {
        private static let unknown = Refusal("unknown_code", "No such code.", reason: "test")

        func look(
            _ userCode: String, _ request: ServerRequest
        ) async throws -> Result<DeviceAsk, Refusal> { .failure(Self.unknown) }

        func decide(
            _ userCode: String, allow: Bool, _ request: ServerRequest, _ signedIn: SignedIn
        ) async throws -> Result<Bool, Refusal> { .failure(Self.unknown) }
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
