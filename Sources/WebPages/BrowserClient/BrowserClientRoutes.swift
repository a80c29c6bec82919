// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
import JOSE
import ProviderCore

/// `/client`: the browser client, for pages of any origin (docs/browser-client.md).
///
/// A URL with the version is cached without limit, and pages can pin it by its digest. Without the
/// version, browsers revalidate it at each use.
package struct BrowserClientRoutes: HTTPRouteGroup {
    private let module: BrowserClientModule

    package init(_ module: BrowserClientModule) { self.module = module }

    private static let script = "/client/gatehouse.js"
    private static let types = "/client/gatehouse.d.ts"

    package func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.get, "/client", bodyLimit: 0, origins: .everyone) { release($0) },
            HTTPRoute(.get, Self.script, bodyLimit: 0, origins: .everyone) { request in
                var response = file(
                    module.script, "text/javascript", version: module.version, request)
                response.headers[.typeScriptTypes] = "./gatehouse.d.ts"
                return response
            },
            HTTPRoute(.get, Self.types, bodyLimit: 0, origins: .everyone) { request in
                file(
                    module.types, "application/typescript", version: module.typesVersion, request)
            },
        ]
    }

    /// What a page that pins the client has to write.
    private func release(_ request: ServerRequest) -> ServerResponse {
        let issuer = request.tenant.issuer
        let document: JSONValue = [
            "module": .string("\(issuer)\(Self.script)?v=\(module.version)"),
            "types": .string("\(issuer)\(Self.types)?v=\(module.typesVersion)"),
            "integrity": .string(module.integrity), "version": .string(module.version),
        ]
        return .publicJSON(document.bytes, seconds: 300)
    }

    private func file(
        _ bytes: [UInt8], _ mediaType: String, version: String, _ request: ServerRequest
    ) -> ServerResponse {
        let tag = "\"\(version)\""
        var headers: HTTPFields = [
            .contentType: "\(mediaType); charset=utf-8", .eTag: tag,
            .cacheControl: request.query == "v=\(version)"
                ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        // For pages that embed only what allows it (Cross-Origin-Embedder-Policy).
        headers[.crossOriginResourcePolicy] = "cross-origin"
        if request.headers[.ifNoneMatch] == tag {
            return ServerResponse(status: .notModified, headers: headers)
        }
        return ServerResponse(status: .ok, headers: headers, body: bytes)
    }
}

extension HTTPField.Name {
    static let crossOriginResourcePolicy =
        HTTPField.Name("Cross-Origin-Resource-Policy") ?? .server
    /// What Deno and some editors look for.
    static let typeScriptTypes = HTTPField.Name("X-TypeScript-Types") ?? .server
}
