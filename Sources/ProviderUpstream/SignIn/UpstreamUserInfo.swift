// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderCore
import Storage

/// Fetches the user info of an upstream provider (OpenID Connect Core section 5.3.2): JSON, or a
/// JWT that is signed, encrypted, or both, as configured.
struct UpstreamUserInfo: Sendable {
    let provider: UpstreamProvider
    let metadata: UpstreamMetadata
    let context: CeremonyContext

    static let maximumBytes = 65_536
    private static let thing = "the user info"

    func ask(
        _ address: OutgoingURL, accessToken: String
    ) async -> Result<JSONObject, UpstreamError> {
        let request = OutgoingRequest(
            "GET", address,
            headers: [
                (name: "authorization", value: "Bearer \(accessToken)"),
                (name: "accept", value: "application/json, application/jwt;q=0.9"),
            ], maximumResponseLength: Self.maximumBytes)
        do throws(OutgoingHTTPError) {
            let answer = try await context.provider.http.send(request)
            guard answer.status == 200 else {
                let reason = "the user info address answered \(answer.status)"
                return .failure(answer.status >= 500 ? .away(reason) : .wrong(reason))
            }
            return await read(answer)
        } catch {
            return .failure(.away("the user info address: \(error)"))
        }
    }

    /// The media type determines the format.
    private func read(_ answer: OutgoingResponse) async -> Result<JSONObject, UpstreamError> {
        let type = answer.headers["content-type"]?.prefix { $0 != ";" } ?? ""
        guard type.lowercased() == "application/jwt" else { return object(answer.body) }
        guard let token = String(validating: answer.body, as: UTF8.self) else {
            return .failure(.wrong("\(Self.thing) is not a string"))
        }
        let decryption = UpstreamDecryption(context: context, thing: Self.thing)
        switch await decryption.open(token, maximumBytes: Self.maximumBytes) {
        case .failure(let failure): return .failure(failure)
        case .success(let opened):
            // Claims that are encrypted and not signed are as trustworthy as plain claims on the
            // same connection.
            let isBare = opened.utf8.first == UInt8(ascii: "{") && opened != token
            return isBare ? object(Array(opened.utf8)) : await signed(opened)
        }
    }

    private func object(_ bytes: [UInt8]) -> Result<JSONObject, UpstreamError> {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: Self.maximumBytes)
        else { return .failure(.wrong("\(Self.thing) is not a JSON object")) }
        return .success(object)
    }

    /// Verifies a signed JWT: it must have the issuer and audience, and must not be another kind of
    /// token.
    private func signed(_ token: String) async -> Result<JSONObject, UpstreamError> {
        do throws(JOSEError) {
            let jws = try UnverifiedJWS(compact: token, maximumBytes: Self.maximumBytes)
            let signature = UpstreamSignature(
                metadata: metadata, context: context, thing: Self.thing)
            switch await signature.verify(jws) {
            case .failure(let failure): return .failure(failure)
            case .success(let verified):
                let claims = try policy.verify(verified, now: context.now)
                guard claims.header.type == nil || claims.header.isType("JWT"),
                    claims["nonce"] == nil, claims["events"] == nil
                else { return .failure(.wrong("a token of another kind as \(Self.thing)")) }
                return .success(claims.members)
            }
        } catch {
            return .failure(.wrong("\(Self.thing): \(error)"))
        }
    }

    private var policy: ClaimsPolicy {
        ClaimsPolicy(
            issuers: [metadata.issuer],
            audience: .includesOne(of: [provider.settings.clientID]), types: nil,
            required: ["sub"], expiry: .checkedWhenPresent,
            leeway: UpstreamIDTokenCheck.clockSkew)
    }
}
