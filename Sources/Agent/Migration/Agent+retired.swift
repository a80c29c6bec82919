// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives

/// Machines that a migration left behind at the provider: they are taken off it, with the keys that they
/// were known by, and only then are those destroyed.
extension Agent {
    /// In the same step as the migration's end.
    func retire(_ owner: DeviceOwner) {
        guard let device = record.devices.removeValue(forKey: owner),
            let configuration = device.configuration
        else { return }
        record.retired.append(
            RetiredDevice(signing: device.signing, configuration: configuration, since: now))
    }

    /// When ``tellOfRetired()`` is due.
    var nextRetirement: Timestamp? {
        guard !record.retired.isEmpty, !isTellingOfRetired else { return nil }
        guard let failed = retirementFailedAt, failed <= now else { return now }
        return failed + RetiredDevice.retryDelay
    }

    /// Tells the provider, one machine after the other. What it does not know any more is as good as gone.
    func tellOfRetired() async {
        guard let due = nextRetirement, due <= now else { return }
        isTellingOfRetired = true
        defer {
            isTellingOfRetired = false
            changed()
        }
        while let device = record.retired.first {
            guard await isToldOf(device) || now >= device.since + RetiredDevice.patience else {
                retirementFailedAt = now
                return
            }
            record.retired.removeAll { $0 == device }
            do { try await keep() } catch { return }
        }
        retirementFailedAt = nil
    }

    private func isToldOf(_ device: RetiredDevice) async -> Bool {
        guard let serving = configuration.flatMap({ extensions.find($0) }) else { return false }
        let leaving = Unregistration(
            configuration: device.configuration, signing: device.signing, loginUserName: nil)
        do {
            // Extensions that have no way to say so have said all that they can.
            _ = try await serving.registration.unregister(leaving)
            return true
        } catch {
            notices.failed("taking the machine of before off its provider", error)
            return false
        }
    }
}
