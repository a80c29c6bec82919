// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import WebAuthn

/// What `gatehouse inspect attestation` says about one input. The members of the input are
/// described in docs/attestation.md; `format` decides which are read.
package enum AttestationInspection {
    /// The verdict on an input.
    package enum Verdict: Sendable, Equatable {
        case accepted(JSONValue)
        case refused(AttestationRefusal)
        /// The input is not what the command reads.
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

    /// - Parameter clock: Asked when the input has no `now`.
    package static func verdict(
        for input: JSONValue, clock: any WallClock
    ) async -> Verdict {
        guard let format = input["format"]?.string.flatMap({ Format(rawValue: $0) }) else {
            let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
            return .badInput("\"format\" must be one of \(names)")
        }
        do throws(InspectionError) {
            let fields = InspectionFields(input, clock: clock)
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

/// Why an inspection has no value.
enum InspectionError: Error {
    case badInput(String)
    case refused(AttestationRefusal)

    /// Reads evidence; a refusal of it is the verdict.
    static func refusing<Value>(
        _ read: () throws(AttestationRefusal) -> Value
    ) throws(InspectionError) -> Value {
        do { return try read() } catch { throw .refused(error) }
    }
}

extension AttestationVerifier {
    /// ``verify(_:expecting:)`` with a refusal thrown as the verdict.
    func inspect(
        _ evidence: Evidence, _ expectation: AttestationExpectation
    ) async throws(InspectionError) -> Verified {
        do throws(AttestationRefusal) {
            return try await check(evidence, expecting: expectation)
        } catch { throw .refused(error) }
    }
}
