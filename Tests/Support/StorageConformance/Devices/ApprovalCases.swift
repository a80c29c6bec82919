// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoreFixture {
    fileprivate func makeApproval(
        code: [UInt8]? = nil, at time: Timestamp? = nil
    ) -> Approval {
        Approval(
            id: identifier(), project: project.id, client: client.id, requestHash: bytes(),
            codeHash: code, person: code == nil ? person.id : nil, scope: "openid",
            message: "Pay 5 €", transaction: "To: Carla", nonce: bytes(),
            createdAt: time ?? now, expiresAt: (time ?? now) + .minutes(5))
    }

    fileprivate func saved(_ approval: Approval) async throws -> Approval {
        try await store.approvals.save(approval, recording: makeEvent("approval.requested"))
        return approval
    }

    fileprivate func installed() async throws -> Installation {
        let registration = makeRegistration("p-\(identifier() as Identifier<Client>)")
        let outcome = try await store.installations.register(
            registration, recording: makeEvent("registered"))
        guard outcome == .registered else {
            throw ConformanceFailure(description: "a registration was \(outcome)")
        }
        return registration.installation
    }

    fileprivate func decide(
        _ approval: Approval, at installation: Identifier<Installation>, _ grant: Grant?,
        person: Identifier<Person>? = nil, after seconds: Int64 = 0
    ) async throws -> Bool {
        try await store.approvals.decideApproval(
            ApprovalDecision(
                approval: approval.id, person: person ?? self.person.id,
                installation: installation, grant: grant, answer: "signed"),
            now: now + .seconds(seconds), recording: makeEvent("approval.answered"))
    }

    fileprivate func poll(
        _ approval: Approval, after seconds: Int64, client: Identifier<Client>? = nil
    ) async throws -> ApprovalPollOutcome {
        try await store.approvals.pollApproval(
            requestHash: approval.requestHash, client: client ?? self.client.id, generation: 1,
            now: now + .seconds(seconds))
    }
}

