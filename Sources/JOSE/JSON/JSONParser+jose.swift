// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    /// The object of a JSON serialisation.
    ///
    /// - Throws: `tooLarge` or `malformed`.
    static func joseObject(
        _ bytes: [UInt8], maximumBytes: Int
    ) throws(JOSEError) -> JSONObject {
        do { return try parseObject(bytes, maximumBytes: maximumBytes) } catch {
            throw JOSEError(
                error == .tooLarge ? .tooLarge : .malformed, "not a JSON object: \(error.code)")
        }
    }
}
