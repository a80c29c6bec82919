// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The capability vendor identifiers of the TCG TPM Vendor ID Registry, as certificates write them:
/// four characters in hexadecimal. For ``AttestationPolicy/tpmVendors``.
package enum TPMVendors {
    package static let registered: Set<String> = Set(
        [
            "AMD\0", "ANT\0", "ATML", "BRCM", "CSCO", "FLYS", "ROCC", "GOOG", "HPI\0", "HPE\0",
            "HISI", "IBM\0", "IFX\0", "INTC", "LEN\0", "MSFT", "NSM ", "NTZ\0", "NSG\0", "NTC\0",
            "QCOM", "SMSN", "SEAL", "SNS\0", "SMSC", "STM ", "TXN\0", "WEC\0", "SECE", "AMPE",
        ].map(identifier))

    /// `id:` and eight hexadecimal digits in upper case.
    private static func identifier(_ letters: String) -> String {
        "id:" + Hexadecimal.encode(letters.utf8, .upper)
    }
}
