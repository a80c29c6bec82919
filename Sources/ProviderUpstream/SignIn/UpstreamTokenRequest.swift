// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage

/// Redeems a code at an upstream provider's token endpoint (RFC 6749 section 4.1.3).
struct UpstreamTokenRequest: Sendable {
    let provider: UpstreamProvider
    let metadata: UpstreamMetadata
    let context: CeremonyContext

    /// The tokens of the response.
    struct Response: Sendable {
        let accessToken: String
        /// Encrypted, if the provider encrypts it; see ``UpstreamDecryption``.
        var idToken: String?
    }

    func redeem(
        _ code: String, _ state: UpstreamState
    ) async throws -> Result<Response, UpstreamError> {
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (
                name: "redirect_uri",
                value: UpstreamAuthorizationRedirect.redirectURI(provider, of: context.tenant)
            ), (name: "code_verifier", value: state.verifier),
        ]
        var headers = [
            (name: "content-type", value: "application/x-www-form-urlencoded"),
            (name: "accept", value: "application/json"),
        ]
        try await authenticate(&form, &headers)
        let request = OutgoingRequest(
            "POST", metadata.tokenEndpoint, headers: headers,
            body: Array(FormEncoding.encode(form).utf8))
        do throws(OutgoingHTTPError) {
            return Self.read(try await context.provider.http.send(request))
        } catch {
            return .failure(.away("the token endpoint: \(error)"))
        }
    }

    /// RFC 6749 section 2.3.1; OpenID Connect Core section 9.
    private func authenticate(
        _ form: inout [(name: String, value: String)],
        _ headers: inout [(name: String, value: String)]
    ) async throws {
        let id = provider.settings.clientID
        switch provider.settings.authenticationMethod {
        case "client_secret_basic":
            let pair = "\(FormEncoding.encode(id)):\(FormEncoding.encode(try secret()))"
            headers.append(
                (name: "authorization", value: "Basic " + Base64.encode(Array(pair.utf8))))
        case "client_secret_post":
            form += [(name: "client_id", value: id), (name: "client_secret", value: try secret())]
        case "private_key_jwt":
            form += [
                (name: "client_id", value: id),
                (
                    name: "client_assertion_type",
                    value: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                ), (name: "client_assertion", value: try await assertion(of: id)),
            ]
        default: form.append((name: "client_id", value: id))
        }
    }

    private func secret() throws -> String {
        guard let sealed = provider.sealedSecret else { return "" }
        let secret = try context.provider.secrets.open(
            sealed, context: UpstreamFields.sealContext(provider))
        return String(decoding: secret.reveal(), as: UTF8.self)
    }

    /// A client assertion that is signed with the project's assertion key, which its JWK set
    /// contains. The audience is only the issuer (draft-ietf-oauth-rfc7523bis), if it is known.
    private func assertion(of id: String) async throws -> String {
        let now = context.now.seconds
        let audience = metadata.issuer.isEmpty ? metadata.tokenEndpoint.text : metadata.issuer
        let claims: JSONValue = [
            "iss": .string(id), "sub": .string(id), "aud": .string(audience),
            "jti": .string(context.provider.newSecret()), "iat": .integer(now),
            "exp": .integer(now + 60),
        ]
        let signer = try await context.provider.keys.assertionSigner(for: context.tenant)
        return String(decoding: try signer.sign(payload: claims.bytes, typ: "JWT"), as: UTF8.self)
    }

    private static func read(_ answer: OutgoingResponse) -> Result<Response, UpstreamError> {
        let object = try? JSONParser.parseObject(answer.body, maximumBytes: 65_536)
        guard answer.status == 200 else {
            // The error code of the provider, only for the log.
            let word = object?["error"]?.string?.prefix(64) ?? ""
            let reason = "the token endpoint answered \(answer.status) \(word.debugDescription)"
            return .failure(answer.status >= 500 ? .away(reason) : .wrong(reason))
        }
        guard let object, let token = object["access_token"]?.string, !token.isEmpty,
            object["token_type"]?.string?.lowercased() == "bearer"
        else { return .failure(.wrong("the token answer has no bearer token")) }
        if let error = object["error"]?.string {
            return .failure(
                .wrong("the token response reports \(error.prefix(64).debugDescription)"))
        }
        return .success(Response(accessToken: token, idToken: object["id_token"]?.string))
    }
}
