// SPDX-License-Identifier: Apache-2.0
import Primitives

/// An `application/x-www-form-urlencoded` message, parsed strictly.
///
/// One value per parameter (RFC 6749 section 3.1 forbids more), UTF-8 only, no NUL, bounded.
package struct FormParameters: Sendable, Equatable {
    package static let mediaType = "application/x-www-form-urlencoded"
    /// More parameters than this are refused.
    package static let maximumCount = 256

    package private(set) var values: [String: String] = [:]

    package init() {}

    package init(_ bytes: [UInt8]) throws(FormError) {
        var index = bytes.startIndex
        var count = 0
        while index < bytes.endIndex {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            let pair = bytes[index..<end]
            index = end + 1
            guard !pair.isEmpty else { continue }
            count += 1
            guard count <= Self.maximumCount else { throw FormError.tooManyParameters }
            try add(pair)
        }
    }

    package subscript(_ name: String) -> String? { values[name] }

    private mutating func add(_ pair: ArraySlice<UInt8>) throws(FormError) {
        let equals = pair.firstIndex(of: UInt8(ascii: "="))
        let name = try Self.decode(pair[..<(equals ?? pair.endIndex)])
        let value = try Self.decode(equals.map { pair[($0 + 1)...] } ?? [])
        guard values.updateValue(value, forKey: name) == nil else {
            throw FormError.repeated(parameter: name)
        }
    }

    /// Undoes percent-encoding and plus signs.
    package static func decode(_ bytes: ArraySlice<UInt8>) throws(FormError) -> String {
        guard let text = PercentEncoding.decode(form: bytes) else { throw .badEncoding }
        return text
    }
}

/// A form that is refused, with a sentence for the sender.
package enum FormError: Error, Sendable, Equatable {
    case wrongContentType
    case tooManyParameters
    case repeated(parameter: String)
    case badEncoding

    package var message: String {
        switch self {
        case .wrongContentType: "Send the parameters as \(FormParameters.mediaType)."
        case .tooManyParameters: "Send at most \(FormParameters.maximumCount) parameters."
        case .repeated: "A parameter was sent more than once; send each once."
        case .badEncoding: "The parameters are not percent-encoded UTF-8 without NUL."
        }
    }
}
