// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Testing

/// Sets, sequences and amounts, as an administrator gives them.
@Suite struct EntitlementEndpointTests {
    private let house: AdminHouse
    private let sets = "/projects/default/entitlement-sets"
    private let sequences = "/projects/default/entitlement-sequences"
    private let anna = "/projects/default/people/anna/entitlements"
    private static let request = "5f0c1f3e-6a0f-4f43-8a39-6f1d2b6f7c11"

    init() async throws {
        house = try await AdminHouse()
        let state: JSONValue = [
            "projects": [
                [
                    "name": "default", "users": [["username": "anna"]],
                    "entitlement_sets": [
                        ["name": "gold", "entitlements": ["vaults": 10]],
                        ["name": "basic", "entitlements": ["vaults": 1]],
                    ],
                ]
            ]
        ]
        #expect(try await house.call(.post, "/state/apply", body: state).status == 200)
    }

    private let steps: JSONValue = [
        "steps": [["set": "gold", "duration": 86_400], ["set": "basic"]]
    ]

    @Test("A sequence is made, listed, given, in use, exported and removed")
    func life() async throws {
        #expect(try await house.call(.put, "\(sequences)/trial", body: steps).status == 200)
        #expect(
            try await house.call(.get, "\(sequences)/trial").body["steps"] == steps["steps"])
        let given = try await house.call(.put, anna, body: ["sequence": "trial"])
        #expect(given.body["set"] == "gold" && given.body["effective"]?["vaults"] == 10)
        #expect(given.body["sequence"]?["name"] == "trial")
        let inUse = try await house.call(.delete, "\(sequences)/trial")
        #expect(inUse.status == 409 && inUse.code == "sequence_in_use")
        let set = try await house.call(.delete, "\(sets)/gold")
        #expect(set.status == 409 && set.code == "set_in_use")
        let state = try await house.call(.get, "/state")
        #expect(
            state.body["projects"]?.array?.first?["entitlement_sequences"]?.array?.count == 1)
        let plan = try await house.call(.post, "/state/plan", body: state.body)
        #expect(plan.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
        #expect(try await house.call(.put, anna, body: ["set": "basic"]).status == 200)
        #expect(try await house.call(.get, anna).body["sequence"] == nil)
        #expect(try await house.call(.delete, "\(sequences)/trial").status == 204)
        #expect(try await house.call(.delete, "\(sequences)/trial").status == 404)
        #expect(try await house.call(.get, "\(sequences)/trial").status == 404)
        #expect(try await house.call(.get, sequences).body["items"] == [])
    }

    @Test(
        "Steps that lead nowhere are refused",
        arguments: [
            [], [["set": "gold"], ["set": "basic"]], [["set": "gold", "duration": 0]],
            [["set": "gold", "duration": -5]], [["set": "gold", "duration": "P1D"]],
            [["set": "gold", "duration": 315_360_001]], [["duration": 5]],
            [["set": "gold", "duraton": 5]], ["gold"], "gold", .null,
        ] as [JSONValue])
    func malformed(steps: JSONValue) async throws {
        let answer = try await house.call(.put, "\(sequences)/trial", body: ["steps": steps])
        #expect(answer.status == 422 && answer.code == "invalid_entitlements")
        let state: JSONValue = [
            "projects": [
                [
                    "name": "default",
                    "entitlement_sequences": [["name": "trial", "steps": steps]],
                ]
            ]
        ]
        let refused = try await house.call(.post, "/state/apply", body: state)
        #expect(refused.status == 422 && refused.code == "invalid_state")
        #expect(try await house.call(.get, sequences).body["items"] == [])
    }

    @Test("A sequence leads to sets that are there, in the document or before")
    func unknownSets() async throws {
        let body: JSONValue = ["steps": [["set": "silver"]]]
        let answer = try await house.call(.put, "\(sequences)/trial", body: body)
        #expect(answer.status == 404 && answer.code == "unknown_entitlement_set")
        func state(_ more: [JSONValue]) -> JSONValue {
            [
                "projects": [
                    [
                        "name": "default", "entitlement_sets": .array(more),
                        "entitlement_sequences": [
                            ["name": "trial", "steps": [["set": "silver"]]]
                        ],
                    ]
                ]
            ]
        }
        let refused = try await house.call(.post, "/state/apply", body: state([]))
        #expect(refused.status == 422 && refused.body.text.contains("silver"))
        let silver: JSONValue = ["name": "silver", "entitlements": ["vaults": 5]]
        #expect(try await house.call(.post, "/state/apply", body: state([silver])).status == 200)
        let again = try await house.call(.post, "/state/plan", body: state([silver]))
        #expect(again.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
    }

    @Test("What GET shows can be put again, where bodies take nothing that is not known")
    func roundTrips() async throws {
        #expect(try await house.call(.put, "\(sequences)/trial", body: steps).status == 200)
        #expect(try await refill(["sms": 5]).status == 200)
        let gifts: [JSONValue] = [
            ["set": "basic", "explicit": ["vaults": 3]], [:], ["sequence": "trial"],
        ]
        for gift in gifts {
            #expect(try await house.call(.put, anna, body: gift).status == 200)
            let shown = try await house.call(.get, anna).body
            let again = try await house.call(.put, anna, body: shown)
            #expect(again.status == 200 && again.body == shown)
        }
        // Another set is not what the sequence has led to.
        var changed = try #require(try await house.call(.get, anna).body.object)
        changed["set"] = "basic"
        let both = try await house.call(.put, anna, body: .object(changed))
        #expect(both.status == 422 && both.code == "invalid_entitlements")
        let role: JSONValue = ["role": "support", "project": "default"]
        #expect(try await house.call(.put, "/administrators/anna", body: role).status == 200)
        for (list, name) in [
            (sets, "name"), (sequences, "name"), ("/administrators", "username"),
        ] {
            let items = try await house.call(.get, list).body["items"]?.array ?? []
            #expect(!items.isEmpty)
            for item in items {
                let path = "\(list)/\(item[name]?.string ?? "")"
                #expect(try await house.call(.put, path, body: item).status == 200, "\(path)")
            }
        }
    }

    @Test("An unknown sequence, or one in addition to a set, is refused")
    func giving() async throws {
        let unknown = try await house.call(.put, anna, body: ["sequence": "trial"])
        #expect(unknown.status == 404 && unknown.code == "unknown_entitlement_sequence")
        let both = try await house.call(.put, anna, body: ["sequence": "trial", "set": "gold"])
        #expect(both.status == 422 && both.code == "invalid_entitlements")
        let nobody = anna.replacing("anna", with: "nobody")
        #expect(try await house.call(.put, nobody, body: ["set": "gold"]).status == 404)
    }

    private func refill(
        _ amounts: JSONValue, _ request: String? = nil
    ) async throws
        -> AdminHouse.Answer
    {
        try await house.call(
            .post, "\(anna)/expendable",
            body: ["request_id": .string(request ?? Self.request), "amounts": amounts])
    }

    @Test("Amounts are given once, whatever is lost on the way")
    func refills() async throws {
        #expect(try await refill(["sms": 5]).body["remaining"] == ["sms": 5])
        #expect(try await refill(["sms": 5]).body["remaining"] == ["sms": 5])
        #expect(try await house.call(.get, anna).body["expendable"] == ["sms": 5])
        let taken = try await refill(["sms": 6])
        #expect(taken.status == 409 && taken.code == "request_id_taken")
        let other = "5f0c1f3e-6a0f-4f43-8a39-6f1d2b6f7c12"
        let negative = try await refill(["calls": 1, "sms": -6], other)
        #expect(negative.status == 409 && negative.code == "negative_entitlement")
        let overflow = try await refill(["sms": 9_007_199_254_740_991], other)
        #expect(overflow.status == 409 && overflow.code == "overflowed_entitlement")
        #expect(try await house.call(.get, anna).body["expendable"] == ["sms": 5])
        #expect(try await refill(["sms": -5], other).body["remaining"] == ["sms": 0])
    }

    @Test(
        "Amounts that are none are refused",
        arguments: [
            [:], ["sms": 0], ["sms": true], ["sms": 1.5], ["a b": 1], [1], .null,
            ["sms": 9_007_199_254_740_992],
        ] as [JSONValue])
    func amounts(_ amounts: JSONValue) async throws {
        let answer = try await refill(amounts)
        #expect(answer.status == 422 && answer.code == "invalid_entitlements")
        #expect(try await refill(["sms": 1], "no uuid").status == 422)
    }
}
