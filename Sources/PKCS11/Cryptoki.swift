// SPDX-License-Identifier: Apache-2.0

/// The numbers of PKCS#11 2.40 that are used here, under the specification's names.
enum Cryptoki {
    /// `CKR_…`, section 5.1
    enum Code {
        static let attributeSensitive: UInt = 0x11
        static let attributeTypeInvalid: UInt = 0x12
        static let deviceRemoved: UInt = 0x32
        static let functionNotSupported: UInt = 0x54
        static let pinIncorrect: UInt = 0xA0
        static let pinInvalid: UInt = 0xA1
        static let pinLength: UInt = 0xA2
        static let pinLocked: UInt = 0xA4
        static let tokenNotPresent: UInt = 0xE0
        static let tokenNotRecognized: UInt = 0xE1
        static let alreadyLoggedIn: UInt = 0x100
        static let alreadyInitialized: UInt = 0x191
    }

    /// `CKA_…`, section 4
    enum AttributeType {
        static let objectClass: UInt = 0x0
        static let token: UInt = 0x1
        static let isPrivate: UInt = 0x2
        static let label: UInt = 0x3
        static let value: UInt = 0x11
        static let certificateType: UInt = 0x80
        static let keyType: UInt = 0x100
        static let id: UInt = 0x102
        static let sensitive: UInt = 0x103
        static let sign: UInt = 0x108
        static let verify: UInt = 0x10A
        static let derive: UInt = 0x10C
        static let valueLength: UInt = 0x161
        static let extractable: UInt = 0x162
        static let curve: UInt = 0x180
        static let point: UInt = 0x181
        static let alwaysAuthenticate: UInt = 0x202
    }

    /// `CKO_…`
    enum ObjectClass {
        static let certificate: UInt = 1
        static let publicKey: UInt = 2
        static let privateKey: UInt = 3
        static let secretKey: UInt = 4
    }

    /// `CKM_…`, "PKCS #11 Current Mechanisms" 2.40 sections 2.1 and 2.3
    enum Mechanism {
        static let rsaPKCS1: UInt = 0x1
        static let makeEllipticCurveKey: UInt = 0x1040
        static let ecdsa: UInt = 0x1041
        static let ecdh: UInt = 0x1050
    }

    /// `CKF_…` of a token
    enum TokenFlag {
        static let pinPad: UInt = 1 << 8
        static let initialized: UInt = 1 << 10
        static let pinCountLow: UInt = 1 << 16
        static let pinFinalTry: UInt = 1 << 17
        static let pinLocked: UInt = 1 << 18
    }

    /// `CKU_USER` and `CKU_CONTEXT_SPECIFIC`
    enum User {
        static let user: UInt = 1
        static let contextSpecific: UInt = 2
    }

    /// `CKF_OS_LOCKING_OK`
    static let systemLocks: UInt = 2
    /// `CKF_SERIAL_SESSION | CKF_RW_SESSION`, and the first alone.
    static let writingSession: UInt = 6
    static let readingSession: UInt = 4
    /// `CKK_GENERIC_SECRET`
    static let genericSecret: UInt = 0x10
    /// `CKD_NULL`
    static let noDerivation: UInt = 1
    /// `CKC_X_509`
    static let x509: UInt = 0
    /// `CK_UNAVAILABLE_INFORMATION`
    static let unavailable = UInt.max
}
