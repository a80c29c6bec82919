// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Logging
import Platform
import ProviderCore
import ServiceLifecycle
import UnixSignals

/// SIGHUP: certificates, log level and state files are read again. What is not good stays as it
/// was, and the log says why. When the terminal in which a person started the server was closed, it ends.
struct ReloadOnSignal: Service {
    let loader: ConfigurationLoader
    let level: LineLogHandler.Level
    let files: ServedFiles
    let provider: Provider
    /// Asked before SIGHUP is trapped.
    let terminal = OwnTerminal()

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                if terminal?.isClosed == true {
                    provider.log.notice("the terminal was closed; stopping")
                    ProcessSignal.terminate.send(to: CurrentProcess.id)
                } else {
                    await reload()
                }
            }
        }
    }

    private func reload() async {
        do {
            let (configuration, _) = try loader.load()
            level.now = LogOutput.level(configuration)
            do {
                try files.reload()
                try await StateFiles(provider).apply(configuration.apply)
            } catch {
                throw configuration.origins.placed(error)
            }
            provider.log.notice("reloaded")
        } catch {
            provider.log.error("reload failed", metadata: ["error": "\(error)"])
        }
    }
}
