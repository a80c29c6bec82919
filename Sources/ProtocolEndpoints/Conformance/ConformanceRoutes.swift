// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
import JOSE
package import ProviderCore
import Storage
import WebAuthn

/// The HTTP interface of the FIDO conformance tools (Server Requirements and Transport Binding
/// Profile): a relying party without accounts, for development projects only.
///
/// It runs the same verification as the provider. Its registrations exist in memory only and give
/// no access to an account.
package struct ConformanceRoutes: HTTPRouteGroup {
    private let provider: Provider
    private let bench = ConformanceBench()

    package init(_ provider: Provider) { self.provider = provider }

    package func routes() -> [HTTPRoute] {
        [
            route("/attestation/options") { bench.registrationOptions($0, $1) },
            route("/attestation/result") { await bench.register($0, $1) },
            route("/assertion/options") { bench.signInOptions($0, $1) },
            route("/assertion/result") { await bench.signIn($0, $1) },
        ]
    }

    private func route(
        _ path: String,
        _ take:
            @escaping @Sendable (JSONObject, ConformanceBench.RequestContext) async -> Result<
                JSONObject, ConformanceBench.Failed
            >
    ) -> HTTPRoute {
        HTTPRoute(.post, path) { request in
            guard request.tenant.project.environment == .development else {
                return Problem.response(
                    .notFound, code: "not_found", message: "There is nothing at this address.",
                    requestID: request.facts.requestID)
            }
            guard
                let body = try? JSONParser.parseObject(
                    request.body, maximumBytes: 65_536, maximumDepth: 16)
            else { return Self.failed("The body is not a JSON object.") }
            switch await take(body, await place(request)) {
            case .success(let members): return Self.done(members)
            case .failure(let failure): return Self.failed(failure.message)
            }
        }
    }

    private func place(_ request: ServerRequest) async -> ConformanceBench.RequestContext {
        let site = SiteOrigin(issuer: provider.issuer)
        return ConformanceBench.RequestContext(
            relyingParty: RelyingParty(id: site?.host ?? "", origins: [site?.origin ?? ""]),
            metadata: await provider.metadata?.snapshot(), random: provider.random,
            now: request.facts.now)
    }

    private static func done(_ members: JSONObject) -> ServerResponse {
        .json(ConformanceMessages.succeeded(with: .object(members)).bytes)
    }

    private static func failed(_ message: String) -> ServerResponse {
        .json(ConformanceMessages.failed(message).bytes, status: .badRequest)
    }
}
