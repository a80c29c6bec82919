// SPDX-License-Identifier: Apache-2.0
import CPKCS11
import Primitives

/// An open session with one token: its objects, and how one logs in.
struct TokenSession {
    let calls: CryptokiCalls
    let handle: UInt
    private static let greatestCount: UInt = 64
    private static let greatestValue: UInt = 65_536

    init(_ calls: CryptokiCalls, _ token: Token, writes: Bool) throws(PKCS11Error) {
        self.calls = calls
        var handle: UInt = 0
        let flags = writes ? Cryptoki.writingSession : Cryptoki.readingSession
        try calls.check(
            "C_OpenSession", calls.list.C_OpenSession?(token.slot, flags, nil, nil, &handle))
        self.handle = handle
    }

    func close() { _ = calls.list.C_CloseSession?(handle) }

    func logIn(
        _ login: TokenLogin, as user: UInt = Cryptoki.User.user
    ) throws(PKCS11Error) {
        let code: UInt? =
            switch login {
            case .atReader: calls.list.C_Login?(handle, user, nil, 0)
            case .pin(let pin):
                pin.withBytes {
                    calls.list.C_Login?(handle, user, $0.baseAddress, UInt($0.count))
                }
            }
        guard code != Cryptoki.Code.alreadyLoggedIn else { return }
        try calls.check("C_Login", code)
    }

    func logOut() { _ = calls.list.C_Logout?(handle) }

    // MARK: Objects

    /// Returns the objects that match the template, 64 at most.
    func objects(_ template: AttributeList) throws(PKCS11Error) -> [UInt] {
        try template.lent { (attributes, count) throws(PKCS11Error) in
            try calls.check(
                "C_FindObjectsInit", calls.list.C_FindObjectsInit?(handle, attributes, count))
        }
        defer { _ = calls.list.C_FindObjectsFinal?(handle) }
        var found = [UInt](repeating: 0, count: Int(Self.greatestCount))
        var count: UInt = 0
        try calls.check(
            "C_FindObjects", calls.list.C_FindObjects?(handle, &found, Self.greatestCount, &count))
        return Array(found.prefix(Int(min(count, Self.greatestCount))))
    }

    /// Returns an attribute of an object; `nil` if it is absent or not readable.
    func value(_ type: UInt, of object: UInt) throws(PKCS11Error) -> [UInt8]? {
        var attribute = CK_ATTRIBUTE(type: type, value: nil, length: 0)
        let code = calls.list.C_GetAttributeValue?(handle, object, &attribute, 1)
        let silent = [Cryptoki.Code.attributeSensitive, Cryptoki.Code.attributeTypeInvalid]
        if let code, silent.contains(code) || attribute.length == Cryptoki.unavailable {
            return nil
        }
        try calls.check("C_GetAttributeValue", code)
        guard attribute.length <= Self.greatestValue else { throw .malformed("a long attribute") }
        var bytes = [UInt8](repeating: 0, count: Int(attribute.length))
        let again = bytes.withUnsafeMutableBytes { memory in
            attribute.value = memory.baseAddress
            return calls.list.C_GetAttributeValue?(handle, object, &attribute, 1)
        }
        try calls.check("C_GetAttributeValue", again)
        return Array(bytes.prefix(Int(min(attribute.length, UInt(bytes.count)))))
    }

    func destroy(_ object: UInt) throws(PKCS11Error) {
        try calls.check("C_DestroyObject", calls.list.C_DestroyObject?(handle, object))
    }

    /// The private key of that name.
    func privateKey(_ id: [UInt8]) throws(PKCS11Error) -> UInt {
        let found = try objects([
            (Cryptoki.AttributeType.objectClass, .number(Cryptoki.ObjectClass.privateKey)),
            (Cryptoki.AttributeType.id, .bytes(id)),
        ])
        guard let key = found.first else { throw .noKey }
        return key
    }
}
