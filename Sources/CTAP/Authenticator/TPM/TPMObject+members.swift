// SPDX-License-Identifier: Apache-2.0
import TPM

/// Objects of a TPM in the maps that stores are made of.
extension TPMObject {
    /// Reads members 1 and 2 of a map.
    init?(_ reader: CTAPMapReader) {
        guard let privatePart = try? reader.bytes(1, "private", lengths: 1...1024),
            let publicPart = try? reader.bytes(2, "public", lengths: 1...1024)
        else { return nil }
        self.init(privatePart: privatePart, publicPart: publicPart)
    }

    /// The object that a key of ``TPMCredentialKeys`` is.
    init(_ key: HardwareKey) throws(AuthenticatorStoreError) {
        guard let reader = try? CTAPMapReader(key.handle, "key"), let object = TPMObject(reader)
        else { throw .damaged }
        self = object
    }

    /// Writes members 1 and 2 of a map.
    func add(to writer: inout CTAPMapWriter) {
        writer.set(1, bytes: privatePart)
        writer.set(2, bytes: publicPart)
    }
}

extension HardwareKey {
    /// A key that a TPM has made.
    init(_ object: TPMObject) throws(AuthenticatorStoreError) {
        guard let point = object.point else { throw .tpmProtocol }
        var writer = CTAPMapWriter()
        object.add(to: &writer)
        self.init(point: point, handle: writer.encoded)
    }
}

extension AuthenticatorStoreError {
    init(_ failure: TPMError) {
        self =
            switch failure {
            case .system(let call, let code): .system(call: call, code: code)
            case .refused(let code): .tpm(code: code)
            case .foreign: .locked
            case .nonsense: .tpmProtocol
            }
    }

    /// Runs a TPM operation, and converts its errors into errors of a store.
    static func converting<Value>(
        _ body: () throws(TPMError) -> Value
    ) throws(AuthenticatorStoreError) -> Value {
        do throws(TPMError) { return try body() } catch { throw AuthenticatorStoreError(error) }
    }
}
