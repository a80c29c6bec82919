// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// What people do with passwords, and with the codes for the day that they have lost theirs.
extension Ceremony {
    static let passwords: [Ceremony] = [registeringPassword, changingPassword, recoveryCodes]

    /// The form may have been lost, or the page that came of it: then the name is theirs already.
    private static let registeringPassword = Ceremony(name: "an account with a password") { house in
        {
            let name = house.newName("lea")
            return {
                let browser = house.browser()
                let page = try await blocking { try browser.follow(.init(path: "/register")) }
                _ = try await persist { _ in
                    try await blocking {
                        try browser.submit(
                            page, at: "/register",
                            [("username", name), ("password", DeclaredState.password)],
                            having: "password")
                    }
                }
                try house.door.disarm()
                let made = try #require(try await credentials(name, house))
                #expect(made.kinds == ["password"])
                if !browser.isSignedIn { try browser.signIn(name, DeclaredState.password) }
                #expect(try browser.send(.init(path: "/account")).text.contains(name))
            }
        }
    }

    /// It is the new one afterwards, and never both: done again, the old one is wrong.
    private static let changingPassword = Ceremony(name: "another password") { house in
        {
            let (name, browser) = (house.newName("mia"), house.browser())
            let isMade = try browser.register(name, DeclaredState.password)
            #expect(isMade)
            return {
                let another = "another " + DeclaredState.password
                let account = try await blocking { try browser.follow(.init(path: "/account")) }
                _ = try await persist { _ in
                    try await blocking {
                        try browser.submit(
                            account, at: "/account/password",
                            [("current_password", DeclaredState.password), ("password", another)],
                            having: "current_password")
                    }
                }
                try house.door.disarm()
                #expect(try browser.send(.init(path: "/account")).status == 200)
                try house.browser().signIn(name, another)
                #expect(throws: HarnessError.self) {
                    try house.browser().signIn(name, DeclaredState.password)
                }
            }
        }
    }

    /// Unread codes are replaced; a consumed code whose response was lost stays consumed, and the
    /// next one is valid.
    private static let recoveryCodes = Ceremony(name: "recovery codes") { house in
        {
            let (name, browser) = (house.newName("ole"), house.browser())
            let isMade = try browser.register(name, DeclaredState.password)
            #expect(isMade)
            return {
                let account = try await blocking { try browser.follow(.init(path: "/account")) }
                let shown = try await persist { _ in
                    try await blocking {
                        try browser.submit(account, to: "/account/recovery-codes")
                    }
                }
                let codes = shown.text.components(separatedBy: "<li><code>").dropFirst().map {
                    String($0.prefix { $0 != "<" })
                }
                let (first, second) = (try #require(codes.first), try #require(codes.last))
                let other = house.browser()
                try await persist { _ in try await enter(name, first, other) }
                try house.door.disarm()
                if !other.isSignedIn { try await enter(name, second, other) }
                #expect(other.isSignedIn)
                let third = house.browser()
                try await enter(name, first, third)
                #expect(!third.isSignedIn, "a code is good for one time")
                #expect(try other.send(.init(path: "/account")).text.contains(name))
            }
        }
    }

    private static func enter(
        _ name: String, _ code: String, _ browser: FormAgent
    ) async throws {
        _ = try await blocking {
            let page = try browser.follow(.init(path: "/recover"))
            return try browser.submit(
                page, at: "/recover/recovery-code", [("username", name), ("code", code)],
                having: "code")
        }
    }
}
