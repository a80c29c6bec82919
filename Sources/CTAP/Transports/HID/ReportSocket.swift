// SPDX-License-Identifier: Apache-2.0
import Platform

/// Connects to a Unix socket that carries reports: in packets, or else as a stream.
enum ReportSocket {
    static func connect(
        _ path: String
    ) throws(TransportError) -> (descriptor: Descriptor, framing: FileReportStream.Framing) {
        do throws(PlatformError) {
            if UnixSocket.hasPackets, let socket = try packets(path) { return (socket, .plain) }
            // A listener with a full queue must not block the caller's thread.
            return (try UnixSocket.connect(path, isNonBlocking: true), .numbered)
        } catch {
            switch error.code {
            case .nameTooLong: throw .tooLong
            case .connectionRefused: throw .removed
            default: throw FileReportStream.failure(error.code)
            }
        }
    }

    /// `nil` for a stream.
    private static func packets(_ path: String) throws(PlatformError) -> Descriptor? {
        do throws(PlatformError) {
            return try UnixSocket.connect(path, .packets, isNonBlocking: true)
        } catch {
            guard error.code == .wrongProtocolType else { throw error }
            return nil
        }
    }
}
