// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the extension says to its provider, `provider.py`. Apple leaves that to the two of them.
struct SmallProvider {
    enum Failure: Error {
        case noAddress, unreadable
        /// The provider's last word.
        case refused
        /// It may go better another time.
        case status(Int)
    }

    private let base: URL

    /// The profile says where the provider is: `provider` in `ExtensionData`.
    init(_ extensionData: [AnyHashable: Any]) throws {
        guard let text = extensionData["provider"] as? String, let url = URL(string: text) else {
            throw Failure.noAddress
        }
        base = url
    }

    func challenge() async throws -> Data {
        let answer = try await post("/challenge", [:])
        guard let text = answer["challenge"] as? String, let data = Data(base64Encoded: text)
        else { throw Failure.unreadable }
        return data
    }

    func configuration(
        _ answer: [String: Any]
    ) throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        guard let client = answer["client"] as? String, let issuer = answer["issuer"] as? String
        else { throw Failure.unreadable }
        let configuration = ASAuthorizationProviderExtensionLoginConfiguration(
            clientID: client, issuer: issuer, tokenEndpointURL: base.appending(path: "token"),
            jwksEndpointURL: base.appending(path: "keys"), audience: client)
        configuration.nonceEndpointURL = base.appending(path: "nonce")
        configuration.nonceResponseKeypath = "nonce"
        configuration.accountDisplayName = answer["display_name"] as? String
        configuration.invalidCredentialPredicate = "error = 'wrong_credential'"
        try configuration.setCustomLoginRequestBodyClaims(["via": "example"])
        return configuration
    }

    func post(_ path: String, _ body: [String: String]) async throws -> [String: Any] {
        var request = URLRequest(url: base.appending(path: path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(body)
        let (data, response) = try await URLSession.shared.data(for: request)
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200: break
        case 403: throw Failure.refused
        case let status: throw Failure.status(status ?? 0)
        }
        guard let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw Failure.unreadable
        }
        return answer
    }
}
