// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Testing

/// The grouping of callers that wait for a sign-in, without I/O.
@Suite("Callers that wait for a sign-in") struct SignInGateTests {
    private let anna = Profile.ID(rawValue: "anna")
    private let ben = Profile.ID(rawValue: "ben")
    private var gate = SignInGate()

    @Test("The first caller starts the prompt, later ones for the same profile join it")
    mutating func join() {
        let first = gate.enter(anna)
        let second = gate.enter(anna)
        #expect(first.startsPrompt && !second.startsPrompt)
        #expect(gate.waiterCount == 2)
        #expect(gate.finish(first.waiter, for: anna) == [first.waiter, second.waiter])
        #expect(gate.waiterCount == 0)
    }

    @Test("Each profile has its own prompt, and so has any profile")
    mutating func profiles() {
        let prompts = [anna, ben, nil].map { gate.enter($0) }
        #expect(prompts.map(\.startsPrompt) == [true, true, true])
        #expect(gate.finish(prompts[1].waiter, for: ben) == [prompts[1].waiter])
        #expect(gate.waiterCount == 2)
    }

    @Test("A prompt continues until its last caller leaves")
    mutating func leave() {
        let (first, second) = (gate.enter(anna).waiter, gate.enter(anna).waiter)
        #expect(gate.leave(first, from: anna) == .promptContinues)
        #expect(gate.leave(second, from: anna) == .promptIsUnused(first))
        #expect(gate.waiterCount == 0)
    }

    @Test("A caller that was resumed, or has left, does not leave again")
    mutating func leaveTwice() {
        let waiter = gate.enter(anna).waiter
        #expect(gate.finish(waiter, for: anna) == [waiter])
        #expect(gate.leave(waiter, from: anna) == .notWaiting)
        let next = gate.enter(anna).waiter
        #expect(gate.leave(waiter, from: anna) == .notWaiting)
        #expect(gate.leave(next, from: anna) == .promptIsUnused(next))
        #expect(gate.leave(next, from: anna) == .notWaiting)
    }

    @Test("The end of an unused prompt does not resume the callers of the next one")
    mutating func unusedPrompt() {
        let first = gate.enter(anna).waiter
        _ = gate.leave(first, from: anna)
        let next = gate.enter(anna)
        #expect(next.startsPrompt)
        #expect(gate.finish(first, for: anna).isEmpty)
        #expect(gate.waiterCount == 1)
        #expect(gate.finish(next.waiter, for: anna) == [next.waiter])
    }

    @Test("A caller without a profile shares the prompt of the person who signed in last")
    mutating func keyOfCurrentProfile() {
        #expect(gate.key(for: nil, resolved: anna) == anna)
        #expect(gate.key(for: ben, resolved: ben) == ben)
        #expect(gate.key(for: ben, resolved: nil) == ben)
        #expect(gate.key(for: nil, resolved: nil) == nil)
    }

    @Test("A caller without a profile joins a prompt for any person, also after a registration")
    mutating func keyDuringPromptForAny() {
        let prompt = gate.enter(nil).waiter
        #expect(gate.key(for: nil, resolved: anna) == nil)
        #expect(gate.key(for: anna, resolved: anna) == anna)
        _ = gate.finish(prompt, for: nil)
        #expect(gate.key(for: nil, resolved: anna) == anna)
    }
}
