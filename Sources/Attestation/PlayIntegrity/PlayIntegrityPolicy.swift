// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A project's policy for Play Integrity verdicts. The defaults are strict.
package struct PlayIntegrityPolicy: Sendable {
    /// The applications that may register.
    package var applications: [AndroidApplication]
    /// The labels that the device must have.
    package var deviceLabels: Set<String> = ["MEETS_DEVICE_INTEGRITY"]
    /// Whether Google Play must recognize this version of the app. If not required, versions from
    /// other sources may register, and so may an app that was not evaluated.
    package var requiresRecognizedApp = true
    /// Whether the account must have installed the app from Google Play.
    package var requiresLicence = false
    /// Whether responses that a tester chose are accepted. For development.
    package var acceptsTestingResponses = false
    /// The maximum age of a verdict.
    package var maximumAge = TimeSpan.minutes(5)
    /// The accepted skew of Google's clock into the future.
    package var clockSkew = TimeSpan.seconds(10)

    package init(applications: [AndroidApplication]) { self.applications = applications }

    /// Checks first that the verdict is recent and belongs to the request and an accepted app.
    func check(
        request: PlayIntegrityVerdict.Request, _ expectation: AttestationExpectation
    ) throws(AttestationRefusal) {
        guard applications.contains(where: { $0.packageName == request.packageName }) else {
            throw AttestationRefusal(.applicationMismatch, "requested by \(request.packageName)")
        }
        // Exactly one: a verdict with both does not show which one was requested.
        let answers = [request.nonce, request.requestHash].compactMap { $0 }
        guard answers.count == 1,
            let answer = Base64URL.decode(PlayIntegrityVerdict.unpadded(answers[0]))
        else { throw AttestationRefusal(.challengeMismatch, "no nonce to read") }
        try expectation.requireChallenge(answer, "the nonce")
        let earliest = expectation.now - maximumAge
        guard earliest <= request.time, request.time <= expectation.now + clockSkew else {
            let age = (expectation.now - request.time).milliseconds
            throw AttestationRefusal(.timestampInvalid, "\(age) milliseconds old")
        }
    }

    /// Returns the accepted application, or `nil` if the app was not evaluated and the policy
    /// allows that.
    func application(
        of verdict: PlayIntegrityVerdict
    ) throws(AttestationRefusal) -> AndroidApplication? {
        let app = verdict.app
        guard acceptsTestingResponses || !verdict.isTestingResponse else {
            throw AttestationRefusal(.testingResponse, "a tester chose the verdict")
        }
        guard !requiresRecognizedApp || app.recognition == "PLAY_RECOGNIZED" else {
            throw AttestationRefusal(.applicationUnrecognized, app.recognition)
        }
        guard !requiresLicence || verdict.licensing == "LICENSED" else {
            throw AttestationRefusal(.licenceMissing, verdict.licensing ?? "no verdict")
        }
        guard app.recognition != "UNEVALUATED" else { return nil }
        guard let name = app.packageName, name == verdict.request.packageName else {
            throw AttestationRefusal(.applicationMismatch, "evaluated another app")
        }
        return try applications.application(named: [name], signedWith: app.fingerprints)
    }

    func check(device verdict: PlayIntegrityVerdict) throws(AttestationRefusal) {
        guard deviceLabels.isSubset(of: verdict.deviceLabels) else {
            throw AttestationRefusal(
                .deviceNotRecognized, "the device has \(verdict.deviceLabels)")
        }
        // An emulator has specific labels, which the policy must list explicitly.
        let emulated = "MEETS_VIRTUAL_INTEGRITY"
        guard !verdict.deviceLabels.contains(emulated) || deviceLabels.contains(emulated) else {
            throw AttestationRefusal(.deviceNotRecognized, "an emulator")
        }
    }
}
