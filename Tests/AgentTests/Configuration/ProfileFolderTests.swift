// SPDX-License-Identifier: Apache-2.0
import Agent
import Foundation
import Primitives
import SingleSignOn
import Support
import Testing

@Suite struct ProfileFolderTests {
    private let folder = TestFolder()
    private let now = Timestamp(seconds: 1_800_000_000)
    private var profiles: ProfileFolder { ProfileFolder(path: folder.path(".")) }

    private func write(_ text: String, _ name: String = "a.mobileconfig") throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        chmod(folder.path(name), 0o644)
    }

    @Test("A profile for Macs configures this machine: token, method, shared keys, issuer")
    func profile() throws {
        try write(TestProfile(token: "grt_1").text)
        let read = profiles.read(now: now)
        #expect(read.problems == [])
        let payload = try #require(read.effective.platformSSO)
        let plan = try #require(
            RegistrationPlan(
                payload, revision: read.revision, extensionRevision: "1", hasKeyService: true))
        #expect(plan.hasToken && plan.sharesDeviceKeys && plan.usesKeyService)
        #expect(plan.extensionIdentifier == "ABCDE12345.com.example.sso")
        #expect(plan.method == "Password")
        #expect(SignInPolicy(payload).loginFrequency == .hours(2))
    }

    @Test("Another method has no unlock key, and keys of each person no key service")
    func plans() throws {
        for (profile, expected) in [
            (TestProfile(), true), (TestProfile(method: "UserSecureEnclaveKey"), false),
            (TestProfile(shared: false), false),
        ] {
            try write(profile.text)
            let read = profiles.read(now: now)
            let plan = RegistrationPlan(
                try #require(read.effective.platformSSO), revision: "", extensionRevision: "",
                hasKeyService: true)
            #expect(plan?.usesKeyService == expected)
        }
    }

    @Test("Grace periods are seconds, and count only where a policy allows them")
    func grace() throws {
        var profile = TestProfile(grace: 3)
        profile.authenticationGrace = 2
        let text = profile.text
        #expect(text.contains("<integer>259200</integer>"))
        try write(text)
        let found = try #require(profiles.read(now: now).effective.platformSSO)
        #expect(SignInPolicy(found).offlineGrace == .seconds(259_200))
        #expect(AdmissionPolicy(found).offlineGrace == .seconds(259_200))
        #expect(AdmissionPolicy(found).authenticationGrace == .seconds(172_800))
        try write(TestProfile().text)
        #expect(
            SignInPolicy(try #require(profiles.read(now: now).effective.platformSSO)).offlineGrace
                == nil)
    }

    @Test("The revision changes with every byte, and with nothing else")
    func revision() throws {
        try write(TestProfile().text)
        let first = profiles.read(now: now).revision
        #expect(profiles.read(now: now + .days(1)).revision == first)
        try write(TestProfile(token: "t").text)
        #expect(profiles.read(now: now).revision != first)
    }

    @Test("A registration token that others can read is warned of, and counts all the same")
    func readableToken() throws {
        chmod(folder.path("."), 0o755)
        try write(TestProfile(token: "grt_1").text)
        try write(TestProfile().text, "b.mobileconfig")
        let read = profiles.read(now: now)
        #expect(read.warnings.map(\.file) == ["a.mobileconfig"])
        #expect(read.warnings.first?.reason.contains("registration token") == true)
        #expect(read.problems == [] && read.effective.platformSSO != nil)
        chmod(folder.path("a.mobileconfig"), 0o600)
        #expect(profiles.read(now: now).warnings == [])
        chmod(folder.path("a.mobileconfig"), 0o640)
        #expect(profiles.read(now: now).warnings.count == 1)
        // In a directory that only its owner can enter, the file may have any mode.
        chmod(folder.path("."), 0o700)
        #expect(profiles.read(now: now).warnings == [])
    }

    @Test("What others can write does not count")
    func exposed() throws {
        try write(TestProfile().text)
        chmod(folder.path("a.mobileconfig"), 0o666)
        let read = profiles.read(now: now)
        #expect(read.effective.platformSSO == nil)
        #expect(read.problems.map(\.file) == ["a.mobileconfig"])
    }

    @Test("What is no profile, too large or no file is a problem, and the others count")
    func problems() throws {
        try write(TestProfile().text)
        try write("<plist", "b.mobileconfig")
        try write(String(repeating: " ", count: 1 << 20) + " ", "c.plist")
        try FileManager.default.createDirectory(
            atPath: folder.path("d.json"), withIntermediateDirectories: true)
        try write("no profile", "readme.txt")
        let read = profiles.read(now: now)
        #expect(read.problems.map(\.file) == ["b.mobileconfig", "c.plist", "d.json"])
        #expect(read.effective.platformSSO != nil)
    }

    @Test("A profile with a removal date is ignored from that date on")
    func removal() throws {
        try write(TestProfile(removal: "2027-02-01T00:00:00Z").text)
        let read = profiles.read(now: now)
        #expect(read.nextRemoval?.rfc3339 == "2027-02-01T00:00:00.000Z")
        let later = profiles.read(now: now + .days(60))
        #expect(later.effective.platformSSO == nil && later.problems == [])
    }

    // MARK: Single accounts

    private func writeOwn(_ text: String, of account: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("users/\(account)"), withIntermediateDirectories: true)
        try write(text, "users/\(account)/own.mobileconfig")
    }

    @Test("A profile for one account applies to it only, on the user channel, with separate keys")
    func ownProfile() throws {
        try writeOwn(TestProfile(token: "anna").text, of: "anna")
        let read = profiles.read(now: now)
        #expect(read.problems == [] && read.effective.platformSSO == nil)
        #expect(read.effective(for: "bea").platformSSO == nil)
        let own = try #require(read.effective(for: "anna").platformSSO)
        #expect(own.platformSSO?.useSharedDeviceKeys == false)
        #expect(own.registrationToken == Secret("anna"))
        #expect(read.effective(for: "anna").setAside.map(\.reason) == [.sharedKeysOnUserChannel])
    }

    @Test(
        "The device-channel profile has precedence; the account's adds a token and other data only")
    func precedence() throws {
        var own = TestProfile(issuer: "https://evil.example.com", token: "anna", frequency: 3600)
        own.pin = 8
        try write(TestProfile().text)
        try writeOwn(own.text, of: "anna")
        let read = profiles.read(now: now)
        let merged = try #require(read.effective(for: "anna").platformSSO)
        #expect(merged.registrationToken == Secret("anna"))
        #expect(SignInPolicy(merged).loginFrequency == .hours(2))
        #expect(merged.platformSSO?.useSharedDeviceKeys == true)
        let data = merged.extensionData ?? []
        #expect(data.first { $0.name == "issuer" }?.value.string == "https://idp.example.com")
        #expect(data.first { $0.name == "user_key_pin" }?.value.integer == 8)
        #expect(read.effective.platformSSO?.registrationToken == nil)
    }

    @Test("The revision changes with an own profile, and with whose it is")
    func ownRevision() throws {
        let empty = profiles.read(now: now).revision
        try writeOwn(TestProfile().text, of: "anna")
        let anna = profiles.read(now: now).revision
        try FileManager.default.moveItem(
            atPath: folder.path("users/anna"), toPath: folder.path("users/bea"))
        let bea = profiles.read(now: now).revision
        #expect(Set([empty, anna, bea]).count == 3)
    }

    @Test(
        "Own profiles that others can change, or that are none, do not count, and say whose they are"
    )
    func ownProblems() throws {
        try writeOwn(TestProfile().text, of: "anna")
        chmod(folder.path("users/anna"), 0o777)
        try writeOwn("<plist", of: "bea")
        try writeOwn(TestProfile().text, of: "carl")
        chmod(folder.path("users/carl/own.mobileconfig"), 0o666)
        try write(TestProfile().text, "users/dora.mobileconfig")
        let read = profiles.read(now: now)
        #expect(
            read.problems.map(\.file) == [
                "users/anna/", "users/bea/own.mobileconfig", "users/carl/own.mobileconfig",
                "users/dora.mobileconfig/",
            ])
        #expect(read.accounts.isEmpty && !read.isHalfRead)
        #expect(read.halfReadAccounts == ["anna", "bea", "carl", "dora.mobileconfig"])
    }

    @Test("The folders to watch are this one, that of the accounts, and each account's")
    func folders() throws {
        let root = folder.path(".")
        #expect(profiles.folders == [root])
        try writeOwn(TestProfile().text, of: "bea")
        try writeOwn(TestProfile().text, of: "anna")
        #expect(
            profiles.folders == [
                root, root + "/users", root + "/users/anna", root + "/users/bea",
            ])
    }

    @Test("A folder that is missing has no profiles")
    func missing() {
        let read = ProfileFolder(path: folder.path("nowhere")).read(now: now)
        #expect(read.installed == [] && read.problems == [])
    }
}
