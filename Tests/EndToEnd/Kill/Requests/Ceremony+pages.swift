// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

/// What people do on the provider's pages.
extension Ceremony {
    static let pages: [Ceremony] = [registeringPasskey, addingPasskey, signingInByPasskey, wayBack]

    private static func passkey(_ house: MortalHouse) throws -> SoftwarePasskey {
        try SoftwarePasskey(
            origin: house.issuer, relyingPartyID: "localhost", random: SystemRandomSource())
    }

    /// Both halves of creating a key. A ceremony accepts one response: if that was lost it has
    /// ended, and the page starts again.
    ///
    /// - Returns: The last response of the provider.
    private static func make(
        _ key: SoftwarePasskey, for wish: JSON, in browser: FormAgent, _ house: MortalHouse
    ) async throws -> JSON {
        let begun = try await persist { _ in
            try await house.page(browser, "/webauthn/registration/options", wish)
        }
        guard var answer = try key.registration(answering: begun) else { return begun }
        if let link = wish["reregister"].string { answer["reregister"] = .string(link) }
        let sent = answer
        let done = try await persist { _ in
            try await house.page(browser, "/webauthn/registration/verify", sent)
        }
        return done
    }

    private static func signIn(
        _ key: SoftwarePasskey, of person: String, in browser: FormAgent, _ house: MortalHouse
    ) async throws -> JSON {
        let begun = try await persist { _ in
            try await house.page(browser, "/webauthn/sign-in/options", [:])
        }
        let answer = try key.assertion(answering: begun, of: person)
        return try await persist { _ in
            try await house.page(browser, "/webauthn/sign-in/verify", answer)
        }
    }

    /// Returns the keys of the person, by kind; `nil` if there is no such person.
    static func credentials(
        _ username: String, _ house: MortalHouse
    ) async throws -> (sub: String, kinds: [String])? {
        let answer = try await house.admin("GET", "/projects/default/people/\(username)")
        guard answer.status == 200 else { return nil }
        let person = try JSON(parsing: answer.body)
        let kinds = person["credentials"].array?.compactMap { $0["kind"].string }
        return (person["sub"].string ?? "", kinds ?? [])
    }

    private static let registeringPasskey = Ceremony(name: "an account with a passkey") { house in
        {
            let name = house.newName("ines")
            return {
                let (browser, key) = (house.browser(), try passkey(house))
                let wish: JSON = ["username": .string(name)]
                let done = try await make(key, for: wish, in: browser, house)
                try house.door.disarm()
                if done["location"].string == nil {
                    #expect(done["code"].string == "ceremony_expired", "\(done.text)")
                }
                // There is a person with the key, or no such person.
                guard let made = try await credentials(name, house) else {
                    let again = try await make(key, for: wish, in: house.browser(), house)
                    #expect(again["location"].string != nil, "\(again.text)")
                    return
                }
                #expect(made.kinds == ["public_key"])
                let entered = try await signIn(key, of: made.sub, in: house.browser(), house)
                #expect(entered["location"].string != nil, "\(entered.text)")
            }
        }
    }

    private static let addingPasskey = Ceremony(name: "a passkey in addition to a password") {
        house in
        {
            let (name, browser) = (house.newName("jan"), house.browser())
            let isMade = try browser.register(name, DeclaredState.password)
            #expect(isMade)
            return {
                let key = try passkey(house)
                let done = try await make(key, for: [:], in: browser, house)
                try house.door.disarm()
                if done["location"].string == nil {
                    #expect(done["code"].string == "ceremony_expired", "\(done.text)")
                }
                let before = try #require(try await credentials(name, house))
                if before.kinds.count == 1 {
                    let again = try await make(key, for: [:], in: browser, house)
                    #expect(again["location"].string != nil, "\(again.text)")
                }
                let after = try #require(try await credentials(name, house))
                #expect(after.kinds.sorted() == ["password", "public_key"])
                let entered = try await signIn(key, of: after.sub, in: house.browser(), house)
                #expect(entered["location"].string != nil, "\(entered.text)")
            }
        }
    }

