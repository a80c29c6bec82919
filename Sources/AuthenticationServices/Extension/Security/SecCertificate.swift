// SPDX-License-Identifier: Apache-2.0

/// A certificate, as its DER.
public final class SecCertificate: Hashable, Sendable {
    package let der: [UInt8]

    package init(_ der: [UInt8]) { self.der = der }

    /// Whether they are the same bytes.
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
        left.der == right.der
    }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// A private key with its certificate.
public final class SecIdentity: Sendable {
    let key: SecKey
    let certificate: SecCertificate

    init(_ key: SecKey, _ certificate: SecCertificate) {
        self.key = key
        self.certificate = certificate
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificate of that DER; `nil` unless the bytes are one DER sequence, whole.
public func SecCertificateCreateWithData(
    _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? {
    let bytes = Array(data)
    guard bytes.count >= 4, bytes[0] == 0x30 else { return nil }
    let width = bytes[1] & 0x80 == 0 ? 0 : Int(bytes[1] & 0x7F)
    guard width <= 3, bytes.count >= 2 + width else { return nil }
    let length = width == 0 ? Int(bytes[1]) : bytes[2..<(2 + width)].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 2 + width + length ? SecCertificate(bytes) : nil
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The DER of a certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    CFData(certificate.der)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificate of an identity.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificate.pointee = identity.certificate
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The private key of an identity.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity, _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    key.pointee = identity.key
    return errSecSuccess
}
