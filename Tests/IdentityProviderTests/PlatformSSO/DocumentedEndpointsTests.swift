// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Testing

@testable import IdentityProvider

/// docs/platform-sso-provider.md, "Endpoints", against `/.well-known/gatehouse`.
@Suite struct DocumentedEndpointsTests {
    @Test("The page names every endpoint that the provider publishes, and no other")
    func names() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appending(path: "docs/platform-sso-provider.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "\n## Endpoints\n").last?
                .components(separatedBy: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            let column = row.split(separator: "|").first ?? ""
            return column.matches(of: /`(\w+)`/).map { String($0.1) }
        }
        let document = GatehouseDocument(
            issuer: "https://id.example.com", asksForEndorsements: true)
        let published = try JSONParser.parse(document.json, maximumBytes: 65_536)
        #expect(named.sorted() == published["platform_sso"]?.object?.names.sorted())
    }
}
