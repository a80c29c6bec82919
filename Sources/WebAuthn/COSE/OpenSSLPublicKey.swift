// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A public key on a curve that swift-crypto lacks, or supports at half the speed (P-521), verified
/// by the system's libcrypto.
///
/// OpenSSL's object is created once, which also checks that the point is on the curve. For P-521
/// that costs 20 µs, and a verification 450. Decoding a `SubjectPublicKeyInfo` would cost ten times
/// as much.
struct OpenSSLPublicKey: Sendable, Equatable {
    private enum Curve: Sendable {
        case secp256k1, p521, ed448
    }

    /// OpenSSL's object, freed with the last value that has it.
    ///
    /// `@unchecked Sendable`: it is complete before it is shared, and this code never changes it
    /// afterwards. While OpenSSL verifies, it adds the provider's form of the key under the
    /// object's own lock (openssl-threads(7): several threads may use an object at once for
    /// operations that do not change it).
    private final class Object: @unchecked Sendable {
        let key: OpaquePointer

        init(_ key: OpaquePointer) { self.key = key }

        deinit { EVP_PKEY_free(key) }
    }

    private let curve: Curve
    private let object: Object
    /// The uncompressed point (SEC 1 section 2.3.3), or for Ed448 the encoding of RFC 8032.
    private let point: [UInt8]

    /// `nil` when the point is not on the curve (SEC 2 section 2.4.1).
    static func secp256k1(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) -> OpenSSLPublicKey? {
        OpenSSLPublicKey(.secp256k1, [0x04] + x + y)
    }

    /// `nil` when the point is not on the curve (FIPS 186-4 section D.1.2.5).
    static func p521(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) -> OpenSSLPublicKey? {
        OpenSSLPublicKey(.p521, [0x04] + x + y)
    }

    /// RFC 8032 section 5.2.2. Does not check that the point is on the curve.
    static func ed448(_ point: [UInt8]) -> OpenSSLPublicKey? { OpenSSLPublicKey(.ed448, point) }

    /// Clears the thread's error queue, which other users of the library read.
    private init?(_ curve: Curve, _ point: [UInt8]) {
        defer { ERR_clear_error() }
        let made =
            switch curve {
            case .secp256k1: Self.ellipticCurveKey("secp256k1", point)
            case .p521: Self.ellipticCurveKey("P-521", point)
            case .ed448: EVP_PKEY_new_raw_public_key(EVP_PKEY_ED448, nil, point, point.count)
            }
        guard let made else { return nil }
        (self.curve, self.point, object) = (curve, point, Object(made))
    }

    static func == (left: OpenSSLPublicKey, right: OpenSSLPublicKey) -> Bool {
        left.curve == right.curve && left.point == right.point
    }

    /// ECDSA with the hash of the curve's algorithm, the signature in DER; or EdDSA.
    func isValid(signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, digest, nil, object.key) == 1 else {
            return false
        }
        return signature.withUnsafeBufferPointer { signature in
            message.withUnsafeBufferPointer { message in
                EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress,
                    message.count) == 1
            }
        }
    }

    /// The hash that is signed; `nil` where the message itself is.
    private var digest: OpaquePointer? {
        switch curve {
        case .secp256k1: EVP_sha256()
        case .p521: EVP_sha512()
        case .ed448: nil
        }
    }

    /// The parameters that define a public key.
    private static let curveAndPoint =
        OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY

    /// - Parameter group: OpenSSL's name of the curve. OpenSSL checks that the point is on it.
    private static func ellipticCurveKey(
        _ group: String, _ point: [UInt8]
    ) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        var made: OpaquePointer?
        let done = withParameters(group, point) {
            EVP_PKEY_fromdata(context, &made, curveAndPoint, $0)
        }
        return done == 1 ? made : nil
    }

    /// Calls `body` with parameters for a point. OpenSSL's parameters only point to their names and
    /// values, so these are valid during the call only.
    private static func withParameters<Result>(
        _ group: String, _ point: [UInt8],
        _ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Result
    ) -> Result {
        var (group, point) = (Array(group.utf8CString), point)
        return OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
            OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                group.withUnsafeMutableBufferPointer { group in
                    point.withUnsafeMutableBufferPointer { point in
                        // A length of 0 means that the text ends with a zero.
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(groupName, group.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(
                                pointName, point.baseAddress, point.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        return body(&parameters)
                    }
                }
            }
        }
    }
}
