// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import ProviderCore
import ProviderInstallations
import Storage
import Testing

/// Which versions of apps and systems are let in, decided without a server.
@Suite struct AppVersionEvaluatorTests {
    private static let policy: RegistrationPolicy = {
        var policy = RegistrationPolicy()
        var app = AppVersionPolicy()
        app.id = "com.example.notes"
        app.minimumVersion = "2.0"
        app.registrationVersion = "2.4"
        app.blockedVersions = ["2.5.1"]
        app.updateURL = "https://apps.example/notes"
        var system = SystemVersionPolicy()
        system.name = "android"
        system.minimumVersion = "12"
        system.blockedVersions = ["13.0.1"]
        policy.applications = [app]
        policy.systems = [system]
        return policy
    }()

    private func refusal(
        _ field: String?, _ purpose: AppVersionEvaluator.Purpose = .registration,
        onlyListed: Bool = false
    ) throws -> Refusal? {
        var policy = Self.policy
        policy.listedApplicationsOnly = onlyListed
        return try #require(AppVersionEvaluator(policy)).refusal(of: field, for: purpose)
    }

    @Test("without a policy every version is accepted")
    func noRules() {
        #expect(AppVersionEvaluator(RegistrationPolicy()) == nil)
    }

    @Test(
        "what is let in",
        arguments: [
            "com.example.notes/2.4 android/12", "com.example.notes/2.4.0 android/12.0.0.0",
            "com.example.notes/2.5.2 android/13", "com.example.notes/10 ios/1",
            "com.example.other/0 ios/17",
        ])
    func letIn(_ field: String) throws {
        for purpose in [AppVersionEvaluator.Purpose.registration, .use, .token] {
            #expect(try refusal(field, purpose) == nil)
        }
    }

    @Test("who says nothing is let in, unless only listed apps are")
    func silent() throws {
        #expect(try refusal(nil) == nil)
        #expect(try refusal(nil, onlyListed: true)?.code == "unknown_application")
        #expect(try refusal(nil, .use, onlyListed: true)?.code == "unknown_application")
        // Others than apps ask for tokens, too.
        #expect(try refusal(nil, .token, onlyListed: true) == nil)
    }

    @Test("an app that is not listed is refused where only listed ones are let in")
    func stranger() throws {
        let field = "com.example.other/9 ios/17"
        #expect(try refusal(field, onlyListed: true)?.code == "unknown_application")
        let answer = try #require(try refusal(field, .token, onlyListed: true))
        #expect(answer.code == ErrorCode.unauthorizedClient)
        #expect(member("code", of: answer) == "unknown_application")
    }

    private func member(_ name: String, of refusal: Refusal) -> String? {
        refusal.members.first { $0.name == name }?.value.string
    }

    @Test("one that is too old is told what is new enough, and where it is")
    func outdated() throws {
        let answer = try #require(try refusal("com.example.notes/1.9.9 android/12"))
        #expect(answer.code == "outdated_application")
        // To register it takes more than to go on.
        #expect(member("minimum_version", of: answer) == "2.4")
        #expect(member("update_url", of: answer) == "https://apps.example/notes")
        let use = try #require(try refusal("com.example.notes/1.9.9 android/12", .use))
        #expect(member("minimum_version", of: use) == "2.0")
    }

    @Test("between the two versions an app can sign in and cannot register")
    func signInOnly() throws {
        let field = "com.example.notes/2.3 android/12"
        #expect(try refusal(field, .use) == nil)
        #expect(try refusal(field, .token) == nil)
        #expect(try refusal(field, .registration)?.code == "outdated_application")
    }

    @Test("a blocked version is refused without a word about which is old enough")
    func blocked() throws {
        for version in ["2.5.1", "2.5.1.0", "02.5.1"] {
            let answer = try #require(try refusal("com.example.notes/\(version) ios/17", .use))
            #expect(answer.code == "outdated_application")
            #expect(member("minimum_version", of: answer) == nil)
            #expect(member("update_url", of: answer) != nil)
        }
    }

    @Test("a system that is too old or blocked is refused, whatever the app")
    func system() throws {
        let old = try #require(try refusal("com.example.other/1 android/11.9"))
        #expect(old.code == "outdated_system" && member("minimum_version", of: old) == "12")
        #expect(member("update_url", of: old) == nil)
        let blocked = try #require(try refusal("com.example.other/1 android/13.0.1"))
        #expect(blocked.code == "outdated_system")
        #expect(member("minimum_version", of: blocked) == nil)
    }

    @Test("the app comes before the system")
    func order() throws {
        #expect(
            try refusal("com.example.notes/1 android/1")?.code == "outdated_application")
    }

    @Test(
        "a field that cannot be read is refused as such",
        arguments: ["", "notes", "com.example.notes/1", "com.example.notes/x ios/1", "a/1 b/1 c/1"])
    func malformed(_ field: String) throws {
        #expect(try refusal(field)?.code == "malformed_input")
        let answer = try #require(try refusal(field, .token))
        #expect(answer.code == ErrorCode.invalidRequest)
        #expect(member("code", of: answer) == "malformed_input")
    }
}
