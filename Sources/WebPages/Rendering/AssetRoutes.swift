// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
import ProviderCore
import Storage

/// Styles and scripts under `/assets`. With the current `v` they may be cached without limit.
package struct AssetRoutes: HTTPRouteGroup {
    package let web: WebResources

    package init(_ web: WebResources) { self.web = web }

    package func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.get, "/assets/theme.css", bodyLimit: 0) { theme($0) },
            HTTPRoute(.get, "/assets/{name}", bodyLimit: 0) { asset($0) },
            HTTPRoute(.get, "/favicon.ico", bodyLimit: 0) { file("icon.svg", $0) },
        ]
    }

    private func asset(_ request: ServerRequest) -> ServerResponse {
        file(request.parameters["name"] ?? "", request)
    }

    private func file(_ name: String, _ request: ServerRequest) -> ServerResponse {
        guard let asset = web.assets[name] else {
            return Problem.response(
                .notFound, code: "not_found", message: "There is nothing at this address.",
                requestID: request.facts.requestID)
        }
        return respond(asset.bytes, asset.mediaType, version: asset.version, request)
    }

    private func theme(_ request: ServerRequest) -> ServerResponse {
        let css = ThemeStylesheet.css(for: request.tenant.project.theme) ?? ""
        let bytes = Array(css.utf8)
        return respond(
            bytes, "text/css; charset=utf-8", version: WebResources.version(of: bytes), request)
    }

    private func respond(
        _ bytes: [UInt8], _ mediaType: String, version: String, _ request: ServerRequest
    ) -> ServerResponse {
        let isVersioned = request.query == "v=\(version)"
        let tag = "\"\(version)\""
        let headers: HTTPFields = [
            .contentType: mediaType, .eTag: tag,
            .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if request.headers[.ifNoneMatch] == tag {
            return ServerResponse(status: .notModified, headers: headers)
        }
        return ServerResponse(status: .ok, headers: headers, body: bytes)
    }
}
