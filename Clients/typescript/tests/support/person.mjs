// SPDX-License-Identifier: Apache-2.0
// A person at the provider's pages, without a browser: cookies, redirects, forms.
import { password } from "./provider.mjs";

const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
const text = (html) => html.replace(/&amp;/g, "&").replace(/&quot;/g, '"').replace(/&#39;/g, "'")
  .replace(/&lt;/g, "<").replace(/&gt;/g, ">");

export class Person {
  #cookies = new Map();

  constructor(username) { this.username = username; }

  async #request(url, init = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      ...init, redirect: "manual", headers: { ...init.headers, ...cookie && { cookie } },
    });
    // Debian's Node 18 has no getSetCookie.
    const lines = response.headers.getSetCookie?.()
      ?? (response.headers.get("set-cookie") ?? "").split(/,(?=\s*[^;,=\s]+=)/).filter(Boolean);
    for (const line of lines) {
      const [pair] = line.split(";");
      const [name, ...value] = pair.split("=");
      this.#cookies.set(name.trim(), value.join("="));
    }
    return response;
  }

  /** Forms of a page that contain a field with this name. */
  #form(html, field) {
    return [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([form]) => form)
      .find((form) => form.includes(`name="${field}"`));
  }

  #fields(form) {
    const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag);
    return new URLSearchParams(inputs.filter((tag) => attribute(tag, "type") === "hidden")
      .map((tag) => [attribute(tag, "name"), text(attribute(tag, "value") ?? "")]));
  }

  /** Opens a page and follows it to a URL of the app; signs in where that is asked. */
  async follow(start, { secret = password } = {}) {
    let url = start;
    const { origin } = new URL(start);
    let response = await this.#request(url);
    for (let count = 0; count < 12; count += 1) {
      const location = response.headers.get("location");
      if (location !== null) {
        url = new URL(location, url).href;
        if (new URL(url).origin !== origin) return url;
        response = await this.#request(url);
        continue;
      }
      const html = await response.text();
      const form = this.#form(html, "password");
      if (form === undefined) throw new Error(`${response.status} ${url}: ${html.slice(0, 1500)}`);
      const fields = this.#fields(form);
      if (form.includes('name="username"')) fields.set("username", this.username);
      fields.set("password", secret);
      url = new URL(text(attribute(form, "action") ?? url), url).href;
      response = await this.#request(url, {
        method: "POST", body: fields, headers: { origin, "sec-fetch-site": "same-origin" },
      });
    }
    throw new Error(`no end at ${url}`);
  }
}
