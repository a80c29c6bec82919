// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSupport
import Storage

@testable import AdminEndpoints
@testable import HTTPServer
@testable import WebPages

/// A provider with its Admin API, called without a socket.
struct AdminHouse {
    let provider: Provider
    let token: AdminToken
    let api: AdminAPI
    private let dispatcher: Dispatcher
    private static let secret = "gha_test"

    struct Answer {
        var status: Int
        var headers: HTTPFields
        var body: JSONValue
        var code: String? { body["code"]?.string }
    }

    init(
        store: (any ProviderStore)? = nil, backups: BackupDirectory? = nil,
        keep: @escaping AdminToken.Save = { _ in }
    ) async throws {
        provider = try await TestProvider.empty(store: store)
        try await ProviderBootstrap.ensureDefaults(provider)
        token = try await AdminToken(Secret(Self.secret), provider, save: keep)
        api = AdminAPI(
            provider, token: token,
            notices: LocalizedNotificationComposer(try WebResources().translations),
            backups: backups)
        dispatcher = Dispatcher(provider: provider, groups: [api])
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, body: JSONValue? = nil,
        authorization: String? = "Bearer gha_test", contentType: String = "application/json",
        ifNoneMatch: String? = nil
    ) async throws -> Answer {
        var request = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: "/admin/v1" + path)
        request.headerFields[.authorization] = authorization
        request.headerFields[.contentType] = contentType
        request.headerFields[.ifNoneMatch] = ifNoneMatch
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "192.0.2.1")
        let response: ServerResponse
        switch try await dispatcher.destination(for: request, facts: facts, isSecure: false) {
        case .answer(let answer): response = answer
        case .route(let route, var message):
            message.body = body?.bytes ?? []
            response = await dispatcher.respond(to: message, by: route)
        }
        let json = try? JSONParser.parse(response.body, maximumBytes: 1_000_000)
        return Answer(
            status: response.status.code, headers: response.headers, body: json ?? .null)
    }
}
