// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform

#if canImport(Glibc)
    import Glibc
#endif

/// The manufacturer's preparation of a TPM: it certifies the endorsement key and stores the
/// certificate in the TPM's memory.
extension SoftwareTPM {
    package enum EndorsementKind: Sendable, CaseIterable {
        case p256, rsa

        fileprivate var index: UInt32 { self == .rsa ? 0x01C0_0002 : 0x01C0_000A }

        /// TCG EK Credential Profile, templates L-1 and L-2.
        fileprivate var template: [UInt8] {
            let policy: [UInt8] = [
                0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xB3, 0xF8, 0x1A, 0x90, 0xCC, 0x8D, 0x46, 0xA5,
                0xD7, 0x24, 0xFD, 0x52, 0xD7, 0x6E, 0x06, 0x52, 0x0B, 0x64, 0xF2, 0xA1, 0xDA, 0x1B,
                0x33, 0x14, 0x69, 0xAA,
            ]
            let zeros = [UInt8](repeating: 0, count: self == .rsa ? 256 : 32)
            let start: [UInt8] =
                [0x00, self == .rsa ? 0x01 : 0x23] + [0x00, 0x0B, 0x00, 0x03, 0x00, 0xB2]
            let cipher: [UInt8] = [0, 6, 0, 128, 0, 0x43, 0, 0x10]
            let end: [UInt8] =
                self == .rsa
                ? [8, 0, 0, 0, 0, 0] + sized(zeros) : [0, 3, 0, 0x10] + sized(zeros) + sized(zeros)
            return start + sized(policy) + cipher + end
        }
    }

    package struct Refused: Error {
        package let code: UInt32
    }

    /// An authorisation area with the password session alone, and no password.
    private static let noPassword: [UInt8] = [0, 0, 0, 9, 0x40, 0, 0, 9, 0, 0, 0, 0, 0]

    /// `TPMT_PUBLIC` of the endorsement key.
    package func endorsementArea(_ kind: EndorsementKind) throws -> [UInt8] {
        let connection = try TPMLine(path)
        let answer = try connection.run(
            0x131,
            be32(0x4000_000B) + Self.noPassword + [0, 4, 0, 0, 0, 0] + sized(kind.template)
                + [0, 0, 0, 0, 0, 0])
        // The handle, the size of the parameters, and the area behind its own.
        let length = Int(answer[8]) << 8 | Int(answer[9])
        _ = try connection.run(0x165, Array(answer[..<4]), isAuthorized: false)
        return Array(answer[10..<(10 + length)])
    }

    /// Leaves bytes where the certificate of that key is looked for.
    package func leave(certificate: [UInt8], of kind: EndorsementKind) throws {
        let connection = try TPMLine(path)
        // ownerWrite, authWrite, ownerRead, authRead, noDA.
        let area =
            be32(kind.index) + [0x00, 0x0B] + be32(0x0206_0006) + [0, 0]
            + [UInt8(certificate.count >> 8), UInt8(certificate.count & 0xFF)]
        _ = try connection.run(
            0x12A, be32(0x4000_0001) + Self.noPassword + [0, 0] + sized(area))
        for start in stride(from: 0, to: certificate.count, by: 512) {
            let part = Array(certificate[start..<min(start + 512, certificate.count)])
            _ = try connection.run(
                0x137,
                be32(0x4000_0001) + be32(kind.index) + Self.noPassword + sized(part)
                    + [UInt8(start >> 8), UInt8(start & 0xFF)])
        }
    }
}

private func sized(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
}

private func be32(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
}

/// A conversation with a software TPM in bytes. Its calls block.
private final class TPMLine {
    private let file: Int32

    init(_ path: String) throws {
        file = try UnixSocket.connect(path).rawValue
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    /// Returns the response after its header.
    func run(_ code: UInt32, _ content: [UInt8], isAuthorized: Bool = true) throws -> [UInt8] {
        let command =
            [0x80, isAuthorized ? 0x02 : 0x01] + be32(UInt32(content.count + 10)) + be32(code)
            + content
        // `TPM_RC_RETRY`: it had something to write first.
        for _ in 0..<4 {
            let answer = try exchange(command)
            let status = answer[6..<10].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if status == 0 { return Array(answer[10...]) }
            guard status == 0x922 else { throw SoftwareTPM.Refused(code: status) }
        }
        throw SoftwareTPM.Refused(code: 0x922)
    }

    private func exchange(_ command: [UInt8]) throws -> [UInt8] {
        guard write(file, command, command.count) == command.count else {
            throw HarnessError("the TPM takes no command: \(errno)")
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &answer, answer.count)
        guard count >= 10 else { throw HarnessError("the TPM does not answer: \(errno)") }
        return Array(answer.prefix(count))
    }
}