extension ConformanceCase {
    static let approvals: [ConformanceCase] = [
        ConformanceCase("what waits for a person is listed, the oldest first, until it ends") { f in
            let late = try await f.saved(f.makeApproval(at: f.now + .seconds(2)))
            let early = try await f.saved(f.makeApproval())
            _ = try await f.saved(f.makeApproval(code: f.bytes()))
            func pending(_ time: Timestamp) async throws -> [Approval] {
                try await f.store.approvals.pendingApprovals(of: f.person.id, now: time)
            }
            try expectEqual(await pending(f.now), [early, late])
            try expectEqual(await pending(early.expiresAt), [late])
            try expectEqual(await f.store.approvals.approval(early.id), early)
            try expect(await f.decide(early, at: f.identifier(), nil))
            try expectEqual(await pending(f.now), [late])
        },
        ConformanceCase("what was asked of a person is listed, decided or not, the newest first") {
            f in
            let early = try await f.saved(f.makeApproval())
            let late = try await f.saved(f.makeApproval(at: f.now + .seconds(2)))
            _ = try await f.saved(f.makeApproval(code: f.bytes()))
            try expect(await f.decide(early, at: f.identifier(), nil))
            let all = try await f.store.approvals.approvals(of: f.person.id, limit: 10)
            try expectEqual(all.map(\.id), [late.id, early.id])
            try expectEqual(all.map(\.state), [.pending, .denied])
            try expectEqual(await f.store.approvals.approvals(of: f.person.id, limit: 1), [late])
            try expectEqual(await f.store.approvals.approvals(of: f.identifier(), limit: 10), [])
        },
        ConformanceCase("a code belongs to the first installation that brings it") { f in
            let code = f.bytes()
            let approval = try await f.saved(f.makeApproval(code: code))
            let (mine, other): (Identifier<Installation>, Identifier<Installation>) =
                (f.identifier(), f.identifier())
            func claim(
                _ installation: Identifier<Installation>, _ person: Identifier<Person>? = nil,
                after seconds: Int64 = 0
            ) async throws -> Approval? {
                try await f.store.approvals.claimApproval(
                    codeHash: code, for: person ?? f.person.id, at: installation,
                    now: f.now + .seconds(seconds))
            }
            try expectEqual(await claim(mine, after: 300), nil)
            var claimed = approval
            claimed.person = f.person.id
            claimed.installation = mine
            try expectEqual(await claim(mine), claimed)
            try expectEqual(await claim(mine), claimed)
            try expectEqual(await claim(other), nil)
            try expect(await !f.decide(approval, at: other, nil))
            try expect(await f.decide(approval, at: mine, nil))
            try expectEqual(await claim(mine), nil)
        },
        ConformanceCase("an approval is decided once, and fetched by one poll") { f in
            let approval = try await f.saved(f.makeApproval())
            try expectEqual(await f.poll(approval, after: 0), .pending)
            let (place, grant) = (try await f.installed().id, f.makeGrant())
            try expect(await f.decide(approval, at: place, grant))
            try expect(await !f.decide(approval, at: place, nil))
            try expect(await !f.decide(approval, at: place, f.makeGrant()))
            try expectEqual(await f.store.grants.grant(grant.id), nil)
            try expectEqual(await f.poll(approval, after: 4), .slowDown)
            guard case .approved(let made, let decided) = try await f.poll(approval, after: 20)
            else { throw ConformanceFailure(description: "not approved") }
            try expectEqual(made.id, grant.id)
            try expectEqual(made.generation, 1)
            try expectEqual(decided.answer, "signed")
            try expectEqual(decided.installation, place)
            try expectEqual(await f.poll(approval, after: 60), .unknown)
        },
        ConformanceCase("who may not decide decides nothing, and leaves no event") { f in
            let approval = try await f.saved(f.makeApproval())
            let place: Identifier<Installation> = f.identifier()
            try expect(await !f.decide(approval, at: place, nil, person: f.identifier()))
            try expect(await !f.decide(approval, at: place, f.makeGrant(), after: 300))
            var filter = AuditFilter()
            filter.project = f.project.id
            filter.action = "approval.answered"
            let events = try await f.store.auditLog.auditEvents(filter, before: nil, limit: 1000)
            try expect(events.isEmpty)
            try expectEqual(await f.store.approvals.approval(approval.id)?.state, .pending)
        },
        ConformanceCase("a denied, an expired and another's approval are told apart") { f in
            let denied = try await f.saved(f.makeApproval())
            try expect(await f.decide(denied, at: f.identifier(), nil))
            try expectEqual(await f.poll(denied, after: 0), .denied)
            let over = try await f.saved(f.makeApproval())
            try expectEqual(await f.poll(over, after: 300), .expired)
            try expectEqual(await f.poll(over, after: 0, client: f.identifier()), .unknown)
            try expectEqual(await f.poll(f.makeApproval(), after: 0), .unknown)
        },
        ConformanceCase("disabling the person takes back what they approved") { f in
            let approval = try await f.saved(f.makeApproval())
            let place = try await f.installed().id
            try expect(await f.decide(approval, at: place, f.makeGrant()))
            var person = f.person
            person.disabled = true
            _ = try await f.store.people.update(person, now: f.now)
            try expectEqual(await f.poll(approval, after: 0), .denied)
        },
        ConformanceCase("an approval by a deleted installation is not redeemed") { f in
            let approval = try await f.saved(f.makeApproval())
            let (place, grant) = (try await f.installed(), f.makeGrant())
            try expect(await f.decide(approval, at: place.id, grant))
            _ = try await f.store.installations.remove(
                installation: place.id, of: place.person, now: f.now,
                recording: f.makeEvent("installation.removed"))
            try expectEqual(await f.poll(approval, after: 0), .denied)
            try expectEqual(await f.store.grants.grant(grant.id), nil)
        },
        ConformanceCase("an enrollment is of one installation, and goes with it") { f in
            let installation = try await f.installed()
            var enrollment = ApprovalEnrollment(
                installation: installation.id, sealedPushToken: f.bytes(), enrolledAt: f.now)
            try await f.store.approvals.save(enrollment)
            enrollment.sealedPushToken = nil
            try await f.store.approvals.save(enrollment)
            try expectEqual(
                await f.store.approvals.approvalEnrollments(of: installation.person), [enrollment])
            try expectEqual(await f.store.approvals.approvalEnrollments(of: f.person.id), [])
            try expect(await f.store.approvals.removeApprovalEnrollment(of: installation.id))
            try expect(await !f.store.approvals.removeApprovalEnrollment(of: installation.id))
            try await f.store.approvals.save(enrollment)
            _ = try await f.store.installations.remove(
                installation: installation.id, of: installation.person, now: f.now,
                recording: f.makeEvent("installation.removed"))
            try expectEqual(await f.store.approvals.approvalEnrollment(of: installation.id), nil)
        },
        ConformanceCase("of decisions and claims at one moment one counts") { f in
            let code = f.bytes()
            let approval = try await f.saved(f.makeApproval(code: code))
            let claims = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await f.store.approvals.claimApproval(
                            codeHash: code, for: f.person.id, at: f.identifier(), now: f.now)
                            != nil
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expectEqual(claims, 1)
            guard let place = try await f.store.approvals.approval(approval.id)?.installation else {
                throw ConformanceFailure(description: "nobody's")
            }
            let decisions = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await f.decide(
                            approval, at: place, number.isMultiple(of: 2) ? nil : f.makeGrant())
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expectEqual(decisions, 1)
        },
    ]
}
