// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// Decisions of people about third-party clients and devices without a browser.
extension Ceremony {
    static let decisions: [Ceremony] = [consent, device]

    // MARK: On the way of a client

    private static let authorization: String = {
        let query = formEncoded([
            ("response_type", "code"), ("client_id", "bakery"), ("state", "st"),
            ("redirect_uri", MortalState.callback), ("scope", "openid profile"),
            ("code_challenge", PKCEPair.challenge), ("code_challenge_method", "S256"),
        ])
        return "/authorize?\(query)"
    }()

    /// Allows the request, as far as there is a prompt; a stored consent is not requested again.
    private static func allow(_ browser: FormAgent) async throws -> HTTPAnswer {
        let page = try await persist { _ in
            try await blocking { try browser.follow(.init(path: authorization)) }
        }
        guard HTMLForm.forms(in: page.text).contains(where: { $0.has("decision") }) else {
            return page
        }
        return try await persist { _ in
            try await blocking {
                try browser.submit(
                    page, at: "/consent", [("decision", "allow")], having: "decision")
            }
        }
    }

    /// The code that the client gets.
    private static func redirectedCode(_ answer: HTTPAnswer) -> String? {
        let parts = answer["location"].flatMap { URLComponents(string: $0) }
        return parts?.queryItems?.first { $0.name == "code" }?.value
    }

    /// The decision consumes the waiting request. If its response is lost, the client sends a new
    /// one.
    private static let consent = Ceremony(name: "a client that is allowed something") { house in
        {
            let (name, browser) = (house.newName("pia"), house.browser())
            let isMade = try browser.register(name, DeclaredState.password)
            #expect(isMade)
            return {
                var back = try await allow(browser)
                try house.door.disarm()
                if redirectedCode(back) == nil { back = try await allow(browser) }
                let code = try #require(redirectedCode(back), "\(back.status) \(back.text)")
                let account = try browser.send(.init(path: "/account")).text
                #expect(account.components(separatedBy: "/account/consents/").count == 2)
                let proof = basicAuthorization("bakery", DeclaredState.secret)
                let form = HTTPRequestText.form(
                    "/token",
                    [
                        ("grant_type", "authorization_code"), ("code", code),
                        ("redirect_uri", MortalState.callback),
                        ("code_verifier", PKCEPair.verifier),
                    ], headers: [proof])
                let given = try await exchange(form, port: house.port)
                #expect(given.status == 200, "\(given.text)")
                let again = try await exchange(form, port: house.port)
                #expect(again.json?["error"] as? String == "invalid_grant", "\(again.text)")
            }
        }
    }

    // MARK: A device

    /// Typed, decided and fetched once each (RFC 8628). A device that has lost its tokens asks for
    /// another code.
    private static let device = Ceremony(name: "a code of a device, typed and decided") { house in
        {
            let (name, browser) = (house.newName("quinn"), house.browser())
            let isMade = try browser.register(name, DeclaredState.password)
            #expect(isMade)
            return {
                let asked = try await persist { _ in
                    try await exchange(
                        .form(
                            "/device_authorization",
                            [("client_id", "tv"), ("scope", "openid profile")]), port: house.port)
                }
                let codes = try JSON(parsing: asked.body)
                let typed = try #require(codes["user_code"].string, "\(asked.text)")
                try await decide(typed, browser)
                func poll() async throws -> HTTPAnswer {
                    try await exchange(
                        .form(
                            "/token",
                            [
                                (
                                    "grant_type",
                                    "urn:ietf:params:oauth:grant-type:device_code"
                                ), ("client_id", "tv"),
                                ("device_code", codes["device_code"].string ?? ""),
                            ]), port: house.port)
                }
                let (fetched, isAgain) = try await persist { (try await poll(), $0) }
                try house.door.disarm()
                if fetched.status != 200 {
                    #expect(isAgain && fetched.json?["error"] as? String == "invalid_grant")
                }
                #expect(try await poll().json?["error"] as? String == "invalid_grant")
            }
        }
    }

    /// The person types the code and says yes. What they have decided already cannot be again.
    private static func decide(_ code: String, _ browser: FormAgent) async throws {
        let start = try await blocking { try browser.follow(.init(path: "/device")) }
        let asked = try await persist { _ in
            try await blocking {
                try browser.submit(start, at: "/device", [("code", code)], having: "code")
            }
        }
        let (decided, isAgain) = try await persist { again in
            let answer = try await blocking {
                try browser.submit(
                    asked, at: "/device", [("decision", "allow")], having: "decision")
            }
            return (answer, again)
        }
        #expect(decided.status == 200 || isAgain, "\(decided.text)")
    }
}
