// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Storage
import Testing

/// Several resources were removed: each is restored separately.
@Suite struct ConsolePutBackManyTests {
    private let root = "/console/projects/default"

    @Test("the last five that were removed are offered, each by itself")
    func several() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let names = (1...6).map { "set\($0)" }
        for name in names {
            _ = try await browser.get(root)
            _ = try await browser.submit(
                root + "/entitlement-sets/save", ["name": name, "entitlements": "{}"])
            _ = try await browser.submit("\(root)/entitlement-sets/\(name)/remove", [:])
        }
        let page = try await browser.get(root + "/entitlement-sets").text
        for name in names {
            #expect(page.contains("“\(name)” was removed.") == (name != "set1"), "\(name)")
        }
        let marks = page.matches(of: /name="which" value="([^"]+)"/).map { String($0.output.1) }
        #expect(Set(marks).count == 5)
        // Not the last one, but the one whose button is pressed.
        _ = try await browser.submit(root + "/put-back", ["which": marks[3]])
        func kept() async throws -> [String] {
            try await house.store.entitlements.entitlementSets(of: house.home.id).map(\.name)
        }
        #expect(try await kept() == ["set3"])
        let again = try await browser.submit(root + "/put-back", ["which": marks[3]])
        #expect(again.status == .conflict)
        #expect(
            try await browser.submit(root + "/put-back", ["which": "AAAA"]).status == .conflict)
        _ = try await browser.submit(root + "/put-back", ["which": marks[0]])
        #expect(try await kept() == ["set3", "set6"])
        let rest = try await browser.get(root).text
        #expect(rest.split(separator: " was removed.").count == 4)
    }
}
