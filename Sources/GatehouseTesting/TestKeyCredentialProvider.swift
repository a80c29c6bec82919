// SPDX-License-Identifier: Apache-2.0
import AppRegistration
public import GatehouseClient
import Primitives

/// Credentials by a test registration key (`gatehouse admin test-keys create`): any number of
/// people, none of them real. A production environment refuses them.
///
/// A separate product, so that an app does not contain such a key by accident.
public struct TestKeyCredentialProvider: CredentialProvider {
    private let maker: IssuedTokenMaker
    private let subject: String
    private let attributes: [String: String]

    /// - Parameters:
    ///   - privateKeyPEM: What was downloaded, with any line ends.
    ///   - keyID: The key identifier that was displayed with it.
    ///   - name: What the person's user name begins with; something random follows.
    ///   - entitlementSet: Which the person shall have.
    ///   - time: The system's clock, or that of an ``InProcessProvider``.
    /// - Throws: `IdentityError` when the key cannot be used.
    public init(
        privateKeyPEM: String, keyID: String, name: String = "test",
        entitlementSet: String? = nil, time: any TimeSource = MachineClock()
    ) throws {
        maker = try IssuedTokenMaker(
            issuer: IssuedToken.testIssuer, audience: IssuedToken.testAudience, keyID: keyID,
            privateKeyPEM: privateKeyPEM, lifetime: .seconds(300), time: time)
        // One person for each provider, however often a credential is asked for.
        subject = "\(name)-\(Base64URL.encode(SystemRandomSource().bytes(9)))"
        attributes =
            entitlementSet.map { [IssuedToken.entitlementSetClaim: $0] } ?? [:]
    }

    /// The method that its evidence or credential is for.
    public var method: GatehouseClient.RegistrationMethod { .testKey }

    /// A fresh credential; see `CredentialProvider`.
    public func credential(for request: CredentialRequest) async throws -> ExternalCredential {
        ExternalCredential(token: try maker.token(for: subject, attributes: attributes))
    }
}
