// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import Foundation
import Platform
import Primitives

/// Which key is meant, and where its PIN comes from.
struct SecurityKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the key at this path (GATEHOUSE_SECURITY_KEY) and no other.", valueName: "path"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Read the PIN from this file (or from GATEHOUSE_SECURITY_KEY_PIN) instead of asking.",
            valueName: "file"))
    var pinFile: String?

    private static var environment: [String: String] { ProcessEnvironment.all }

    /// All keys that are connected, or the one that was named, which must be there.
    func source() throws -> any AuthenticatorSource {
        let path = device ?? Self.environment["GATEHOUSE_SECURITY_KEY"]
        if device == "" { throw CommandError("--device requires a path", code: .badInput) }
        if let path, !path.isEmpty, !FileCalls.exists(path) || Self.isFile(path) {
            throw CommandError("no security key at \(path)")
        }
        return ConnectedAuthenticators.source(path: path, random: SystemRandomSource())
    }

    /// A file or a folder, which would answer as a key that is pulled out.
    private static func isFile(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let type = attributes?[.type] as? FileAttributeType
        return type == .typeRegular || type == .typeDirectory
    }

    /// The PIN that a script gave.
    func readPIN() throws -> String? {
        try SecretInput.read(file: pinFile, variable: "GATEHOUSE_SECURITY_KEY_PIN")
    }

    /// Does something with one key; the person is asked at the terminal.
    func withKey<Value: Sendable>(
        _ operation: SecurityKeyOperation,
        _ body:
            @escaping @Sendable (SecurityKey, TerminalInteraction) async throws(SecurityKeyError)
            -> Value
    ) async throws -> Value {
        let source = try source()
        return try await TerminalInteraction.run(operation, pin: try readPIN()) {
            (interaction) async throws(SecurityKeyError) -> Value in
            let client = SecurityKeyClient(
                source: source, interaction: interaction, random: SystemRandomSource())
            return try await client.withKey(operation) { key in
                do throws(SecurityKeyError) {
                    return .success(try await body(key, interaction))
                } catch { return .failure(error) }
            }
        }
    }
}

extension SecurityKeyOptions {
    /// Does something that only the owner of a key may do.
    func administer<Value: Sendable>(
        _ operation: SecurityKeyOperation,
        _ body:
            @escaping @Sendable (SecurityKeyAdministration, TerminalInteraction)
            async throws(SecurityKeyError) -> Value
    ) async throws -> Value {
        try await withKey(operation) {
            (key, interaction) async throws(SecurityKeyError) -> Value in
            try await body(
                SecurityKeyAdministration(
                    key, interaction: interaction, random: SystemRandomSource()),
                interaction)
        }
    }
}

/// A secret from a file or the environment: never from an argument.
enum SecretInput {
    static func read(file: String?, variable: String) throws -> String? {
        guard let file else {
            return ProcessEnvironment.all[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let bytes = try SecretFile.read(file, limit: 4096) else {
            throw CommandError("\(file) does not exist", code: .badInput)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("\(file) is not text", code: .badInput)
        }
        // A line's end is the editor's, not the secret's.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
