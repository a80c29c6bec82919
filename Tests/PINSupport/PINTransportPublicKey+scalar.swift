// SPDX-License-Identifier: Apache-2.0
package import PIN
import Primitives

extension PINTransportPublicKey {
    /// The public half of a key whose private half the test knows; `nil` if there is none.
    package static func known(_ scalar: [UInt8]) -> PINTransportPublicKey? {
        guard let key = PINTransportKey(scalar: Secret(scalar)) else { return nil }
        return key.publicKey
    }
}
