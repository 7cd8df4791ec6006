import type { Account } from "./account.ts";
import { createEnvelope, createRefusal, Refusal } from "./answer.ts";
import type { Route } from "./api.ts";
import { ASSETS_UPLOAD } from "./assets.ts";
import { d1Routes } from "./d1.ts";
import { kvRoutes } from "./kv.ts";
import { r2Routes } from "./r2.ts";
import { scriptRoutes } from "./scripts.ts";
import { secretRoutes } from "./secrets.ts";
import { settingsRoutes } from "./settings.ts";
import { isAllowed, type Token, type Tokens } from "./tokens.ts";
import { triggerRoutes } from "./triggers.ts";
import { vectorizeRoutes } from "./vectorize.ts";
import { versionRoutes } from "./versions.ts";

const ROUTES: readonly Route[] = [
	...kvRoutes,
	...d1Routes,
	...vectorizeRoutes,
	...r2Routes,
	...scriptRoutes,
	...settingsRoutes,
	...versionRoutes,
	...secretRoutes,
	...triggerRoutes,
];

/** Answers a call to the provider's API; `path` is the part after `/client/v4`. */
export async function answerCall(
	request: Request,
	path: string,
	account: Account,
	tokens: Tokens,
): Promise<Response> {
	if (path === "/user/tokens/verify" && request.method === "GET") return tokens.verify(request, "user");
	// The only call with its own token: that of an upload session.
	if (path === `/accounts/${account.id}${ASSETS_UPLOAD}` && request.method === "POST")
		return answerSafely(() => account.assets.receive(request));
	const token = tokens.of(request);
	if (token instanceof Response && !path.endsWith("/tokens/verify")) return token;
	if (path === "/accounts" && request.method === "GET") return listAccounts(account, token as Token);
	const ofUser = USER_ENDPOINTS[path];
	if (ofUser !== undefined && request.method === "GET") return createRefusal(403, [ofUser]);
	const [, id, below = ""] = /^\/accounts\/([0-9a-f]{32})(\/.*)?$/.exec(path) ?? [];
	if (id === undefined) return createNoRoute(path);
	if (below === "/tokens/verify" && request.method === "GET") {
		return id === account.id ? tokens.verify(request, "account") : createTokenRefusal(false);
	}
	const found = findRoute(request.method, below);
	if (found instanceof Response) return found;
	const { route, params } = found;
	if (id !== account.id) return createTokenRefusal(route.isD1);
	if (!isAllowed(token as Token, route.permission)) return createTokenRefusal(false);
	return answerSafely(() => route.answer(request, account, params));
}

async function answerSafely(work: () => Promise<Response>): Promise<Response> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return createRefusal(error.status, [{ code: error.code, message: error.message }]);
	}
}

/** Endpoints about the user, which a deployment token may not read, with their refusals. */
const USER_ENDPOINTS: Readonly<Record<string, object>> = {
	"/user": { code: 9109, message: "Unauthorized to access requested resource" },
	"/memberships": { code: 10000, message: "Authentication error" },
};

function findRoute(method: string, path: string) {
	const found = ROUTES.flatMap((route) => {
		const params = route.match(path);
		return params === null ? [] : [{ route, params }];
	});
	if (found.length === 0) return createNoRoute(path);
	const message = `Method ${method} not allowed for this endpoint`;
	return found.find(({ route }) => route.method === method) ?? createRefusal(405, [{ code: 10405, message }]);
}

function listAccounts({ id }: Account, token: Token): Response {
	if (token.owner === "account") {
		const message = "List accounts endpoint does not support account owned tokens.";
		return createRefusal(400, [{ code: 1001, message }]);
	}
	const rows = isAllowed(token, "Account Settings Read") ? [{ id, name: "Stand-in", type: "standard" }] : [];
	const info = { page: 1, per_page: 20, count: rows.length, total_count: rows.length };
	return createEnvelope({ result: rows, info });
}

/** The refusal for a foreign account or a missing permission. */
function createTokenRefusal(isD1: boolean): Response {
	const message = "The given account is not valid or is not authorized to access this service";
	return createRefusal(403, [
		isD1 ? { code: 7403, message } : { code: 10000, message: "Authentication error" },
	]);
}

function createNoRoute(path: string): Response {
	const message = `Could not route to /client/v4${path}, perhaps your object identifier is invalid?`;
	return createRefusal(404, [
		{ code: 7003, message },
		{ code: 7000, message: "No route for that URI" },
	]);
}