    private static let signingInByPasskey = Ceremony(name: "signing in with a passkey") { house in
        let (name, key) = (house.newName("kim"), try passkey(house))
        let wish: JSON = ["username": .string(name)]
        let made = try await make(key, for: wish, in: house.browser(), house)
        #expect(made["location"].string != nil, "\(made.text)")
        let sub = try #require(try await credentials(name, house)).sub
        return {
            {
                let browser = house.browser()
                let done = try await signIn(key, of: sub, in: browser, house)
                try house.door.disarm()
                #expect(browser.isSignedIn == (done["location"].string != nil))
                if !browser.isSignedIn {
                    #expect(done["code"].string == "ceremony_expired", "\(done.text)")
                    _ = try await signIn(key, of: sub, in: browser, house)
                }
                #expect(try browser.send(.init(path: "/account")).status == 200)
            }
        }
    }

    /// A link that was consumed without a key is invalid: the administrator then creates another.
    private static let wayBack = Ceremony(
        name: "a recovery link for a person without keys", moments: DyingDoor.Moment.allCases
    ) { house in
        {
            let name = house.newName("lost")
            let path = "/projects/default/people/\(name)"
            _ = try await house.admin("PUT", path, ["name": "Lost"])
            return {
                let opened = try await persist { _ in
                    try await house.admin("POST", path + "/re-registration", [:])
                }
                let url = try JSON(parsing: opened.body)["url"].string ?? ""
                let link = url.split(separator: "=").last.map(String.init) ?? ""
                let (browser, key) = (house.browser(), try passkey(house))
                let wish: JSON = ["reregister": .string(link), "kind": "passkey"]
                let done = try await make(key, for: wish, in: browser, house)
                try house.door.disarm()
                let has = try #require(try await credentials(name, house)).kinds
                if done["location"].string != nil { #expect(has == ["public_key"]) }
                guard has.isEmpty else { return }
                #expect(
                    ["ceremony_expired", "re_registration_invalid"]
                        .contains(done["code"].string ?? ""), "\(done.text)")
                // Nothing is lost for good: the same link, or a new one, lets a key in.
                var again = try await make(key, for: wish, in: house.browser(), house)
                if again["location"].string == nil {
                    let other = try await house.admin("POST", path + "/re-registration", [:])
                    let url = try JSON(parsing: other.body)["url"].string ?? ""
                    let link = url.split(separator: "=").last.map(String.init) ?? ""
                    again = try await make(
                        key, for: ["reregister": .string(link)], in: house.browser(), house)
                }
                #expect(again["location"].string != nil, "\(again.text)")
                #expect(try await credentials(name, house)?.kinds == ["public_key"])
            }
        }
    }

    /// What was lost with an answer is asked for again: another code is on its way.
    static func recovery(by sink: MailSink) -> Ceremony {
        Ceremony(name: "recovery by mail", moments: DyingDoor.Moment.allCases) { house in
            {
                let name = house.newName("nora")
                let address = "\(name)@example.com"
                let made = try await house.admin(
                    "PUT", "/projects/default/people/\(name)",
                    ["email": .string(address), "email_verified": true])
                #expect(made.status < 300, "\(made.text)")
                return {
                    let browser = house.browser()
                    try await recover(name, address, browser, house, sink)
                    try house.door.disarm()
                    if !browser.isSignedIn {
                        try await recover(name, address, browser, house, sink)
                    }
                    #expect(browser.isSignedIn)
                    #expect(try browser.send(.init(path: "/account")).text.contains(name))
                }
            }
        }
    }

    private static func recover(
        _ name: String, _ address: String, _ browser: FormAgent, _ house: MortalHouse,
        _ sink: MailSink
    ) async throws {
        let page = try await blocking { try browser.follow(.init(path: "/recover")) }
        let (asked, seen) = try await persist { _ in
            let seen = try sink.count(to: address)
            let asked = try await blocking {
                try browser.submit(
                    page, at: "/recover", [("username", name)], having: "username")
            }
            return (asked, seen)
        }
        let message = try await sink.newest(to: address, after: seen)
        let code = MailSink.code(in: message) ?? ""
        _ = try await persist { _ in
            try await blocking {
                try browser.submit(asked, at: "/recover/code", [("code", code)], having: "code")
            }
        }
    }
}
