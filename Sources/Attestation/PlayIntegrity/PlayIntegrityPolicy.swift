// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a project demands of a Play Integrity verdict. Strict unless it says otherwise.
package struct PlayIntegrityPolicy: Sendable {
    /// The applications that may register.
    package var applications: [AndroidApplication]
    /// Labels that the device must have, all of them.
    package var deviceLabels: Set<String> = ["MEETS_DEVICE_INTEGRITY"]
    /// Whether Google Play must know this version of the app. Without it, versions that were not
    /// installed from there may register, and so may an app that was not evaluated at all.
    package var requiresRecognizedApp = true
    /// Whether the account must have got the app from Google Play.
    package var requiresLicence = false
    /// Whether responses that a tester chose count. For development.
    package var acceptsTestingResponses = false
    /// How old a verdict may be.
    package var maximumAge = TimeSpan.minutes(5)
    /// How far Google's clock may be ahead of ours.
    package var clockSkew = TimeSpan.seconds(10)

    package init(applications: [AndroidApplication]) { self.applications = applications }

    /// First of all: the verdict answers our question, about our app, just now.
    func check(
        request: PlayIntegrityVerdict.Request, _ expectation: AttestationExpectation
    ) throws(AttestationRefusal) {
        guard applications.contains(where: { $0.packageName == request.packageName }) else {
            throw AttestationRefusal(.applicationMismatch, "asked by \(request.packageName)")
        }
        // Exactly one: a verdict that has both leaves open which one was asked for.
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

    /// The application of ours, or `nil` when the app was not evaluated and that may be.
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
        // An emulator has labels of its own; only who asks for it by name takes it.
        let emulated = "MEETS_VIRTUAL_INTEGRITY"
        guard !verdict.deviceLabels.contains(emulated) || deviceLabels.contains(emulated) else {
            throw AttestationRefusal(.deviceNotRecognized, "an emulator")
        }
    }
}
