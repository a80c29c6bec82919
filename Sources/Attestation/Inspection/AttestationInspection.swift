// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The output of `gatehouse inspect attestation` for one input. docs/attestation.md describes the
/// members of the input; `format` decides which are read.
package enum AttestationInspection {
    /// The result of an input.
    package enum Verdict: Sendable, Equatable {
        case accepted(JSONValue)
        case refused(AttestationRefusal)
        /// The input has the wrong form.
        case badInput(String)
    }

    /// The names of formats.
    package enum Format: String, Sendable, CaseIterable {
        case appAttest = "apple-app-attest"
        case appAttestAssertion = "apple-app-attest-assertion"
        case androidKey = "android-key"
        case playIntegrity = "play-integrity"
        case appleDevice = "apple-device"
        case tpm
        case tpmEndorsement = "tpm-endorsement"
    }

    /// - Parameter clock: Used if the input has no `now`.
    package static func verdict(
        for input: JSONValue, clock: any WallClock
    ) async -> Verdict {
        guard let format = input["format"]?.string.flatMap({ Format(rawValue: $0) }) else {
            let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
            return .badInput("\"format\" must be one of \(names)")
        }
        do throws(InspectionError) {
            let fields = InspectionFields(input.object ?? JSONObject(), clock: clock)
            return .accepted(try await value(format, fields))
        } catch {
            switch error {
            case .badInput(let reason): return .badInput(reason)
            case .refused(let refusal): return .refused(refusal)
            }
        }
    }

    private static func value(
        _ format: Format, _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        switch format {
        case .appAttest: try await appAttest(fields)
        case .appAttestAssertion: try await appAttestAssertion(fields)
        case .androidKey: try await androidKey(fields)
        case .playIntegrity: try await playIntegrity(fields)
        case .appleDevice: try await appleDevice(fields)
        case .tpm: try await tpm(fields)
        case .tpmEndorsement: try await tpmEndorsement(fields)
        }
    }
}

/// The reason why an inspection has no value.
enum InspectionError: Error {
    case badInput(String)
    case refused(AttestationRefusal)

    /// Reads evidence; its refusal becomes the result.
    static func refusing<Value>(
        _ read: () throws(AttestationRefusal) -> Value
    ) throws(InspectionError) -> Value {
        do { return try read() } catch { throw .refused(error) }
    }
}

extension AttestationVerifier {
    /// Calls ``verify(_:expecting:)`` and throws a refusal as the result.
    func inspect(
        _ evidence: Evidence, _ expectation: AttestationExpectation
    ) async throws(InspectionError) -> Verified {
        do throws(AttestationRefusal) {
            return try await check(evidence, expecting: expectation)
        } catch { throw .refused(error) }
    }
}
