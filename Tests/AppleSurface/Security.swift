// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// developer.apple.com/documentation/security/keychain-services; what is Core Foundation's comes with
// it there. Dictionaries and strings of Core Foundation are Swift's own here: nothing bridges on Linux.

public import Foundation

public typealias CFString = String
public typealias CFDictionary = [CFString: Any]
public typealias CFData = Data
public typealias CFError = NSError
public typealias CFTypeRef = Any
public typealias OSStatus = Int32

// MARK: Items: documentation/security/secitemadd(_:_:) and related pages

public func SecItemAdd(
    _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { errSecSuccess }

public func SecItemCopyMatching(
    _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { errSecSuccess }

public func SecItemUpdate(
    _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus { errSecSuccess }

public func SecItemDelete(_ query: CFDictionary) -> OSStatus { errSecSuccess }

// documentation/security/seccopyerrormessagestring(_:_:)
public func SecCopyErrorMessageString(
    _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? { nil }

// MARK: Names of keys: documentation/security/item-class-keys-and-values, item-attribute-keys-and-values,
// search-attribute-keys-and-values, item-return-result-keys

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrSynchronizable: CFString = "sync"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let kSecMatchLimitAll: CFString = "m_LimitAll"
public let kSecReturnData: CFString = "r_Data"
public let kSecReturnAttributes: CFString = "r_Attributes"
public let kSecValueData: CFString = "v_Data"

// MARK: Result codes: documentation/security/security-framework-result-codes

public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecInteractionNotAllowed: OSStatus = -25_308
public let errSecNotAvailable: OSStatus = -25_291
public let errSecDecode: OSStatus = -26_275

// documentation/security/secaccesscontrolcreatewithflags(_:_:_:_:): a default argument makes it.
public final class SecAccessControl: Sendable { public init() {} }

// MARK: Keys: documentation/security/seckey and related pages

open class SecKey: NSObject {}

public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: CFString
    public init(rawValue: CFString) { self.rawValue = rawValue }

    public static let ecdsaSignatureMessageX962SHA256 = Self(rawValue: "")
    public static let ecdhKeyExchangeStandard = Self(rawValue: "")
}

public let kSecAttrKeyType: CFString = "type"
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
public let kSecAttrKeyClass: CFString = "kcls"
public let kSecAttrKeyClassPublic: CFString = "0"

public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { nil }

public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }
