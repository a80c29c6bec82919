// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import JOSE
import Primitives
import ProviderCore
import Synchronization
import WebAuthn

/// A smart card, with the authority that made it.
struct TestCard {
    let authority: PersonalAuthority
    let key: PrivateJWK
    let certificates: [[UInt8]]

    init(
        _ authority: PersonalAuthority,
        _ change: (inout PersonalAuthority.Holder) -> Void = { _ in }
    ) throws {
        self.authority = authority
        var holder = PersonalAuthority.Holder()
        change(&holder)
        let made = try authority.issue(holder)
        key = try PrivateJWK(pem: Secret(made.key.pemRepresentation)).with(KeyParameters())
        certificates = try authority.chain(made)
    }

    /// Returns the certificate in its verified form.
    func path(at now: Timestamp) async throws -> VerifiedCertificatePath {
        try await VerifiedCertificatePath(
            der: certificates, anchors: authority.anchors, now: now)
    }

    /// Returns the settings of a project that accepts cards of that authority.
    static func settings(_ authority: PersonalAuthority, _ more: String = "") throws -> String {
        let root = Base64.encode(try authority.makers.root.der)
        return #""allowed_methods":["password","smart_card"],"smart_card_roots":["\#(root)"]"#
            + (more.isEmpty ? "" : ",\(more)")
    }
}

/// The web as far as a test has made it: answers by address, and what was asked.
final class SmallWeb: OutgoingHTTP {
    private struct State {
        var answers: [String: OutgoingResponse] = [:]
        var asked: [OutgoingRequest] = []
    }

    private let state = Mutex(State())

    subscript(address: String) -> OutgoingResponse? {
        get { state.withLock { $0.answers[address] } }
        set { state.withLock { $0.answers[address] = newValue } }
    }

    var asked: [OutgoingRequest] { state.withLock { $0.asked } }

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse {
        let answer = state.withLock { state in
            state.asked.append(request)
            return state.answers[request.address.text]
        }
        guard let answer else { throw OutgoingHTTPError(.unreachable, "nobody is there") }
        return answer
    }
}
