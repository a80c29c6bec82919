// SPDX-License-Identifier: Apache-2.0
import CPKCS11
import Platform
import Primitives
import Synchronization

/// A shared library through which tokens are used. It runs inside this process, so the setting that
/// names it decides what runs here.
///
/// Each is loaded once and never unloaded, and used by one call at a time: a login applies to the
/// whole process (PKCS#11 2.40 section 2.5.6), and those of two people must not overlap. All calls
/// block.
final class PKCS11Module: Sendable {
    private static let loaded = Mutex<[String: PKCS11Module]>([:])
    private let functions: Mutex<CK_FUNCTION_LIST>

    private init(_ functions: sending CK_FUNCTION_LIST) { self.functions = Mutex(functions) }

    /// - Parameter path: absolute, so that no search path decides what is loaded.
    static func load(_ path: String) throws(PKCS11Error) -> PKCS11Module {
        try loaded.withLock { (modules) throws(PKCS11Error) in
            if let module = modules[path] { return module }
            let module = PKCS11Module(try open(path))
            modules[path] = module
            return module
        }
    }

    private static func open(_ path: String) throws(PKCS11Error) -> sending CK_FUNCTION_LIST {
        guard path.hasPrefix("/") else { throw .module("\(path) is not an absolute path") }
        let symbol: UnsafeMutableRawPointer
        do throws(SharedLibrary.LoadError) {
            symbol = try SharedLibrary.symbol("C_GetFunctionList", in: path)
        } catch { throw .module(error.description) }
        var list: UnsafeMutablePointer<CK_FUNCTION_LIST>?
        let code = unsafeBitCast(symbol, to: CK_GET_FUNCTION_LIST.self)(&list)
        guard code == 0, let functions = list?.pointee, functions.version.major >= 2 else {
            throw .module("\(path) is of another interface")
        }
        var arguments = CK_C_INITIALIZE_ARGS()
        arguments.flags = Cryptoki.systemLocks
        let begun = functions.C_Initialize?(&arguments) ?? Cryptoki.Code.functionNotSupported
        guard begun == 0 || begun == Cryptoki.Code.alreadyInitialized else {
            throw PKCS11Error("C_Initialize", begun)
        }
        return functions
    }

    /// The tokens that are present now.
    func tokens() throws(PKCS11Error) -> [Token] {
        try functions.withLock { (list) throws(PKCS11Error) in
            try CryptokiCalls(list).tokens()
        }
    }

    /// Opens a session with one token, and closes it after `body`.
    ///
    /// - Parameters:
    ///   - choose: Which of the tokens.
    ///   - login: The PIN; `nil` for public objects only.
    func withSession<Value: Sendable>(
        _ choose: ([Token]) throws(PKCS11Error) -> Token, login: TokenLogin?,
        _ body: (TokenSession) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        try functions.withLock { (list) throws(PKCS11Error) in
            let calls = CryptokiCalls(list)
            let token = try choose(try calls.tokens())
            let session = try TokenSession(calls, token, writes: login != nil)
            defer { session.close() }
            guard let login else { return try body(session) }
            try session.logIn(login)
            defer { session.logOut() }
            return try body(session)
        }
    }
}

/// A login to a token.
enum TokenLogin: Sendable {
    case pin(Secret)
    /// The person types the PIN at the reader.
    case atReader
}

/// The functions of a module, whose refusals are errors.
struct CryptokiCalls {
    let list: CK_FUNCTION_LIST
    /// More than a machine has readers.
    private static let greatestCount: UInt = 64

    init(_ list: CK_FUNCTION_LIST) { self.list = list }

    /// - Parameter code: `nil` when the module has no such function.
    func check(_ call: String, _ code: UInt?) throws(PKCS11Error) {
        let code = code ?? Cryptoki.Code.functionNotSupported
        guard code == 0 else { throw PKCS11Error(call, code) }
    }

    func tokens() throws(PKCS11Error) -> [Token] {
        var count: UInt = 0
        // Called without memory, a module searches for newly connected readers.
        try check("C_GetSlotList", list.C_GetSlotList?(1, nil, &count))
        count = min(max(count, 1) + 8, Self.greatestCount)
        var slots = [UInt](repeating: 0, count: Int(count))
        try check("C_GetSlotList", list.C_GetSlotList?(1, &slots, &count))
        return slots.prefix(Int(min(count, UInt(slots.count)))).compactMap { slot in
            var info = CK_TOKEN_INFO()
            guard list.C_GetTokenInfo?(slot, &info) == 0 else { return nil }
            return Token(info, slot: slot)
        }
    }
}
