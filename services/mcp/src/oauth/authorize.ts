import { isSameSecret } from "@tripline/contract/secrets";
import type { Incoming } from "@tripline/web/http-message";
import { type Reply, type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { resolveOrigin, toResource } from "../addresses.ts";
import { consentPage } from "../pages/consent.ts";
import { redirectBack, respondWithPage, toErrorDescription, toPageResponse } from "./answers.ts";
import { createAttempts } from "./attempts.ts";
import {
	type AuthorizationRequest,
	checkRegistered,
	type Destination,
	findState,
	listHiddenFields,
	parseAuthorizationRequest,
	parseDestination,
} from "./authorize-request.ts";
import { type Client, clientFinder } from "./clients.ts";
import { type Codes, createCodes } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { tag } from "./descriptions.ts";
import { type Parameters, parseQuery, readForm, readParameter } from "./parameters.ts";
import { describeProblem, OAuthFailed, toProblem } from "./problems.ts";

/** An authorization request that is valid and only lacks the owner's approval. */
interface CheckedRequest {
	readonly destination: Destination;
	readonly client: Client;
	readonly authorization: AuthorizationRequest;
	readonly issuer: string;
	readonly hidden: Readonly<Record<string, string>>;
}

const HTML_PAGE = { "text/html; charset=utf-8": z.string() };
const DAY_SECONDS = 24 * 60 * 60;
const PARAMETERS =
	"response_type=code, client_id, redirect_uri (on an allowed host), code_challenge with code_challenge_method=S256, and optionally state and resource. Scopes are ignored. Errors in client_id or redirect_uri are shown on this page; all others go to the redirect URI as error.";

const Form = z.looseObject({ owner_secret: z.string() }).meta({ id: "ConsentForm" });

const PAGES = {
	400: { description: "An error page: client_id or redirect_uri is not valid", content: HTML_PAGE },
	503: { description: "An error page: OAUTH_KV or MCP_OWNER_SECRET is not set", content: HTML_PAGE },
	302: { description: "Redirect to the redirect URI with code or error, state and iss" },
};

export function authorizeRoutes(deps: OAuthDeps): Route<unknown>[] {
	const { http, clock, log, settings } = deps;
	const codes = deps.oauthKv === null ? null : createCodes({ kv: deps.oauthKv, clock });
	const attempts = createAttempts(deps);
	const findClient = clientFinder({ http, clock, hosts: settings.redirectHosts });

	return [
		route({
			method: "GET",
			path: "/authorize",
			tag,
			open: true,
			summary: "The consent page, on which the owner authorizes a client",
			description: `Query: ${PARAMETERS}`,
			responses: { 200: { description: "The consent page", content: HTML_PAGE }, ...PAGES },
			handle: ({ request }) =>
				respondWithPage(log, async () => {
					requireConfigured();
					return handleChecked(parseQuery(request.url), request, (checked) =>
						renderConsent(200, checked, null),
					);
				}),
		}),
		route({
			method: "POST",
			path: "/authorize",
			tag,
			open: true,
			summary: "Authorize a client with the owner secret",
			description: `The form of the consent page: ${PARAMETERS}`,
			accepts: { "application/x-www-form-urlencoded": Form },
			responses: {
				...PAGES,
				401: { description: "The consent page again: the secret is wrong or missing", content: HTML_PAGE },
				403: { description: "An error page: the form was sent from another origin", content: HTML_PAGE },
				429: { description: "An error page: too many wrong secrets from this address", content: HTML_PAGE },
			},
			handle: ({ request }) =>
				respondWithPage(log, async () => {
					const gate = requireConfigured();
					checkOrigin(request);
					const form = await readForm(request);
					// The page's form carries all parameters; a form posted to the link itself carries only the secret.
					const parameters = new Map([...parseQuery(request.url), ...form]);
					return handleChecked(parameters, request, async (checked) => {
						const problem = await findSecretProblem(
							readParameter(form, "owner_secret"),
							gate.ownerSecret,
							request,
						);
						return problem === null ? grantCode(checked, gate.codes) : renderConsent(401, checked, problem);
					});
				}),
		}),
	];

	function requireConfigured(): { readonly codes: Codes; readonly ownerSecret: string } {
		const { ownerSecret } = settings;
		if (codes === null) throw new OAuthFailed({ kind: "unset", setting: "OAUTH_KV" });
		if (ownerSecret === undefined) throw new OAuthFailed({ kind: "unset", setting: "MCP_OWNER_SECRET" });
		return { codes, ownerSecret };
	}

	function checkOrigin(request: Incoming): void {
		const origin = request.headers.get("origin");
		const own = [resolveOrigin(settings, request), settings.publicUrl, ...settings.otherUrls];
		if (origin !== null && !own.includes(origin)) throw new OAuthFailed({ kind: "foreign_origin" });
	}

	async function handleChecked(
		parameters: Parameters,
		request: Incoming,
		next: (checked: CheckedRequest) => Promise<Reply | Response> | Reply | Response,
	): Promise<Reply | Response> {
		const issuer = resolveOrigin(settings, request);
		const destination = parseDestination(parameters, settings);
		const client = await findClient(destination.clientId, request.signal);
		checkRegistered(destination, client.redirectUris);
		let asked: AuthorizationRequest;
		try {
			asked = parseAuthorizationRequest(parameters, toResource(issuer));
		} catch (error) {
			const told = describeProblem(toProblem(error, log));
			return redirectBack(destination.redirectUri, {
				error: told.error,
				error_description: toErrorDescription(told),
				state: findState(parameters),
				iss: issuer,
			});
		}
		return next({ destination, client, authorization: asked, issuer, hidden: listHiddenFields(parameters) });
	}

	/** The message for the user; null: the secret is right. */
	async function findSecretProblem(
		given: string | undefined,
		ownerSecret: string,
		request: Incoming,
	): Promise<string | null> {
		if (given === undefined) return "Enter the owner secret.";
		const attempt = await attempts.begin(request);
		if (!isSameSecret(given, ownerSecret)) {
			log("warn", "wrong owner secret on the consent page");
			if (attempt.refusal !== null) throw attempt.refusal;
			return "The owner secret is wrong.";
		}
		await attempt.takeBack();
		return null;
	}

	function renderConsent(status: number, checked: CheckedRequest, problem: string | null): Response {
		const { client, destination, issuer, hidden } = checked;
		const own = [issuer, settings.publicUrl, ...settings.otherUrls];
		const page = consentPage({
			isConsole: own.some((origin) => destination.redirectUri === `${origin}/console/callback`),
			clientName: client.name,
			clientHost: client.host,
			redirectHost: new URL(destination.redirectUri).host,
			namespace: settings.ownerNamespace,
			hidden,
			problem,
			days: settings.tokenTtlSeconds / DAY_SECONDS,
		});
		return toPageResponse(status, page);
	}

	async function grantCode(
		{ destination, client, authorization: asked, issuer }: CheckedRequest,
		to: Codes,
	): Promise<Reply> {
		const code = await to.issue({
			namespace: settings.ownerNamespace,
			resource: toResource(issuer),
			client_id: destination.clientId,
			client_name: client.name,
			redirect_uri: destination.redirectUri,
			code_challenge: asked.codeChallenge,
		});
		log("info", "a client was let in", { redirect_host: new URL(destination.redirectUri).host });
		return redirectBack(destination.redirectUri, { code, state: asked.state, iss: issuer });
	}
}
