// SPDX-License-Identifier: Apache-2.0
// A page that uses every call of the browser client. It is compiled, and never run.
import {
  AccessToken, ApprovalEnrollment, ApprovalOutcome, ApprovalRequest, Approvals, BrowserOutcome,
  BrowserRequestOptions, Claims, ClientConfiguration, Consumption, CredentialProvider,
  CurrentEntitlements, CustomAnswer, CustomChallenge, CustomIdentityProvider, CustomPayload, Device, DeviceSession, ErrorCode,
  ErrorDomain, IdentityClient, IdentityClientEvents, IdentityError, LeavingOutcome,
  PendingRegistration, Profile, Registration, RegistrationChallenge, RegistrationOptions,
  RegistrationRequest, RequestAuthorizing, ServiceSession, Session, SignOutScope, WebHandoff, deviceKey,
  registrationScope, signedJWT, testKey, usualScopes,
} from "./gatehouse.js";

const configuration: ClientConfiguration = {
  issuer: "https://login.example.com", clientID: "notes", scopes: [...usualScopes, "email"],
  redirectURI: "https://notes.example.com/", installationName: "Firefox", timeoutSeconds: 20,
};
const smallest: ClientConfiguration = { issuer: "https://login.example.com", clientID: "notes" };
const client = new IdentityClient(configuration);
const scope: "registration" = registrationScope;

export async function registering(signal: AbortSignal): Promise<Profile> {
  const options: RegistrationOptions = { idempotencyKey: crypto.randomUUID(), signal };
  const jwt: CredentialProvider = signedJWT(
    async (challenge?: RegistrationChallenge) => challenge?.nonce ?? "");
  const test = testKey({
    keyID: "k", privateKey: "-----BEGIN", subject: "anna", attributes: { "custom:set": "gold" },
  });
  const own: RegistrationRequest = {
    method: "customOneStep",
    evidence: async ({ method, nonce, audience, binding }) =>
      ({ identity_provider: method, data: nonce + audience + String(binding.byteLength) }),
  };
  const token: string = await jwt.credential();
  const made: Registration = await client.register(jwt, options);
  await client.register(test);
  await client.register(own, { signal });
  const pending: PendingRegistration[] = await client.pendingRegistrations();
  for (const { idempotencyKey, method } of pending) console.log(idempotencyKey, method);
  await client.registerInstallation();
  await client.registerInstallation(made.profile.id, options);
  console.log(token, made.isNewProfile, made.method, made.idempotencyKey, scope);
  return made.profile;
}

export async function byServiceOfOnesOwn(signal: AbortSignal): Promise<string> {
  const all: CustomIdentityProvider[] = await client.identityProviders();
  const answer: CustomAnswer = async ({ identityProvider, stage, payload }: CustomChallenge) => {
    const said: CustomPayload | undefined = payload;
    return stage === "start" ? identityProvider.name : said?.data;
  };
  const options: RegistrationOptions = { idempotencyKey: crypto.randomUUID(), signal };
  const made = await client.registerWith(all[0]?.id ?? "badge", answer, options);
  await client.registerWith("badge", () => null);
  await client.registerWith("badge", () => {});
  return `${all[0]?.method} ${made.providerAnswer?.status} ${made.providerAnswer?.data}`;
}

export async function unasked(profile: Profile, signal: AbortSignal): Promise<Response> {
  const alone: Session = await client.implicitSession(profile.id, { scopes: ["openid"], signal });
  await client.implicitSession(undefined, { scopes: ["openid"] });
  const device: Device = client.device;
  const own: DeviceSession = await device.session();
  await device.session({ scopes: ["weather"], profileID: profile.id, signal });
  const holders: RequestAuthorizing[] = [alone, own];
  for (const holder of holders) console.log((await holder.accessToken()).scopes);
  const handoff: WebHandoff = await alone.webHandoff("https://shop.example.com/account");
  await alone.webHandoff(new URL(handoff.url));
  const ledger: ServiceSession = await alone.exchange("ledger", { scopes: ["profile"], signal });
  await ledger.fetch("https://ledger.example/");
  await alone.exchange("ledger");
  console.log(handoff.expiresAt.getTime());
  return own.fetch("https://api.example.com/weather");
}

export async function mayDo(session: Session): Promise<number> {
  const now: CurrentEntitlements = await session.currentEntitlements();
  const flag: boolean | number | undefined = now.effective["export"];
  const changes: Date | undefined = now.sequence?.changesAt;
  console.log(flag, changes, now.sequence?.name, now.sequence?.startedAt, now.set);
  const used: Consumption = await session.consume("sms", {
    amount: 2, idempotencyKey: crypto.randomUUID(),
  });
  client.addEventListener("entitlementschanged", ({ detail }) => console.log(detail.profile.id));
  return used.remaining + used.amount + used.name.length + (now.expendable["sms"] ?? 0);
}

