// SPDX-License-Identifier: Apache-2.0
// Headless Chromium by its DevTools protocol over a pipe (--remote-debugging-pipe).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./provider.mjs";

const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

export const needsChromium = program === undefined ? "chromium is not installed" : false;

export class Chromium {
  #next = 1;
  #waiting = new Map();
  #rest = "";

  static async start() {
    const browser = new Chromium();
    browser.directory = await mkdtemp(join(tmpdir(), "gatehouse-chromium-"));
    browser.child = spawn(program, [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio",
      "--lang=en-US", `--user-data-dir=${browser.directory}`, "--remote-debugging-pipe",
      "--disable-popup-blocking", "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { ...process.env, HOME: browser.directory } });
    browser.ended = new Promise((done) => { browser.child.on("exit", done); });
    browser.child.stdio[4].on("data", (data) => browser.#read(String(data)));
    await browser.send("Target.setDiscoverTargets", { discover: true });
    return browser;
  }

  #read(data) {
    const messages = (this.#rest + data).split("\0");
    this.#rest = messages.pop();
    for (const text of messages) {
      const message = JSON.parse(text);
      const waiting = this.#waiting.get(message.id);
      if (waiting === undefined) continue;
      this.#waiting.delete(message.id);
      const { method, resolve, reject } = waiting;
      if (message.error === undefined) resolve(message.result);
      else reject(new Error(`${method}: ${message.error.message}`));
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next;
    this.#next += 1;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => { this.#waiting.set(id, { method, resolve, reject }); });
  }

  async tab(url = "about:blank") {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const tab = await this.#attach(targetId);
    if (url !== "about:blank") await tab.open(url);
    return tab;
  }

  async #attach(targetId) {
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId, targetId);
    await tab.send("Page.enable");
    // WebAuthn needs a page in front.
    await tab.send("Page.bringToFront");
    await tab.send("Emulation.setFocusEmulationEnabled", { enabled: true });
    return tab;
  }

  async targets() {
    const { targetInfos } = await this.send("Target.getTargets");
    return targetInfos.filter(({ type }) => type === "page");
  }

  /** A window that a page opens: the next target that is not in the list. */
  async opened(before) {
    const known = new Set(before.map(({ targetId }) => targetId));
    const target = await until("a window is open", async () =>
      (await this.targets()).find(({ targetId }) => !known.has(targetId)));
    return this.#attach(target.targetId);
  }

  async stop() {
    await Promise.race([this.send("Browser.close").catch(() => {}), this.ended]);
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000);
    await this.ended;
    clearTimeout(timer);
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Tab {
  constructor(browser, sessionId, targetId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.targetId = targetId;
  }

  send(method, params) { return this.browser.send(method, params, this.sessionId); }

  async open(url) {
    await this.send("Page.navigate", { url });
    await until(`${url} is loaded`, () => this.run("return document.readyState === 'complete' && location.href !== 'about:blank';").catch(() => false));
  }

  /** Runs the body of an async function in the page. */
  async run(body, isGesture = false) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression: `(async () => { ${body} })()`, awaitPromise: true, returnByValue: true,
      userGesture: isGesture,
    });
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }

  url() { return this.run("return location.href;"); }

  arrives(part) {
    return until(`the URL contains ${part}`, async () => {
      const url = await this.url().catch(() => "");
      return url.includes(part) && await this.run("return document.readyState;") === "complete";
    }).catch(async (error) => {
      const text = await this.run("return location.href + ' ' + document.body.innerText.slice(0, 400);")
        .catch(() => "");
      throw new Error(`${error.message}: ${text}`);
    });
  }

  has(selector) {
    return until(`an element ${selector}`, () =>
      this.run(`return document.querySelector(${JSON.stringify(selector)}) !== null;`)
        .catch(() => false));
  }

  async type(text, selector) {
    await this.has(selector);
    await this.run(`document.querySelector(${JSON.stringify(selector)}).value = ${JSON.stringify(text)};`);
  }

  async click(selector) {
    await this.has(selector);
    await this.run(`document.querySelector(${JSON.stringify(selector)}).click();`, true)
      .catch((error) => { if (!/navigat|destroyed|closed/i.test(error.message)) throw error; });
  }

  /** A passkey of the device, which consents to everything (WebAuthn section 11). */
  async addAuthenticator() {
    await this.send("WebAuthn.enable");
    const { authenticatorId } = await this.send("WebAuthn.addVirtualAuthenticator", { options: {
      protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true,
      isUserVerified: true, automaticPresenceSimulation: true,
    } });
    return authenticatorId;
  }

  async signIn(username, password) {
    await this.type(username, "[name=username]");
    await this.type(password, "[name=password]");
    await this.click("[data-action=sign-in]");
  }
}
