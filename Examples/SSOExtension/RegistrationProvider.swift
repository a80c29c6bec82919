// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an extension says to its provider. Apple leaves that to the two of them.
protocol RegistrationProvider {
    func register(
        _ device: DeviceRegistration
    ) async throws -> ASAuthorizationProviderExtensionLoginConfiguration

    /// The person's identifier there.
    func register(_ person: PersonRegistration) async throws -> String
}

/// A device that wants to be known.
struct DeviceRegistration {
    let signing: DeviceKey
    let encryption: DeviceKey
    let token: String
    /// Whether the keys are shared by all people on the device.
    let isShared: Bool
}

/// A person on a device that is known.
struct PersonRegistration {
    let name: String
    let device: DeviceKey
    /// `nil` for who uses a password.
    let key: DeviceKey?
    /// Of a login before, where there was one.
    let refreshToken: String?
}

enum ProviderFailure: Error {
    case noAddress, unreadable
    /// The provider's last word.
    case refused
    /// It may go better another time.
    case status(Int)
}

/// The profile says where the provider is, in `ExtensionData`: `provider` for the small one of
/// `provider.py`, and otherwise `issuer` for Gatehouse.
func chosenProvider(_ extensionData: [AnyHashable: Any]) throws -> any RegistrationProvider {
    if let text = extensionData["provider"] as? String, let url = URL(string: text) {
        return SmallProvider(base: url)
    }
    guard let issuer = extensionData["issuer"] as? String else { throw ProviderFailure.noAddress }
    return GatehouseProvider(issuer: issuer)
}

/// JSON over HTTP.
enum JSONExchange {
    static func get(_ url: URL) async throws -> [String: Any] {
        try await answer(to: URLRequest(url: url))
    }

    static func post(_ url: URL, _ body: [String: Any]) async throws -> [String: Any] {
        try await post(
            url, try JSONSerialization.data(withJSONObject: body), type: "application/json")
    }

    static func post(_ url: URL, _ body: Data, type: String) async throws -> [String: Any] {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.httpBody = body
        return try await answer(to: request)
    }

    private static func answer(to request: URLRequest) async throws -> [String: Any] {
        let (data, response) = try await URLSession.shared.data(for: request)
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200, 201: break
        case 401, 403: throw ProviderFailure.refused
        case let status: throw ProviderFailure.status(status ?? 0)
        }
        guard let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw ProviderFailure.unreadable
        }
        return answer
    }
}
