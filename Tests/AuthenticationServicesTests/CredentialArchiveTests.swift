// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import Testing

/// Apple's credentials are `NSCopying` and `NSSecureCoding`; apps keep them between launches.
@MainActor @Suite struct CredentialArchiveTests {
    private func again<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value? {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: archive)
    }

    @Test("A registration and a sign-in come back from an archive as they were")
    func credentials() async throws {
        let system = Play.system(keys: try PlayedKeys())
        let presenter = PlayedPresenter(pins: ["2580", "2580"])
        let made = try #require(
            try await Play.run([Play.registration(resident: true)], system, presenter).app.result()
                .credential as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistration)
        let registration = try #require(try again(made))
        #expect(registration.credentialID == made.credentialID)
        #expect(registration.rawClientDataJSON == made.rawClientDataJSON)
        #expect(registration.rawAttestationObject == made.rawAttestationObject)
        #expect(registration.transports == made.transports)
        #expect(made.copy() as? NSObject === made)

        let proof = try #require(
            try await Play.run([Play.assertion()], system, presenter).app.result()
                .credential as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertion)
        let assertion = try #require(try again(proof))
        #expect(assertion.credentialID == proof.credentialID)
        #expect(assertion.rawClientDataJSON == proof.rawClientDataJSON)
        #expect(assertion.rawAuthenticatorData == proof.rawAuthenticatorData)
        #expect(assertion.userID == proof.userID)
        #expect(assertion.signature == proof.signature)
        #expect(assertion.appID == proof.appID)
    }

    @Test("Descriptors and parameters come back, and a copy of a descriptor is another one")
    func descriptors() throws {
        let key = ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(
            credentialID: Data([1, 2, 3]), transports: [.usb, .nfc])
        let read = try #require(try again(key))
        #expect(read.credentialID == key.credentialID)
        #expect(read.transports == key.transports)
        let copy = try #require(
            key.copy() as? ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor)
        copy.credentialID = Data()
        #expect(key.credentialID == Data([1, 2, 3]))

        let passkey = ASAuthorizationPlatformPublicKeyCredentialDescriptor(
            credentialID: Data([4]))
        #expect(try again(passkey)?.credentialID == Data([4]))
        let parameters = ASAuthorizationPublicKeyCredentialParameters(algorithm: .ES256)
        #expect(try again(parameters)?.algorithm == .ES256)
    }

    // One of another class ends the process on Linux, in Foundation's own unarchiver.
    @Test("An archive that was cut gives nothing and does not crash")
    func cutArchives() throws {
        typealias Descriptor = ASAuthorizationPlatformPublicKeyCredentialDescriptor
        let whole = try NSKeyedArchiver.archivedData(
            withRootObject: Descriptor(credentialID: Data([4])), requiringSecureCoding: true)
        for length in [0, 1, whole.count / 2, whole.count - 1] {
            let cut = whole.prefix(length)
            #expect(
                (try? NSKeyedUnarchiver.unarchivedObject(ofClass: Descriptor.self, from: cut))
                    .flatMap { $0 } == nil)
        }
    }

    @Test("An archive without a member that is needed gives nothing")
    func missingMembers() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(Data([1]) as NSData, forKey: "credentialID")
        archiver.finishEncoding()
        for kind in [
            ASAuthorizationSecurityKeyPublicKeyCredentialRegistration.self,
            ASAuthorizationPlatformPublicKeyCredentialRegistration.self,
            ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.self,
            ASAuthorizationPlatformPublicKeyCredentialAssertion.self,
        ] as [any NSSecureCoding.Type] {
            let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
            reader.requiresSecureCoding = true
            reader.decodingFailurePolicy = .setErrorAndReturn
            #expect(kind.init(coder: reader) == nil)
        }
    }
}
