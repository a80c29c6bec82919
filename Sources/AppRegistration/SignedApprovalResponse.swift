// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import Primitives

/// What an installation signs with its key when its person approves or denies something
/// (docs/approvals.md): everything that they were shown, named by the provider's nonce. Whoever
/// asked gets it as it was signed.
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
    /// Who asks.
    package var clientID: String
    /// As it was shown; empty for none.
    package var message: String
    /// SHA-256 of the transaction's text in base64url; empty for none.
    package var transactionHash: String
    package var decision: Decision
    /// Seconds since 1970, by the installation's clock.
    package var signedAt: Int64

    /// `typ` of the JWS.
    package static let type = "gatehouse-approval+jwt"
    /// Bytes of a JWS that is read.
    package static let longest = 8192

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

    /// Of the text's UTF-8, in base64url.
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

    /// The claims of a JWS; `nil` when one is missing or of another kind. Proves nothing.
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

    /// Whether it says the same, whenever it was signed. Byte by byte: texts that only look alike
    /// are not the same.
    package func isAbout(the other: SignedApprovalResponse) -> Bool {
        userID.hasSameBytes(as: other.userID) && audience.hasSameBytes(as: other.audience)
            && nonce.hasSameBytes(as: other.nonce) && approval.hasSameBytes(as: other.approval)
            && clientID.hasSameBytes(as: other.clientID)
            && message.hasSameBytes(as: other.message)
            && transactionHash.hasSameBytes(as: other.transactionHash)
            && decision == other.decision
    }
}
