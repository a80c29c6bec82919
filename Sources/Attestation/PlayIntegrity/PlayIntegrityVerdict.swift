// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// The payload of a Play Integrity token, decoded but not verified (Android Developers, "Integrity
/// verdicts"). Unknown members are ignored; unknown labels are preserved.
package struct PlayIntegrityVerdict: Sendable {
    /// `requestDetails`: the request to which the verdict belongs.
    package struct Request: Sendable {
        package let packageName: String
        /// The nonce of a classic request, Base64url as the app sent it.
        package let nonce: String?
        /// The hash of a standard request.
        package let requestHash: String?
        package let time: Timestamp
    }

    /// `appIntegrity`. All members except the verdict are absent if that is `UNEVALUATED`.
    package struct App: Sendable {
        /// `PLAY_RECOGNIZED`, `UNRECOGNIZED_VERSION`, `UNEVALUATED`.
        package let recognition: String
        package let packageName: String?
        package let fingerprints: [CertificateFingerprint?]
        package let versionCode: Int64?
    }

    package let request: Request
    package let app: App
    /// `deviceIntegrity.deviceRecognitionVerdict`: `MEETS_DEVICE_INTEGRITY` and others; empty if
    /// the device satisfies none.
    package let deviceLabels: [String]
    /// `accountDetails.appLicensingVerdict`: `LICENSED`, `UNLICENSED`, `UNEVALUATED`.
    package let licensing: String?
    /// `testingDetails.isTestingResponse`: a response that a tester chose.
    package let isTestingResponse: Bool

    package static let maximumBytes = 32_768

    package init(json: [UInt8]) throws(AttestationRefusal) {
        let object: JSONObject
        do { object = try JSONParser.parseObject(json, maximumBytes: Self.maximumBytes) } catch {
            throw AttestationRefusal(.evidenceMalformed, "the verdict is not JSON: \(error.code)")
        }
        request = try Self.request(object["requestDetails"])
        app = try Self.app(object["appIntegrity"])
        let device = object["deviceIntegrity"]?["deviceRecognitionVerdict"]
        deviceLabels = try Self.labels(device)
        licensing = object["accountDetails"]?["appLicensingVerdict"]?.string
        // A malformed marker is treated as present.
        isTestingResponse =
            object["testingDetails"].map { $0["isTestingResponse"] != false } ?? false
    }

    private static func request(_ value: JSONValue?) throws(AttestationRefusal) -> Request {
        guard let value, let packageName = value["requestPackageName"]?.string,
            let milliseconds = number(value["timestampMillis"])
        else { throw malformed("requestDetails") }
        return Request(
            packageName: packageName, nonce: value["nonce"]?.string,
            requestHash: value["requestHash"]?.string,
            time: Timestamp(milliseconds: milliseconds))
    }

    private static func app(_ value: JSONValue?) throws(AttestationRefusal) -> App {
        guard let value, let recognition = value["appRecognitionVerdict"]?.string else {
            throw malformed("appIntegrity")
        }
        let digests = try labels(value["certificateSha256Digest"])
        return App(
            recognition: recognition, packageName: value["packageName"]?.string,
            fingerprints: digests.map { CertificateFingerprint(unpadded($0)) },
            versionCode: number(value["versionCode"]))
    }

    private static func labels(_ value: JSONValue?) throws(AttestationRefusal) -> [String] {
        guard let value else { return [] }
        guard let labels = value.strings else { throw malformed("a list of labels") }
        return labels
    }

    /// Reads a 64-bit number, which is a string in Google's JSON and a number in older responses.
    private static func number(_ value: JSONValue?) -> Int64? {
        value?.integer ?? value?.string.flatMap { Int64($0) }
    }

    private static func malformed(_ what: String) -> AttestationRefusal {
        AttestationRefusal(.evidenceMalformed, "the verdict: \(what)")
    }

    /// Returns Base64url without the padding that some libraries write.
    static func unpadded(_ text: String) -> String {
        var text = text
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }
}
