import {
	buildAuthorizeUrl,
	buildCodeRequest,
	computeChallenge,
	isSignInRecipe,
	readSignedIn,
	type SignedIn,
	type SignInRecipe,
} from "@tripline/components/auth/authorization-code";
import { requestTokens, TokenRefused } from "@tripline/components/auth/token-endpoint";
import { CredentialName, SignInLink } from "@tripline/contract/credentials";
import { Failed, type Failure } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { identifyCaller } from "@tripline/platform/addresses";
import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import { type Incoming, parseTarget } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { Caller } from "../domain/callers.ts";
import { isSentByForeignPage } from "../forms/foreign.ts";
import { chooseLanguage, type Language } from "../forms/languages.ts";
import type { ExecutorSettings } from "../settings.ts";
import { buildRedirectUrl } from "../sign-in/base-url.ts";
import { type FinishedFlow, SIGN_IN_MS, type SignInFlows, type SignInTarget } from "../sign-in/flows.ts";
import type { CreateSignInLink } from "../sign-in/links.ts";
import { renderDone, renderProblem, renderStart } from "../sign-in/pages.ts";
import type { SignInSessions } from "../sign-in/sessions.ts";
import type { SignInProblem } from "../sign-in/texts.ts";
import type { Revealed, Vault } from "../vault/vault.ts";
import type { RateLimit } from "./rate-limit.ts";

export interface SignInDeps {
	readonly vault: Vault;
	readonly catalogues: Catalogues;
	readonly flows: SignInFlows;
	readonly sessions: SignInSessions;
	readonly send: OutboundHttp["send"];
	readonly clock: Clock;
	readonly settings: Pick<ExecutorSettings, "multiTenant">;
	/** Of pages, by the caller's address. */
	readonly pageRate: RateLimit;
	readonly createLink: CreateSignInLink;
	findBaseUrl(): string | null;
	/** Called when the owner has signed in. */
	onSignedIn(namespace: string, credential: string): void;
	/** Maps an error of a dependency to a failure for the caller; null if the error is unexpected. */
	toFailure(error: unknown): Failure | null;
}

const tag = "Credentials";
const content = { "text/html": z.string() };
const completed = {
	200: { description: "Signed in", content },
	400: { description: "Refused by the service, or not this browser's sign-in", content },
	409: { description: "The credential was changed meanwhile", content },
	502: { description: "The service issued no token", content },
};
const EXCHANGE_TIMEOUT_MS = 30_000;
const MAX_CODE_LENGTH = 4_096;

interface FoundCredential {
	readonly recipe: SignInRecipe;
	/** Whether the tenant wrote the recipe. */
	readonly isOwn: boolean;
	readonly revealed: Revealed;
}

/** Thrown where a page says why it does not go on. */
class SignInFailed extends Error {
	readonly problem: SignInProblem;
	readonly code: string | null;

	constructor(problem: SignInProblem, code: string | null = null) {
		super(problem);
		this.problem = problem;
		this.code = code;
	}
}