export async function approving(signal: AbortSignal): Promise<ApprovalOutcome | undefined> {
  const approvals: Approvals = client.approvals;
  await approvals.enroll();
  await approvals.enroll("a", { pushToken: "b" });
  const enrolled: ApprovalEnrollment | null = await approvals.enrollment();
  console.log(enrolled?.enrolledAt.getTime(), enrolled?.hasPushToken);
  const waiting: ApprovalRequest[] = await approvals.pending();
  waiting.push(await approvals.resolve("BCDF-GHJK", "a"));
  addEventListener("focus", () => approvals.received());
  for await (const request of approvals.requests(undefined, { signal })) {
    const { clientID, clientName, message, transactionText, createdAt, expiresAt } = request;
    console.log(clientID, message, transactionText, createdAt < expiresAt, request.nonce);
    const told = await approvals.handle(request, async () => confirm(clientName));
    if (told === "denied") return told;
    return approvals.handle(request, ({ profile }) => profile.hasSignInKey);
  }
  await approvals.unenroll();
  return undefined;
}

export async function overThePage(): Promise<Session | null> {
  const wishes: BrowserRequestOptions = {
    persistence: "ephemeral",
    scopes: ["openid"], redirectURI: "https://notes.example.com/", returnTo: location.href,
    prompt: "login", loginHint: "anna", acrValues: ["phr"], maxAge: 60, uiLocales: ["de"],
  };
  const outcome: BrowserOutcome | null = await client.completeInBrowser();
  if (outcome) {
    console.log(outcome.profile.username, outcome.isNewProfile, outcome.returnTo);
    return outcome.session;
  }
  const address: string = await client.browserRequest(wishes);
  await client.completeInBrowser(address);
  await client.browserRequest();
  return client.registerInBrowser(wishes);
}

export async function sessions(profile: Profile, signal: AbortSignal): Promise<number> {
  const known: Profile[] = await client.profiles();
  let session: Session = await client.session();
  session = await client.session(known[0]?.id ?? profile.id);
  session = await client.signIn();
  session = await client.signIn(deviceKey, { profileID: profile.id, signal });
  session = await client.signIn(signedJWT(() => "a.b.c"));
  const token: AccessToken = await session.accessToken();
  await session.accessToken({ validFor: 60 });
  await session.refresh();
  const claims: Claims | undefined = session.claims;
  const amr: unknown = claims?.["amr"];
  const entitlements = await session.entitlements();
  const limit: boolean | number | undefined = entitlements?.["notes"];
  const answer: Response = await session.fetch("/notes", { method: "POST", body: "milk" });
  await session.fetch(new URL("https://api.example.com/"));
  const request: Request = await session.authorize("https://api.example.com/", { nonce: "n" });
  await fetch(await session.authorize(request));
  console.log(
    token.value, token.expiresAt.getTime(), token.scopes.length, token.isBoundToKey, claims?.sub,
    amr, limit, session.profile.userID, smallest);
  return answer.status;
}

export function shown(profile: Profile): string {
  const when: Date = profile.registeredAt;
  return [
    profile.id, profile.userID, profile.username, when.toISOString(), profile.method,
    profile.installationID ?? "no installation", String(profile.hasSignInKey),
  ].join();
}

export async function leaving(profile: Profile): Promise<void> {
  const scopes: SignOutScope[] = ["thisDevice", "everywhere", "localOnly"];
  for (const scope of scopes) await client.signOut(profile.id, scope);
  await client.signOut();
  const outcome: LeavingOutcome = await client.remove(profile.id);
  if (!outcome.isComplete) console.log(outcome.error.reason);
  await client.remove();
  await client.deleteAccount(profile.id);
  await client.deleteAccount();
  await client.eraseLocalState();
  client.close();
}

export async function errors(): Promise<void> {
  const { issuer, registersApps } = await client.start();
  console.log(issuer, registersApps);
  try {
    await client.session();
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const domain: ErrorDomain = error.domain;
    const code: ErrorCode = error.code;
    if (error.retry === "later") console.log(error.retryAfterSeconds ?? 1);
    if (error.providerAnswer) console.log(error.providerAnswer.status);
    if (error.audience === "developer") console.log(error.name, error.serverCode, error.message);
    console.log(domain, code === "notSignedIn", code === "a code of later", error.reason);
  }
}

export function events(): void {
  const out = ({ detail }: IdentityClientEvents["signedout"]): void => {
    if (detail.reason === "refused") console.log(detail.profile.username);
  };
  client.addEventListener("signedin", ({ detail }) => console.log(detail.profile.id));
  client.addEventListener("signedout", out, { once: true });
  client.addEventListener("refreshfailed", ({ detail }) => {
    const code: ErrorCode = detail.error;
    console.log(code);
  });
  client.removeEventListener("signedin", () => {});
}
