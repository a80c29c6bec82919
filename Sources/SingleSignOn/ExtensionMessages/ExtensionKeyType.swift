// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A key type of the device or the person, with Apple's raw values.
package enum ExtensionKeyType: Int, Sendable, CaseIterable {
    case userDeviceSigning = 1
    case userDeviceEncryption = 2
    case userSecureEnclaveKey = 3
    case sharedDeviceSigning = 4
    case sharedDeviceEncryption = 5
    case currentDeviceSigning = 10
    case currentDeviceEncryption = 11
    case userSmartCard = 20
}

extension JSONValue {
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    static func pairs(_ pairs: [String: String]) -> JSONValue {
        .object(
            JSONObject(
                pairs.sorted { $0.key < $1.key }
                    .map { .init(name: $0.key, value: .string($0.value)) }))
    }
}
