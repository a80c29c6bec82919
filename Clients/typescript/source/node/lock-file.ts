// SPDX-License-Identifier: Apache-2.0
// Locks of processes that share a directory. A lock is a file with the process identifier of its
// holder. The lock of a process that has ended is removed by the next one. Two holders at once,
// which a crash at the wrong moment could allow, do no harm: a bound refresh token repeats its
// successor, and records are replaced whole.
import { link, open, readFile, rename, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { kill, pid } from "node:process";
import { encode, random, utf8 } from "../core/bytes.js";
import { ProcessLocks } from "../core/memory.js";
import type { CryptoProvider, Locks } from "../core/seams.js";

/** Milliseconds between two attempts. */
const pause = 20;
/** A holder updates its file this often; an older file is of a process that has ended. */
const heartbeat = 5_000;
const greatestAge = 30_000;

const hasCode = (error: unknown, code: string): boolean =>
  (error as { code?: unknown } | null)?.code === code;

const ignoring = (promise: Promise<unknown>): Promise<unknown> => promise.catch(() => {});

function isRunning(process: number): boolean {
  try { return kill(process, 0); } catch (error) { return hasCode(error, "EPERM"); }
}

export class FileLocks implements Locks {
  readonly #inProcess = new ProcessLocks();

  constructor(private readonly directory: string, private readonly crypto: CryptoProvider) {}

  with<T>(name: string, signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T> {
    return this.#inProcess.with(name, signal, async () => {
      const path = await this.#acquire(name, signal);
      const timer = setInterval(() => {
        void ignoring(utimes(path, new Date(), new Date()));
      }, heartbeat);
      try { return await body(); } finally {
        clearInterval(timer);
        await ignoring(unlink(path));
      }
    });
  }

  async #acquire(name: string, signal: AbortSignal | undefined): Promise<string> {
    const digest = new Uint8Array(await this.crypto.subtle.digest("SHA-256", utf8(name)));
    const path = join(this.directory, `${encode(digest)}.lock`);
    // Written first and linked then, so that a lock always has its content.
    const own = `${path}.${random(this.crypto, 6)}`;
    const file = await open(own, "w", 0o600);
    await file.writeFile(String(pid));
    await file.close();
    try {
      for (;;) {
        if (signal?.aborted) throw Object.assign(new Error("aborted"), { name: "AbortError" });
        try { await link(own, path); return path; } catch (error) {
          if (!hasCode(error, "EEXIST")) throw error;
        }
        const holder = await readFile(path, "utf8").catch(() => "");
        if (await this.#isAbandoned(path, holder)) await ignoring(this.#discard(path, own, holder));
        else await new Promise((done) => { setTimeout(done, pause); });
      }
    } finally { await ignoring(unlink(own)); }
  }

  async #isAbandoned(path: string, holder: string): Promise<boolean> {
    if (holder === "") return false;
    if (!isRunning(Number(holder))) return true;
    try { return Date.now() - (await stat(path)).mtimeMs > greatestAge; } catch { return false; }
  }

  /** Removes the lock of that holder; one that another process has taken since is restored. */
  async #discard(path: string, own: string, holder: string): Promise<void> {
    const aside = `${own}.old`;
    await rename(path, aside);
    if (await readFile(aside, "utf8") !== holder) await ignoring(link(aside, path));
    await unlink(aside);
  }
}
