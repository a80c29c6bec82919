// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Testing

/// The allocations of the messages of a registration and a sign-in, written and read. The limits
/// exceed the counted numbers by one to six, for the next version of Swift.
///
/// Disabled where allocations are not counted: outside glibc, and under a sanitizer.
@Suite(.enabled(if: Allocations.areCounted)) struct MessageAllocationTests {
    private let registration = CTAPRequest.makeCredential(TestKey.creation())
    private let signIn = CTAPRequest.getAssertion(
        TestKey.assertion(allow: [[UInt8](repeating: 7, count: 32)]))

    @Test("Requests are written with few allocations")
    func writing() {
        #expect(Allocations.fewest { _ = registration.frame() } <= 36)
        #expect(Allocations.fewest { _ = signIn.frame() } <= 21)
        #expect(Allocations.fewest { _ = CTAPRequest.getInfo.frame() } <= 3)
    }

    @Test("Requests are read with few allocations")
    func reading() throws {
        let (first, second) = (registration.frame(), signIn.frame())
        #expect(try Allocations.fewest { _ = try CTAPRequest(frame: first) } <= 95)
        #expect(try Allocations.fewest { _ = try CTAPRequest(frame: second) } <= 53)
    }

    @Test("Replies are read with few allocations")
    func replies() async throws {
        let key = try TestKey()
        let information = try await key.send(.getInfo)
        let made = try await key.send(.makeCredential(TestKey.creation(discoverable: true)))
        let signed = try await key.send(.getAssertion(TestKey.assertion()))
        #expect(try Allocations.fewest { _ = try AuthenticatorInfo(cbor: information) } <= 600)
        #expect(try Allocations.fewest { _ = try MakeCredentialResponse(cbor: made) } <= 59)
        #expect(try Allocations.fewest { _ = try GetAssertionResponse(cbor: signed) } <= 66)
    }
}
