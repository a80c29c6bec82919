// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The app's side of the conversation with its server: options in, responses out, as JSON
/// (WebAuthn Level 3 section 5.1). The session cookie stays in this object's store.
struct ProviderConversation {
    struct Refused: LocalizedError {
        let description: String
        var errorDescription: String? { description }
    }

    /// What the server asks for.
    struct Options {
        let ceremony: String
        let publicKey: [String: Any]

        func bytes(_ path: String...) throws -> Data {
            var value: Any? = publicKey
            for name in path { value = (value as? [String: Any])?[name] }
            guard let text = value as? String, let data = Data(base64URL: text) else {
                throw Refused(description: "the options have no \(path.joined(separator: "."))")
            }
            return data
        }

        func text(_ path: String...) -> String {
            var value: Any? = publicKey
            for name in path { value = (value as? [String: Any])?[name] }
            return value as? String ?? ""
        }
    }

    let issuer: String
    private let session = URLSession(configuration: .ephemeral)

    init(issuer: String) { self.issuer = issuer }

    func options(_ kind: String, _ question: [String: String]) async throws -> Options {
        let answer = try await post("/webauthn/\(kind)/options", question)
        guard let ceremony = answer["ceremony"] as? String,
            let publicKey = answer["publicKey"] as? [String: Any]
        else { throw Refused(description: "the server sent no options") }
        return Options(ceremony: ceremony, publicKey: publicKey)
    }

    func verify(
        _ kind: String, _ options: Options, id: Data, _ response: [String: Any]
    ) async throws {
        let credential: [String: Any] = [
            "id": id.base64URL, "rawId": id.base64URL, "type": "public-key",
            "authenticatorAttachment": "cross-platform",
            "clientExtensionResults": [String: String](), "response": response,
        ]
        _ = try await post(
            "/webauthn/\(kind)/verify",
            ["ceremony": options.ceremony, "credential": credential])
    }

    private func post(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        guard let url = URL(string: issuer + path) else {
            throw Refused(description: "\(issuer) is no address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await session.data(for: request)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw Refused(
                description: "the server refused: \(object["detail"] ?? object["code"] ?? data)")
        }
        return object
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    init?(base64URL text: String) {
        let base64 = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        self.init(base64Encoded: base64 + padding)
    }
}
