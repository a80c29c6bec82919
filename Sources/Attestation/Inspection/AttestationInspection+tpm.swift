// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

extension AttestationInspection {
    static func tpm(_ fields: InspectionFields) async throws(InspectionError) -> JSONValue {
        let algorithm = try fields.reader.required(
            "algorithm",
            JSONForm<Int64>.integer.map("a COSE algorithm") { COSEAlgorithm(rawValue: $0) })
        let evidence = UnverifiedTPMKey(
            publicArea: try fields.bytes("publicArea"),
            certifyInfo: try fields.bytes("certifyInfo"),
            signature: try fields.bytes("signature"), algorithm: algorithm,
            certificates: try fields.certificates("certificates") ?? [],
            attestationKey: try fields.key("attestationKey"), quote: try quote(fields))
        let verifier = TPMKeyVerifier(trust: try trust(fields), boot: try boot(fields))
        let expectation = try fields.expectation(key: try fields.key("publicKey"))
        let verified = try await verifier.inspect(evidence, expectation)
        var value = JSONObject([
            .init(name: "publicKey", value: verified.key.json),
            .init(name: "attestationKey", value: verified.attestationKey.json),
        ])
        value["pcrs"] = verified.quote.map { quote in
            .object(
                JSONObject(
                    quote.values.sorted { $0.key < $1.key }.map {
                        .init(name: String($0.key), value: .string(Base64URL.encode($0.value)))
                    }))
        }
        return .object(value)
    }

    private static func quote(
        _ fields: InspectionFields
    ) throws(InspectionError) -> UnverifiedTPMQuote? {
        let values = try registers("pcrs", fields, .base64url)
        guard let values else { return nil }
        return UnverifiedTPMQuote(
            quoted: try fields.bytes("quoted"), signature: try fields.bytes("quoteSignature"),
            values: values)
    }

    private static func boot(
        _ fields: InspectionFields
    ) throws(InspectionError) -> TPMBootRequirement? {
        let digests = JSONForm("an array of strings") { value in
            value.strings.map { Set($0.compactMap { Base64URL.decode($0) }) }
        }
        return try registers("acceptedPCRs", fields, digests)
            .map { TPMBootRequirement(accepted: $0) }
    }

    /// Reads an object whose names are register numbers.
    private static func registers<Value>(
        _ name: String, _ fields: InspectionFields, _ form: JSONForm<Value>
    ) throws(InspectionError) -> [Int: Value]? {
        let registers = JSONForm("an object with a member for each register") { value in
            value.object.flatMap { object -> [Int: Value]? in
                var values: [Int: Value] = [:]
                for member in object.members {
                    guard let index = Int(member.name), 0...31 ~= index,
                        let value = form.read(member.value)
                    else { return nil }
                    values[index] = value
                }
                return values
            }
        }
        return try fields.reader.optional(name, registers)
    }

    /// Reads the known `attestationKeys`, or otherwise `roots` and `vendors`.
    private static func trust(
        _ fields: InspectionFields
    ) throws(InspectionError) -> TPMAttestationKeyTrust {
        if let known = try fields.reader.optional("attestationKeys", .list(of: .publicKey)) {
            return .known(known)
        }
        return .certified(
            roots: try fields.roots(orElse: nil), vendors: try fields.set("vendors"))
    }
}
