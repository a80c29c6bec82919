// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import Primitives

/// The decision of a person about an approval request, which the installation signs with its key
/// (docs/approvals.md). It contains everything that was displayed, and the provider's nonce. The
/// client receives it in its signed form.
package struct SignedApprovalResponse: Sendable, Equatable {
    package enum Decision: String, Sendable { case approved, denied }

    /// `iss` and `sub`: the `user_id` of the registration.
    package var userID: String
    /// `aud`: the issuer identifier of the provider.
    package var audience: String
    /// `jti`: the approval's `nonce`.
    package var nonce: String
    /// The approval's `id`.
    package var approval: String
    /// The requesting client.
    package var clientID: String
    /// The displayed message; empty for none.
    package var message: String
    /// SHA-256 of the transaction's text in base64url; empty for none.
    package var transactionHash: String
    package var decision: Decision
    /// Seconds since 1970, by the installation's clock.
    package var signedAt: Int64

    /// `typ` of the JWS.
    package static let type = "gatehouse-approval+jwt"
    /// The maximum size of a JWS, in bytes.
    package static let maximumLength = 8192

    package init(
        userID: String, audience: String, nonce: String, approval: String, clientID: String,
        message: String, transaction: String, decision: Decision, signedAt: Int64
    ) {
        self.userID = userID
        self.audience = audience
        self.nonce = nonce
        self.approval = approval
        self.clientID = clientID
        self.message = message
        transactionHash = transaction.isEmpty ? "" : Self.hash(of: transaction)
        self.decision = decision
        self.signedAt = signedAt
    }

    /// Returns the hash of the text's UTF-8, in Base64url.
    package static func hash(of transaction: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(transaction.utf8))))
    }

    package var json: [UInt8] {
        var claims = JSONWriter(capacity: 512)
        claims.member("iss", userID)
        claims.member("sub", userID)
        claims.member("aud", audience)
        claims.member("jti", nonce)
        claims.member("iat", signedAt)
        claims.member("approval", approval)
        claims.member("client_id", clientID)
        claims.member("message", message)
        claims.member("transaction_hash", transactionHash)
        claims.member("decision", decision.rawValue)
        return claims.finish()
    }

    /// Reads the claims of a JWS; `nil` if one is missing or of another type. The signature is not
    /// verified.
    package init?(_ claims: JSONObject) {
        guard let issuer = claims["iss"]?.string, let subject = claims["sub"]?.string,
            issuer.hasSameBytes(as: subject), let audience = claims["aud"]?.string,
            let nonce = claims["jti"]?.string, let approval = claims["approval"]?.string,
            let clientID = claims["client_id"]?.string, let message = claims["message"]?.string,
            let hash = claims["transaction_hash"]?.string, let signedAt = claims["iat"]?.integer,
            let decision = claims["decision"]?.string.flatMap({ Decision(rawValue: $0) })
        else { return nil }
        userID = subject
        self.audience = audience
        self.nonce = nonce
        self.approval = approval
        self.clientID = clientID
        self.message = message
        transactionHash = hash
        self.decision = decision
        self.signedAt = signedAt
    }

    /// Whether both have the same content, independent of the signing time. Texts are compared byte
    /// by byte.
    package func isAbout(the other: SignedApprovalResponse) -> Bool {
        userID.hasSameBytes(as: other.userID) && audience.hasSameBytes(as: other.audience)
            && nonce.hasSameBytes(as: other.nonce) && approval.hasSameBytes(as: other.approval)
            && clientID.hasSameBytes(as: other.clientID)
            && message.hasSameBytes(as: other.message)
            && transactionHash.hasSameBytes(as: other.transactionHash)
            && decision == other.decision
    }
}
