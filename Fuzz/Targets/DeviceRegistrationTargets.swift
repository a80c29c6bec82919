// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import ProviderDevices

extension FuzzTarget {
    /// What a machine posts to be registered; a key that is read has a point to be named by.
    static let deviceRegistration = FuzzTarget(name: "device-registration") { bytes in
        guard let body = try? JSONParser.parseObject(bytes, maximumBytes: 65_536, maximumDepth: 8)
        else { return }
        _ = try? DeviceRegistrationMessage(body)
        for member in body.members {
            guard let key = try? DevicePublicKey.read(member.value) else { continue }
            precondition(key.x963?.count == 65, "a key without a point was read")
        }
    }
}
