// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import HTTPServer
import HTTPTypes
import JOSE
import OAuth
package import ProviderCore
import ProviderInstallations

/// `/entitlements`: reads and consumes the entitlements of a person, for the person's app. Requests
/// and responses are JSON, with an access token of the scope `entitlements`, from pages of any
/// origin.
package struct EntitlementRoutes: HTTPRouteGroup {
    private let provider: Provider
    private let notices: any NotificationComposer

    package init(_ provider: Provider, notices: any NotificationComposer) {
        self.provider = provider
        self.notices = notices
    }

    static let path = "/entitlements"

    package func routes() -> [HTTPRoute] {
        let description = HTTPRoute(
            .get, Self.path + "/openapi.json", bodyLimit: 0, origins: .everyone
        ) { request in
            let document = OpenAPIDocument(
                title: "Gatehouse Entitlements", address: request.tenant.issuer,
                operations: Self.operations, schemas: EntitlementSchemas.text)
            return .publicJSON(document.bytes, seconds: 300)
        }
        return [
            description,
            HTTPRoute(.get, Self.path, bodyLimit: 0, origins: .everyone) { request in
                try await answer(request, takesBody: false) { account, _ in
                    guard let overview = try await account.overview() else {
                        return .failure(
                            EntitlementCode.notSignedIn.refusal(
                                because: "the person does not exist"))
                    }
                    return .success(overview.json)
                }
            },
            HTTPRoute(.post, Self.path + "/consume", origins: .everyone) { request in
                try await answer(request, takesBody: true) { try await consume($0, $1) }
            },
        ]
    }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: path, name: "showEntitlements",
            summary: "The current entitlements of the person, with remaining amounts.",
            answer: "Entitled"),
        OpenAPIOperation(
            method: .post, path: path + "/consume", name: "consumeEntitlement",
            summary: "Consumes an amount of an expendable entitlement. A repetition with the same "
                + "request_id returns the first response and changes nothing.",
            body: "Consumption", answer: "Consumed"),
    ]

    private func answer(
        _ request: ServerRequest, takesBody: Bool,
        _ run: (EntitlementAccount, JSONObject) async throws -> Result<JSONObject, Refusal>
    ) async throws -> ServerResponse {
        if let refusal = await VersionFilter(provider).refusal(request, for: .use) {
            return RegistrationProblem.response(refusal, to: request)
        }
        let context = CeremonyContext(
            provider: provider, tenant: request.tenant, facts: request.facts, writer: notices)
        let account: EntitlementAccount
        switch try await EntitlementAccount.open(
            PresentedAccessToken(authorization: request.headers[.authorization]), in: context)
        {
        case .success(let opened): account = opened
        case .failure(let refusal): return Self.refuse(refusal, request)
        }
        let body: JSONObject
        switch RegistrationBody.read(request, expected: takesBody) {
        case .success(let read): body = read
        case .failure(let complaint): return complaint.response
        }
        switch try await run(account, body) {
        case .success(let object): return .json(object.bytes)
        case .failure(let refusal): return Self.refuse(refusal, request)
        }
    }

    private func consume(
        _ account: EntitlementAccount, _ body: JSONObject
    ) async throws -> Result<JSONObject, Refusal> {
        guard let requestText = body["request_id"], let nameText = body["name"] else {
            return .failure(
                EntitlementCode.missingInput.refusal(
                    "request_id and name are needed.", because: "missing"))
        }
        guard let request = RequestName(requestText) else {
            return .failure(
                EntitlementCode.malformedInput.refusal(
                    "request_id must be a UUID.", because: "request_id"))
        }
        guard let name = nameText.string, EntitlementValues.isName(name) else {
            return .failure(
                EntitlementCode.malformedInput.refusal(
                    "name must be the name of an entitlement.", because: "name"))
        }
        guard let amount = (body["amount"] ?? 1).integer,
            (1...EntitlementValues.greatestAmount).contains(amount)
        else {
            return .failure(
                EntitlementCode.malformedInput.refusal(
                    "amount must be a whole number, one or more.", because: "amount"))
        }
        return try await account.consume(name, amount: amount, request: request.bytes).map { left in
            var object = JSONObject()
            object["request_id"] = .string(request.text)
            object["name"] = .string(name)
            object["amount"] = .integer(amount)
            object["remaining"] = .integer(left)
            return object
        }
    }

    private static func refuse(_ refusal: Refusal, _ request: ServerRequest) -> ServerResponse {
        let code = EntitlementCode(rawValue: refusal.code)
        var response = Problem.response(
            refusal, status: code.map(status) ?? .badRequest, requestID: request.facts.requestID)
        switch code {
        case .notSignedIn:
            response.headers[.wwwAuthenticate] = BearerChallenge.signIn(to: request)
        case .scopeMissing:
            response.headers[.wwwAuthenticate] = BearerChallenge.refusal(
                ErrorCode.insufficientScope, scope: "entitlements")
        default: DPoPChallenge.refuse(refusal, &response)
        }
        return response
    }

    private static func status(of code: EntitlementCode) -> HTTPResponse.Status {
        switch code {
        case .missingInput, .malformedInput: .badRequest
        case .notSignedIn: .unauthorized
        case .scopeMissing: .forbidden
        case .insufficient, .requestTaken: .conflict
        }
    }
}
