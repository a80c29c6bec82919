// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// `PublicKeyCredentialParameters` as CTAP2 carries it: a kind of credential that is wanted, or
/// that the authenticator can make.
package struct CTAPCredentialParameters: Sendable, Equatable {
    package var type: String
    /// A COSE algorithm. A number beyond 64 bits, which names nothing, is read as `Int64.min`.
    package var algorithm: Int64

    package init(algorithm: Int64, type: String = CTAPCredentialDescriptor.publicKey) {
        self.type = type
        self.algorithm = algorithm
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "parameters")
        type = try reader.required(try reader.text("type", "type"), "type")
        switch try reader.required(reader.value("alg"), "alg") {
        case .unsigned(let number): algorithm = Int64(exactly: number) ?? .min
        case .negative(let number): algorithm = Int64(exactly: number).map { ~$0 } ?? .min
        default: throw .unexpectedType("parameters.alg")
        }
    }

    package var cbor: CBORValue {
        var writer = CTAPMapWriter()
        writer.set("alg", .integer(algorithm))
        writer.set("type", text: type)
        return writer.cbor
    }
}
