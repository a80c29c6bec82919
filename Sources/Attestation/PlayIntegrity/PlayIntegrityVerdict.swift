// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// The payload of a Play Integrity token, read but not judged (Android Developers, "Integrity
/// verdicts"). What newer versions add is skipped; labels that we do not know are kept.
package struct PlayIntegrityVerdict: Sendable {
    /// `requestDetails`: whether the rest is an answer to our question.
    package struct Request: Sendable {
        package let packageName: String
        /// Of a classic request, base64url as the app sent it.
        package let nonce: String?
        /// Of a standard request.
        package let requestHash: String?
        package let time: Timestamp
    }

    /// `appIntegrity`. All but the verdict is absent when that is `UNEVALUATED`.
    package struct App: Sendable {
        /// `PLAY_RECOGNIZED`, `UNRECOGNIZED_VERSION`, `UNEVALUATED`.
        package let recognition: String
        package let packageName: String?
        package let fingerprints: [CertificateFingerprint?]
        package let versionCode: Int64?
    }

    package let request: Request
    package let app: App
    /// `deviceIntegrity.deviceRecognitionVerdict`: `MEETS_DEVICE_INTEGRITY` and others; empty when
    /// the device has nothing to show.
    package let deviceLabels: [String]
    /// `accountDetails.appLicensingVerdict`: `LICENSED`, `UNLICENSED`, `UNEVALUATED`.
    package let licensing: String?
    /// `testingDetails.isTestingResponse`: a response that a tester chose.
    package let isTestingResponse: Bool

    package static let maximumBytes = 32_768

    package init(json: [UInt8]) throws(AttestationRefusal) {
        let object: JSONObject
        do { object = try JSONParser.parseObject(json, maximumBytes: Self.maximumBytes) } catch {
            throw AttestationRefusal(.evidenceMalformed, "the verdict is no JSON: \(error.code)")
        }
        request = try Self.request(object["requestDetails"])
        app = try Self.app(object["appIntegrity"])
        let device = object["deviceIntegrity"]?["deviceRecognitionVerdict"]
        deviceLabels = try Self.labels(device)
        licensing = object["accountDetails"]?["appLicensingVerdict"]?.string
        // A mark that is not understood counts as one.
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

    /// 64-bit numbers are strings in JSON of Google's, and numbers in older answers.
    private static func number(_ value: JSONValue?) -> Int64? {
        value?.integer ?? value?.string.flatMap { Int64($0) }
    }

    private static func malformed(_ what: String) -> AttestationRefusal {
        AttestationRefusal(.evidenceMalformed, "the verdict: \(what)")
    }

    /// Base64url with or without the padding that some libraries write.
    static func unpadded(_ text: String) -> String {
        var text = text
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }
}
