// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Testing

@Suite struct ApplicationVersionTests {
    @Test("versions are compared number by number, and what is missing counts as 0")
    func order() throws {
        let ascending = ["0", "0.0.1", "1.9", "1.10", "1.10.0.1", "2", "2.0.1", "10", "999999999"]
        let versions = try ascending.map { try #require(VersionNumber($0)) }
        #expect(versions == versions.reversed().sorted())
        #expect(VersionNumber("2") == VersionNumber("2.0.0.0"))
        #expect(VersionNumber("02.4") == VersionNumber("2.4"))
        #expect(VersionNumber("02.4")?.description == "2.4")
    }

    @Test(
        "what is no version is not read as one",
        arguments: [
            "", ".", "1.", ".1", "1..2", "1.2.3.4.5", "1.2-beta", "v1", "-1", "+1", " 1", "1 ",
            "1,2", "1234567890", "٣", "1e3", "0x1", "1.2\n", "99999999999999999999999",
        ])
    func noVersion(_ text: String) {
        #expect(VersionNumber(text) == nil)
    }

    @Test("the field is read, and written the same")
    func field() throws {
        let field = "com.example.notes/2.4.1 ios/17.6.1"
        let app = try #require(ApplicationVersion(field))
        #expect(app.application == "com.example.notes" && app.system == "ios")
        #expect(app.version == VersionNumber("2.4.1"))
        #expect(app.systemVersion == VersionNumber("17.6.1"))
        #expect(app.field == field)
    }

    @Test(
        "anything but two products is refused",
        arguments: [
            "", "com.example.notes/2.4.1", "com.example.notes/2.4.1  ios/17", "a/1 ios/17 x/1",
            " a/1 ios/17", "a/1 ios/17 ", "a/1\tios/17", "a ios", "a/ ios/17", "/1 ios/17",
            "a/1 ios/", "a/1/2 ios/17", "a/1 iOS/17", "a/1.x ios/17", "a/1, b/1", "ä/1 ios/17",
            "a/1 ios/17, b/1 ios/17", "a;b/1 ios/17",
            "\(String(repeating: "a", count: 129))/1 ios/1",
        ])
    func noField(_ text: String) {
        #expect(ApplicationVersion(text) == nil)
    }

    @Test("names with other characters are refused")
    func names() throws {
        let one = try #require(VersionNumber("1"))
        for (app, system) in [("a b", "ios"), ("", "ios"), ("a", ""), ("a", "iOS"), ("a/b", "ios")]
        {
            #expect(
                ApplicationVersion(
                    application: app, version: one, system: system, systemVersion: one) == nil)
        }
    }
}
