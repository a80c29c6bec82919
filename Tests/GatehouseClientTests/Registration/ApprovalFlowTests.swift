// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import Storage
import Testing

/// Approvals on the app's side, against the real provider.
@Suite("Approvals") struct ApprovalFlowTests {
    private let provider: InProcessProvider
    private let asker: ApprovalRequester
    private let wire: FaultyTransport
    private let face = SoftwareVerifier(.biometric)
    private let client: IdentityClient
    private let pin = "24681"

    init() async throws {
        provider = try await InProcessProvider()
        asker = try await provider.approvalAsker()
        try await provider.change { $0.policy.registration.authenticators = ["biometric"] }
        wire = FaultyTransport(provider)
        client = try provider.client(verifiers: [face], transport: wire)
    }

    private func registered(withPIN: Bool = false) async throws -> Profile {
        guard withPIN else {
            return try await client.register(.credential(provider.testKey())).profile
        }
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(pin))
        }
        return try await flow.outcome.profile
    }

    /// Responds, and returns the displayed steps.
    @discardableResult
    private func answer(
        _ request: ApprovalRequest, yes: Bool = true, pins: [String] = ["24681"]
    ) async throws -> (outcome: ApprovalOutcome, steps: [String]) {
        let flow = client.approvals.handle(request)
        var (steps, pins) = ([String](), pins)
        for try await step in flow {
            switch step {
            case .confirm(let challenge):
                #expect(challenge.request == request)
                steps.append("confirm")
                try yes ? challenge.approve() : challenge.deny()
            case .enterPIN(let challenge):
                steps.append("pin")
                try challenge.respond(with: try PIN(pins.removeFirst()))
            case .authenticator(let challenge):
                steps.append("look")
                try challenge.respond(prompt: "Pay")
            }
        }
        return (try await flow.outcome, steps)
    }

    private func onlyRequest(_ profile: Profile) async throws -> ApprovalRequest {
        let pending = try await client.approvals.pending(for: profile.id)
        #expect(pending.count == 1)
        return try #require(pending.first)
    }

    @Test("A push wakes the installations that gave a token; what is asked is not in it")
    func pushes() async throws {
        let profile = try await registered()
        try await client.approvals.enroll(profile.id)
        _ = try await asker.ask(profile.userID, message: "Pay 5 €")
        #expect(provider.sentPushes.isEmpty)
        try await client.approvals.enroll(profile.id, pushToken: "device-7")
        var pushes = provider.pushes().makeAsyncIterator()
        _ = try await asker.ask(profile.userID, message: "Pay 6 €")
        let push = try #require(await pushes.next())
        #expect(push.userID == profile.userID && push.pushToken == "device-7")
        #expect(provider.sentPushes == [push])
        let pending = try await client.approvals.pending(for: profile.id)
        #expect(pending.first { $0.id == push.approvalID }?.message == "Pay 6 €")
    }

    @Test("A request is shown whole, approved by the key, and the asker gets what was signed")
    func approves() async throws {
        let profile = try await registered()
        try await client.approvals.enroll(profile.id)
        let asked = try await asker.ask(
            profile.userID, message: "Pay 5 €", transactionText: "To: Carla")
        let request = try await onlyRequest(profile)
        #expect(request.message == "Pay 5 €" && request.transactionText == "To: Carla")
        #expect(request.clientName == "The bank" && request.createdAt < request.expiresAt)
        #expect(try await asker.result(of: asked) == .refused("authorization_pending"))
        #expect(try await answer(request).outcome == .approved)
        provider.clock.advance(by: .seconds(10))
        guard case .approved(let text) = try await asker.result(of: asked) else {
            Issue.record("not approved")
            return
        }
        let parts = text.split(separator: ".")
        let payload = try #require(Base64URL.decode(parts[1]))
        let signed = try #require(
            SignedApprovalResponse(try JSONParser.parseObject(payload, maximumBytes: 8192)))
        #expect(signed.transactionHash == SignedApprovalResponse.hash(of: "To: Carla"))
        #expect(signed.decision == .approved && signed.clientID == ApprovalRequester.clientID)
        #expect(try await client.approvals.pending(for: profile.id).isEmpty)
    }

    @Test("No is no, and takes no PIN")
    func denies() async throws {
        let profile = try await registered(withPIN: true)
        try await client.approvals.enroll(profile.id)
        let asked = try await asker.ask(profile.userID)
        let (outcome, steps) = try await answer(try await onlyRequest(profile), yes: false)
        #expect(outcome == .denied && steps == ["confirm"])
        #expect(try await asker.result(of: asked) == .refused("access_denied"))
    }

    @Test("Yes takes the PIN, which may be wrong once; or a look, where that is preferred")
    func shows() async throws {
        let profile = try await registered(withPIN: true)
        try await client.approvals.enroll(profile.id)
        let asked = try await asker.ask(profile.userID)
        let request = try await onlyRequest(profile)
        let typed = try await answer(request, pins: ["86421", pin])
        #expect(typed.outcome == .approved && typed.steps == ["confirm", "pin", "pin"])
        guard case .approved = try await asker.result(of: asked) else {
            Issue.record("not approved")
            return
        }
        let flow = client.enroll(.biometric, for: profile.id)
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge): try challenge.respond(with: try PIN(pin))
            case .authenticator(let challenge): try challenge.respond(prompt: "Add")
            }
        }
        try await client.setPreferred(.biometric, for: profile.id)
        _ = try await asker.ask(profile.userID)
        let looked = try await answer(try await onlyRequest(profile))
        #expect(looked.outcome == .approved && looked.steps == ["confirm", "look"])
    }

    @Test("The last wrong PIN locks here as everywhere")
    func locks() async throws {
        let profile = try await registered(withPIN: true)
        try await client.approvals.enroll(profile.id)
        _ = try await asker.ask(profile.userID)
        let request = try await onlyRequest(profile)
        let wrong = [String](repeating: "86421", count: 5)
        await #expect(throws: IdentityError.made(.generic, .profileLocked)) {
            try await answer(request, pins: wrong)
        }
        #expect(try await client.profiles.isEmpty)
    }

    @Test("A code is typed, or scanned as an address; a wrong one is nobody's")
    func resolves() async throws {
        let profile = try await registered()
        try await client.approvals.enroll(profile.id)
        for spelling in ["", "https://bank.example/ok?approval_code="] {
            let asked = try await asker.ask(nil, message: "Sign in at the desk")
            let code = spelling + (try #require(asked.code))
            let request = try await client.approvals.resolve(code: code, for: profile.id)
            #expect(request.message == "Sign in at the desk")
            #expect(try await answer(request).outcome == .approved)
            guard case .approved = try await asker.result(of: asked) else {
                Issue.record("not approved")
                return
            }
        }
        await #expect(throws: IdentityError.made(.approvals, .approvalNotFound)) {
            try await client.approvals.resolve(code: "BCDF-GHJK", for: profile.id)
        }
    }

    @Test("Who reads the requests gets what waits, and what comes with each push; each once")
    func observes() async throws {
        let profile = try await registered()
        try await client.approvals.enroll(profile.id, pushToken: "device-7")
        #expect(try await client.approvals.enrollment(of: profile.id)?.hasPushToken == true)
        _ = try await asker.ask(profile.userID, message: "one")
        var requests = client.approvals.requests(for: profile.id).makeAsyncIterator()
        #expect(try await requests.next()?.message == "one")
        _ = try await asker.ask(profile.userID, message: "two")
        client.approvals.received()
        #expect(try await requests.next()?.message == "two")
        // It looks once in vain, and waits for the next push.
        _ = try await asker.ask(profile.userID, message: "three")
        wire.next("/registration/approvals", .requestLost)
        client.approvals.received()
        let nextPush = Task { [wire, client] in
            while wire.count("/registration/approvals") < 3 { await Task.yield() }
            client.approvals.received()
        }
        #expect(try await requests.next()?.message == "three")
        await nextPush.value
    }

    @Test("A lost answer is sent again; a cancelled flow leaves the request waiting")
    func lost() async throws {
        let profile = try await registered()
        try await client.approvals.enroll(profile.id)
        let asked = try await asker.ask(profile.userID)
        let request = try await onlyRequest(profile)
        for try await case .confirm(let challenge) in client.approvals.handle(request) {
            challenge.cancel()
            break
        }
        #expect(try await onlyRequest(profile) == request)
        wire.next("/approvals/\(request.id)", .answerLost)
        #expect(try await answer(request).outcome == .approved)
        guard case .approved = try await asker.result(of: asked) else {
            Issue.record("not approved")
            return
        }
        await #expect(throws: IdentityError.made(.approvals, .approvalHandled)) {
            try await answer(request, yes: false)
        }
    }

    @Test("What is over or was changed on the way is refused, each in its own words")
    func refusals() async throws {
        let profile = try await registered()
        await #expect(throws: IdentityError.made(.approvals, .notEnrolled)) {
            try await client.approvals.pending(for: profile.id)
        }
        #expect(try await client.approvals.enrollment(of: profile.id) == nil)
        try await client.approvals.enroll(profile.id)
        _ = try await asker.ask(profile.userID)
        let request = try await onlyRequest(profile)
        provider.clock.advance(by: .seconds(301))
        await #expect(throws: IdentityError.made(.approvals, .approvalNotFound)) {
            try await answer(request)
        }
        try await client.approvals.unenroll(profile.id)
        await #expect(throws: (any Error).self) { try await asker.ask(profile.userID) }
        try await provider.change { $0.policy.registration.approvals.enabled = false }
        await #expect(throws: IdentityError.made(.approvals, .approvalsNotOffered)) {
            try await client.approvals.enroll(profile.id)
        }
    }

    @Test("Somebody who is signed out is not asked behind their PIN")
    func signedOut() async throws {
        let profile = try await registered(withPIN: true)
        try await client.approvals.enroll(profile.id)
        try await client.signOut(profile.id)
        await #expect(throws: IdentityError.made(.approvals, .notSignedIn)) {
            try await client.approvals.pending(for: profile.id)
        }
    }

    @Test("The numbers of the older SDK are said for each of them")
    func numbers() {
        let cases: [(IdentityError.Code, Int)] = [
            (.notSignedIn, 9010), (.approvalsNotOffered, 9017), (.notEnrolled, 9021),
            (.approvalHandled, 9029), (.notRegistered, 9033), (.approvalNotFound, 10013),
            (.approvalRefused, 10018),
        ]
        for (code, number) in cases {
            #expect(IdentityError.made(.approvals, code).legacyCode == number)
        }
    }
}
