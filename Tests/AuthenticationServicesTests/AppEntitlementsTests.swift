// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Testing

@Suite struct AppEntitlementsTests {
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>application-identifier</key><string>ABC.com.example.app</string>
        <key>com.apple.developer.associated-domains</key>
        <array><string>webcredentials:example.com</string></array>
        </dict></plist>
        """

    @Test("The property list that Xcode writes is read from the executable's directory")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "entitlements-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let executable = folder.appending(path: "app").path
        #expect(AppEntitlements.read(environment: [:], executable: executable) == nil)
        try Data(Self.list.utf8).write(to: URL(fileURLWithPath: executable + ".entitlements"))
        let read = AppEntitlements.read(environment: [:], executable: executable)
        #expect(read?.applicationIdentifier == "ABC.com.example.app")
        #expect(read?.associatedDomains == ["webcredentials:example.com"])
        #expect(read?.isWebBrowser == false)
    }

    @Test("The environment comes before the file")
    func environment() {
        let read = AppEntitlements.read(
            environment: [
                "GATEHOUSE_APP_IDENTIFIER": "X.y",
                "GATEHOUSE_ASSOCIATED_DOMAINS": "webcredentials:a.test  webcredentials:b.test",
            ], executable: "/nowhere/app")
        #expect(read?.applicationIdentifier == "X.y")
        #expect(read?.associatedDomains == ["webcredentials:a.test", "webcredentials:b.test"])
        #expect(
            AppEntitlements.read(environment: ["GATEHOUSE_APP_IDENTIFIER": ""], executable: nil)
                == nil)
    }

    @Test(
        "What is no such list names no app",
        arguments: ["", "<plist>", "{}", "<plist version=\"1.0\"><dict></dict></plist>"])
    func refused(_ text: String) {
        #expect(AppEntitlements(propertyList: Data(text.utf8)) == nil)
    }

    @Test("A list of enormous length is not read")
    func tooLong() {
        let padding = String(repeating: " ", count: 70_000)
        #expect(AppEntitlements(propertyList: Data((Self.list + padding).utf8)) == nil)
    }
}
