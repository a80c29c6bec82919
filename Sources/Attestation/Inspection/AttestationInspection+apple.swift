// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension AttestationInspection {
    static func appAttest(
        _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        let verifier = AppAttestVerifier(
            applications: try fields.reader.required("applications", .strings),
            environment: try environment(fields),
            roots: try fields.roots(orElse: VendorRoots.appAttest),
            checksReceipt: try fields.flag("checksReceipt", true),
            receiptRoots: try fields.roots("receiptRoots", orElse: VendorRoots.appleReceipts))
        let (attestation, identifier) = (
            try fields.bytes("attestation"), try fields.bytes("keyId")
        )
        let expectation = try fields.expectation(key: nil)
        let evidence = try InspectionError.refusing { () throws(AttestationRefusal) in
            try UnverifiedAppAttest(attestation: attestation, keyIdentifier: identifier)
        }
        let verified = try await verifier.inspect(evidence, expectation)
        return [
            "keyId": .string(Base64URL.encode(verified.keyIdentifier)),
            "publicKey": verified.key.json, "application": .string(verified.application),
            "environment": .string(verified.environment.rawValue),
            "receipt": verified.receipt.map { json($0) } ?? .null,
        ]
    }

    static func appAttestAssertion(
        _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        let key = try fields.reader.required("publicKey", .publicKey)
        let counter = try fields.reader.required(
            "counter", JSONForm<Int64>.integer.map("a counter of 32 bits") { UInt32(exactly: $0) })
        let member = try fields.reader.optional("challengeMember", .string)
        let verifier = AppAttestAssertionVerifier(
            applications: try fields.reader.required("applications", .strings), key: key,
            counter: counter,
            place: member.map { .member($0) } ?? .prefix)
        let (assertion, clientData) = (
            try fields.bytes("assertion"), try fields.bytes("clientData")
        )
        let expectation = AttestationExpectation(
            challenge: try fields.bytes("challenge"), now: try fields.now())
        let evidence = try InspectionError.refusing { () throws(AttestationRefusal) in
            try UnverifiedAppAttestAssertion(assertion: assertion, clientData: clientData)
        }
        let verified = try await verifier.inspect(evidence, expectation)
        return [
            "application": .string(verified.application),
            "counter": .integer(Int64(verified.counter)),
        ]
    }

    static func appleDevice(
        _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        let verifier = AppleDeviceVerifier(
            roots: try fields.roots(orElse: nil), serialNumbers: try fields.set("serialNumbers"),
            deviceIdentifiers: try fields.set("deviceIdentifiers"))
        let evidence = UnverifiedAppleDevice(
            certificates: try fields.certificates("certificates") ?? [])
        let expectation = try fields.expectation(key: try fields.key("publicKey"))
        let verified = try await verifier.inspect(evidence, expectation)
        return [
            "publicKey": verified.key.json,
            "serialNumber": verified.serialNumber.map { .string($0) } ?? .null,
            "deviceIdentifier": verified.deviceIdentifier.map { .string($0) } ?? .null,
        ]
    }

    private static func environment(
        _ fields: InspectionFields
    ) throws(InspectionError) -> AppAttestEnvironment {
        try fields.reader.required("environment", .choice)
    }

    private static func json(_ receipt: AppAttestReceipt) -> JSONValue {
        [
            "application": .string(receipt.application), "type": .string(receipt.type),
            "environment": receipt.environment.map { .string($0) } ?? .null,
            "created": .string(receipt.created.rfc3339),
            "expires": .string(receipt.expires.rfc3339),
            "notBefore": receipt.notBefore.map { .string($0.rfc3339) } ?? .null,
            "riskMetric": receipt.riskMetric.map { .integer($0) } ?? .null,
        ]
    }
}
