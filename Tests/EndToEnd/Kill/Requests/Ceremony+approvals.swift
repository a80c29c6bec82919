// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Support
import Testing

/// What a client has a person approve in their app.
extension Ceremony {
    static let approvals: [Ceremony] = [push, code]

    private static let grantType = "urn:openid:params:grant-type:ciba"

    private static func ask(_ house: MortalHouse, _ who: (String, String)) async throws -> JSON {
        let answer = try await house.bank(
            "/bc-authorize",
            [
                ("scope", "openid"), who, ("binding_message", "Pay 5 to Carla"),
                ("transaction_text", "IBAN DE00\nAmount 5.00"),
            ])
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(parsing: answer.body)
    }

    /// Approves the request. A request that a lost call has approved is complete.
    private static func approve(
        _ request: ApprovalRequest, in client: IdentityClient, _ again: Bool
    ) async throws {
        let flow = client.approvals.handle(request)
        do {
            for try await case .confirm(let challenge) in flow { try challenge.approve() }
            #expect(try await flow.outcome == .approved)
        } catch let error as IdentityError where again {
            #expect([.approvalHandled, .approvalNotFound].contains(error.code), "\(error)")
        }
    }

    /// The client fetches the approval once; a client that has lost it sends a new request.
    private static func fetch(_ id: String, _ house: MortalHouse) async throws {
        func poll() async throws -> HTTPAnswer {
            try await house.bank("/token", [("grant_type", grantType), ("auth_req_id", id)])
        }
        let fetched = try await persist { again in
            let answer = try await poll()
            return (answer, again)
        }
        try house.door.disarm()
        if fetched.0.status != 200 {
            #expect(fetched.1 && fetched.0.json?["error"] as? String == "invalid_grant")
        }
        #expect(try await poll().json?["error"] as? String == "invalid_grant")
    }

    private static let push = Ceremony(name: "an approval of a transaction, pushed") { house in
        {
            let (client, profile, _) = try await house.app()
            return {
                try await persist { _ in
                    try await client.approvals.enroll(profile.id, pushToken: "here")
                }
                let asked = try await persist { _ in
                    try await ask(house, ("login_hint", profile.userID))
                }
                try await persist { again in
                    // A request whose client has lost it remains in addition to the current one.
                    for request in try await client.approvals.pending(for: profile.id) {
                        #expect(request.transactionText == "IBAN DE00\nAmount 5.00")
                        try await approve(request, in: client, again)
                    }
                }
                try await fetch(asked["auth_req_id"].string ?? "", house)
                #expect(try await client.approvals.pending(for: profile.id).isEmpty)
            }
        }
    }

    private static let code = Ceremony(name: "an approval whose code is scanned") { house in
        {
            let (client, profile, _) = try await house.app()
            try await client.approvals.enroll(profile.id)
            return {
                let asked = try await persist { _ in
                    try await ask(house, ("approval_code", "true"))
                }
                let text = asked["approval_code"].string ?? ""
                // It is this installation's since the first time, and found again by the same code.
                let request = try await persist { _ in
                    try await client.approvals.resolve(code: text, for: profile.id)
                }
                try await persist { try await approve(request, in: client, $0) }
                try await fetch(asked["auth_req_id"].string ?? "", house)
            }
        }
    }
}