/** Signing in at a service as a person (RFC 6749 with PKCE, RFC 7636). */
export function signInRoutes(deps: SignInDeps): Route<Caller>[] {
	const { vault, catalogues, flows, sessions, clock } = deps;
	return [
		route({
			method: "POST",
			path: "/credentials/{name}/sign-in",
			tag,
			summary: "Get a link with which the owner signs in at the service",
			description:
				"For credentials whose auth recipe has the type `oauth2_authorization_code`. The link can be used once, within 10 minutes, in any browser. 409 if the credential has no sign-in, or if BASE_URL is needed and not set.",
			params: z.object({ name: CredentialName }),
			responses: { 201: { description: "The link", body: SignInLink } },
			handle: async ({ caller: { namespace }, params: { name } }) =>
				reply(201, await deps.createLink(namespace, name)),
		}),

		route({
			method: "GET",
			path: "/oauth/start/{ticket}",
			tag,
			open: true,
			summary: "Open a link to sign in",
			description:
				"Says which account will be connected to what. Changes nothing, however often it is opened.",
			params: z.object({ ticket: z.string() }),
			headers: { "Accept-Language": "zh for a page in Traditional Chinese; default English" },
			responses: {
				200: { description: "A page", content },
				410: { description: "The link is unknown, was used or has expired", content },
			},
			handle: ({ params, request }) =>
				answer(request, async (language) => {
					const base = getKnownBase("link");
					const { target, found } = await findStart(params.ticket);
					return renderStart(target, { service: found.recipe.title, base }, language);
				}),
		}),

		route({
			method: "POST",
			path: "/oauth/start/{ticket}",
			tag,
			open: true,
			summary: "Start signing in",
			description:
				"Uses up the link, sets a cookie that only this browser has, and redirects to the service's page.",
			params: z.object({ ticket: z.string() }),
			accepts: { "application/x-www-form-urlencoded": z.unknown().optional() },
			responses: {
				303: { description: "To the service" },
				403: { description: "Sent by a page of another origin", content },
				410: { description: "The link is unknown, was used or has expired", content },
				429: { description: "Too many requests from this address", content },
			},
			handle: ({ params, request }) => answer(request, () => start(request, params.ticket)),
		}),

		route({
			method: "GET",
			path: "/oauth/callback/{auth_recipe}",
			tag,
			open: true,
			summary: "Complete signing in",
			description:
				"The redirect URL to register with the service. Takes `code`, `state`, `iss` and `error` in the query. 400 without the cookie of the browser that started it, and for a state that is unknown, was used or has expired.",
			params: z.object({ auth_recipe: z.string() }),
			responses: completed,
			handle: ({ params, request }) =>
				answer(request, (language) => complete(request, params.auth_recipe, null, language)),
		}),

		route({
			method: "GET",
			path: "/oauth/callback/{auth_recipe}/{namespace}",
			tag,
			open: true,
			summary: "Complete signing in with a tenant's own auth recipe",
			description:
				"The redirect URL in multi-tenant mode for a recipe of the tenant's own: another tenant may have one of the same id.",
			params: z.object({ auth_recipe: z.string(), namespace: z.string() }),
			responses: completed,
			handle: ({ params: { auth_recipe, namespace }, request }) =>
				answer(request, (language) => complete(request, auth_recipe, namespace, language)),
		}),
	];

	async function findStart(ticket: string): Promise<{ target: SignInTarget; found: FoundCredential }> {
		const target = await flows.findTicket(ticket);
		if (target === null) throw new SignInFailed("link");
		return { target, found: await findCredential(target) };
	}

	/** Throws if it was replaced or deleted since the link was created. */
	async function findCredential(target: SignInTarget): Promise<FoundCredential> {
		const { namespace, credential, auth_recipe, put } = target;
		const revealed = await vault.reveal(namespace, credential, { isFresh: true });
		const catalogue = await catalogues.catalogue(namespace);
		const recipe = catalogue.findAuthRecipe(auth_recipe);
		if (revealed?.put !== put || recipe === null || !isSignInRecipe(recipe))
			throw new SignInFailed("changed");
		return { recipe, revealed, isOwn: catalogue.hasOwnAuthRecipe(auth_recipe) };
	}

	/** Without it, no sign-in can have begun. */
	function getKnownBase(problem: SignInProblem): string {
		const base = deps.findBaseUrl();
		if (base === null) throw new SignInFailed(problem);
		return base;
	}

	async function start(request: Incoming, ticket: string): Promise<Response> {
		const base = getKnownBase("link");
		if (isSentByForeignPage(request.headers, new URL(base).origin)) throw new SignInFailed("foreign");
		takePage(request);
		const { target, found } = await findStart(ticket);
		const redirectUri = getRedirectUrl(base, target, found);
		const flow = await flows.start(ticket, target, redirectUri);
		if (flow === null) throw new SignInFailed("link");
		const { recipe, revealed } = found;
		const url = buildAuthorizeUrl(
			{ name: target.credential, recipe, fields: revealed.fields, key: "" },
			{ redirectUri, state: flow.state, challenge: await computeChallenge(flow.verifier) },
		);
		return new Response(null, {
			status: 303,
			headers: {
				location: url.href,
				"set-cookie": buildCookie(base, flow.cookie.name, flow.cookie.value, SIGN_IN_MS / 1000),
				"cache-control": "no-store",
				"referrer-policy": "no-referrer",
			},
		});
	}

	/** A seeded recipe is the same for all tenants. */
	function getRedirectUrl(
		base: string,
		{ namespace, auth_recipe }: SignInTarget,
		{ isOwn }: FoundCredential,
	): string {
		return buildRedirectUrl(base, auth_recipe, isOwn && deps.settings.multiTenant ? namespace : null);
	}

	async function complete(
		request: Incoming,
		authRecipe: string,
		namespace: string | null,
		language: Language,
	): Promise<Response> {
		const base = getKnownBase("unknown");
		takePage(request);
		const params = new URLSearchParams(parseTarget(request.url).search);
		const state = getOnly(params, "state");
		let cookie = "";
		const flow = await flows.finish(state ?? "", (name) => {
			cookie = name;
			return readCookie(request, buildCookieName(base, name));
		});
		if (flow === "unknown") throw new SignInFailed("unknown");
		if (flow === "other browser") throw new SignInFailed("browser");
		const headers = { "set-cookie": buildCookie(base, cookie, "", 0) };
		try {
			if (flow.redirectUri !== buildRedirectUrl(base, authRecipe, namespace))
				throw new SignInFailed("issuer");
			const found = await findCredential(flow);
			// The tenant may have written a recipe of that id meanwhile, which must not get the code.
			if (flow.redirectUri !== getRedirectUrl(base, flow, found)) throw new SignInFailed("changed");
			const { account } = await exchange(flow, found, params);
			return renderDone(flow, { service: found.recipe.title, account }, language, headers);
		} catch (error) {
			return renderError(error, language, headers);
		}
	}

	async function exchange(
		flow: FinishedFlow,
		{ recipe, revealed }: FoundCredential,
		params: URLSearchParams,
	): Promise<SignedIn> {
		const issuer = getOnly(params, "iss");
		const isExpected = issuer === null ? recipe.inject.issuer_required !== true : isIssuer(recipe, issuer);
		if (!isExpected || params.getAll("iss").length > 1) throw new SignInFailed("issuer");
		const code = getOnly(params, "code");
		if (params.has("error")) throw new SignInFailed("refused", readErrorCode(params));
		if (code === null || code === "" || code.length > MAX_CODE_LENGTH) throw new SignInFailed("refused");
		const credential = { name: flow.credential, recipe, fields: revealed.fields, key: "" };
		const { verifier, redirectUri, namespace, put } = flow;
		const exchangeCode = async () => {
			const request = buildCodeRequest(credential, { code, verifier, redirectUri });
			const timeout = AbortSignal.timeout(EXCHANGE_TIMEOUT_MS);
			return readSignedIn(credential, await requestTokens(deps.send, credential, request, timeout));
		};
		const signedIn = await exchangeCode().catch((error: unknown) => {
			throw new SignInFailed("exchange", error instanceof TokenRefused ? error.code : null);
		});
		const login = uuidv7(clock.now());
		if (!(await sessions.begin(namespace, flow.credential, put, login, signedIn)))
			throw new SignInFailed("changed");
		deps.onSignedIn(namespace, flow.credential);
		return signedIn;
	}

	function takePage(request: Incoming): void {
		if (deps.pageRate.take(identifyCaller(request.address)) !== null) throw new SignInFailed("tooMany");
	}

	async function answer(
		request: Incoming,
		handle: (language: Language) => Promise<Response>,
	): Promise<Response> {
		const language = chooseLanguage(request.headers.get("accept-language"));
		try {
			return await handle(language);
		} catch (error) {
			return renderError(error, language);
		}
	}

	/** What the service or the network says is not shown, apart from a code. */
	function renderError(
		error: unknown,
		language: Language,
		headers: Readonly<Record<string, string>> = {},
	): Response {
		if (error instanceof SignInFailed)
			return renderProblem(error.problem, language, { code: error.code, headers });
		const failure = error instanceof Failed ? error.failure : deps.toFailure(error);
		if (failure === null) throw error;
		return renderProblem("unavailable", language, { headers });
	}
}

/** A recipe that names no issuer is told apart by its own redirect URL. */
const isIssuer = ({ inject }: SignInRecipe, issuer: string): boolean =>
	inject.issuer === undefined || inject.issuer === issuer;

/** Null if it is absent or repeated. */
function getOnly(params: URLSearchParams, name: string): string | null {
	const values = params.getAll(name);
	return values.length === 1 ? (values[0] as string) : null;
}

function readErrorCode(params: URLSearchParams): string | null {
	const code = getOnly(params, "error") ?? "";
	return /^[\w.-]{1,64}$/.test(code) ? code : null;
}

const isHttps = (base: string): boolean => base.startsWith("https:");

/** With the prefix, no other host of the site can set the cookie. It needs https. */
const buildCookieName = (base: string, name: string): string => (isHttps(base) ? `__Host-${name}` : name);

/** Lax, because the service leads back here from its own site. */
const buildCookie = (base: string, name: string, value: string, seconds: number): string =>
	`${buildCookieName(base, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps(base) ? "; Secure" : ""}`;

function readCookie({ headers }: Incoming, name: string): string | null {
	for (const pair of (headers.get("cookie") ?? "").split(";")) {
		const at = pair.indexOf("=");
		if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
	}
	return null;
}
