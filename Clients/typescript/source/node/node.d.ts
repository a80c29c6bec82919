// SPDX-License-Identifier: Apache-2.0
// The part of Node's API that this package uses; the package has no dependency for types.
declare module "node:fs/promises" {
  export interface FileHandle {
    writeFile(data: string | Uint8Array): Promise<void>;
    sync(): Promise<void>;
    close(): Promise<void>;
  }
  export function readFile(path: string): Promise<Uint8Array>;
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function open(path: string, flags: string, mode?: number): Promise<FileHandle>;
  export function rename(from: string, to: string): Promise<void>;
  export function unlink(path: string): Promise<void>;
  export function mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  export function stat(path: string): Promise<{ readonly mtimeMs: number }>;
  export function utimes(path: string, accessed: Date, modified: Date): Promise<void>;
  export function link(from: string, to: string): Promise<void>;
}
declare module "node:path" {
  export function join(...parts: string[]): string;
}
declare module "node:os" {
  export function homedir(): string;
  export function platform(): string;
}
declare module "node:process" {
  export const pid: number;
  export const env: Readonly<Record<string, string | undefined>>;
  export function kill(pid: number, signal: 0): true;
}
declare module "node:crypto" {
  export const webcrypto: unknown;
}
declare module "node:child_process" {
  export interface Child {
    on(event: "error", listener: (error: Error) => void): void;
    unref(): void;
  }
  export function spawn(
    program: string, words: readonly string[], options: { stdio: "ignore"; detached: true },
  ): Child;
}
declare module "node:http" {
  export interface Request { readonly url?: string; readonly method?: string }
  export interface Response {
    writeHead(status: number, headers: Readonly<Record<string, string>>): void;
    end(text: string): void;
  }
  export interface Server {
    listen(port: number, host: string, done: () => void): void;
    address(): { readonly port: number };
    close(): void;
    closeIdleConnections?(): void;
    on(event: "error", listener: (error: Error) => void): void;
  }
  export function createServer(listener: (request: Request, response: Response) => void): Server;
}
