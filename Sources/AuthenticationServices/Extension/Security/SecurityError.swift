// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hands an error out as Core Foundation's functions do.
func fail<Value>(
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ sentence: String
) -> Value? {
    error?.pointee = Unmanaged.passRetained(
        NSError(
            domain: NSOSStatusErrorDomain, code: Int(errSecParam),
            userInfo: [NSLocalizedDescriptionKey: sentence]))
    return nil
}
