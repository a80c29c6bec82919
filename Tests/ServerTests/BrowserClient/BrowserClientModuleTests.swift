// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPServer
import HTTPTypes
import JOSE
import Testing
import WebPages

/// The browser client as it is served. What it does is shown in Chromium: BrowserClientStory.
@Suite("The browser client's module") struct BrowserClientModuleTests {
    private let house: OAuthHouse
    private let module: BrowserClientModule
    private let routes: RouteTable

    init() async throws {
        house = try await OAuthHouse()
        module = try WebResources().browserClient
        routes = RouteTable([BrowserClientRoutes(module)])
    }

    private func get(
        _ path: String, query: String? = nil, headers: RequestHeaders = [:]
    ) async throws -> ServerResponse {
        guard case .found(let route, _) = routes.match(.get, path: path) else {
            Issue.record("nothing at \(path)")
            return .noContent
        }
        let request = ServerRequest(
            method: .get, path: path, query: query, headers: headers, tenant: house.tenant,
            facts: house.facts)
        let dispatcher = Dispatcher(
            provider: house.provider, groups: [BrowserClientRoutes(module)])
        return await dispatcher.respond(to: request, by: route)
    }

    private var text: String { String(decoding: module.script, as: UTF8.self) }

    @Test("Any page may load it, isolated ones too; browsers ask whether it is still the same")
    func served() async throws {
        let response = try await get("/client/gatehouse.js")
        #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        let policy = try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))
        #expect(response.headers[policy] == "cross-origin")
        #expect(response.headers[.cacheControl] == "no-cache")
        let tag = try #require(response.headers[.eTag])
        let again = try await get("/client/gatehouse.js", headers: [.ifNoneMatch: tag])
        #expect(again.status == .notModified && again.body.isEmpty)
    }

    @Test("With its version it is cached permanently; with another one it is not")
    func versions() async throws {
        let kept = try await get("/client/gatehouse.js", query: "v=\(module.version)")
        #expect(kept.headers[.cacheControl]?.contains("immutable") == true)
        let other = try await get("/client/gatehouse.js", query: "v=0000000000000000")
        #expect(other.headers[.cacheControl] == "no-cache")
    }

    @Test("The digest to pin is that of what is served")
    func integrity() async throws {
        let release = try house.json(try await get("/client"))
        let digest = Data(SHA384.hash(data: try await get("/client/gatehouse.js").body))
        #expect(release["integrity"]?.string == "sha384-\(digest.base64EncodedString())")
        let address = try #require(release["module"]?.string)
        #expect(address == "\(OAuthHouse.issuer)/client/gatehouse.js?v=\(module.version)")
        let known = try house.json(try await house.get("/.well-known/gatehouse"))
        #expect(address.hasPrefix(try #require(known["browser_client"]?["module"]?.string)))
    }

    @Test("It loads nothing, evaluates nothing, and writes nothing to the page")
    func harmless() {
        for word in [
            "import ", "import(", "eval(", "Function(", "innerHTML", "document.", "localStorage",
            "http://", "https://",
        ] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test("The types name what the module exports, and nothing else")
    func types() throws {
        func names(_ text: String, _ pattern: String) throws -> Set<String> {
            let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
            let all = NSRange(text.startIndex..., in: text)
            return Set(
                expression.matches(in: text, range: all).compactMap {
                    Range($0.range(at: 1), in: text).map { String(text[$0]) }
                })
        }
        let pattern = #"^export (?:class|const|function) (\w+)"#
        let exported = try names(text, pattern)
        #expect(exported == (try names(String(decoding: module.types, as: UTF8.self), pattern)))
        #expect(exported.isSuperset(of: ["IdentityClient", "IdentityError", "Session"]))
    }
}
