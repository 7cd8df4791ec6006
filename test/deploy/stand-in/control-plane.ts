import type { Account } from "./account.ts";
import { envelope, Refusal, type Route, refused } from "./api.ts";
import { ASSETS_UPLOAD, assetRoutes } from "./assets.ts";
import { d1Routes } from "./d1.ts";
import { kvRoutes } from "./kv.ts";
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
	...scriptRoutes,
	...assetRoutes,
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
		return answered(() => account.assets.receive(request));
	const token = tokens.of(request);
	if (token instanceof Response && !path.endsWith("/tokens/verify")) return token;
	if (path === "/accounts" && request.method === "GET") return accounts(account, token as Token);
	const ofUser = OF_USERS[path];
	if (ofUser !== undefined && request.method === "GET") return refused(403, [ofUser]);
	const [, id, below = ""] = /^\/accounts\/([0-9a-f]{32})(\/.*)?$/.exec(path) ?? [];
	if (id === undefined) return noRoute(path);
	if (below === "/tokens/verify" && request.method === "GET") {
		return id === account.id ? tokens.verify(request, "account") : refusedToken(false);
	}
	const found = routeOf(request.method, below);
	if (found instanceof Response) return found;
	const { route, params } = found;
	if (id !== account.id) return refusedToken(route.isD1);
	if (!isAllowed(token as Token, route.permission)) return refusedToken(false);
	return answered(() => route.answer(request, account, params));
}

async function answered(work: () => Promise<Response>): Promise<Response> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return refused(error.status, [{ code: error.code, message: error.message }]);
	}
}

/** Endpoints about the user, which a deployment token may not read, with their refusals. */
const OF_USERS: Readonly<Record<string, object>> = {
	"/user": { code: 9109, message: "Unauthorized to access requested resource" },
	"/memberships": { code: 10000, message: "Authentication error" },
};

function routeOf(method: string, path: string) {
	const found = ROUTES.flatMap((route) => {
		const params = route.match(path);
		return params === null ? [] : [{ route, params }];
	});
	if (found.length === 0) return noRoute(path);
	const message = `Method ${method} not allowed for this endpoint`;
	return found.find(({ route }) => route.method === method) ?? refused(405, [{ code: 10405, message }]);
}

function accounts({ id }: Account, token: Token): Response {
	if (token.owner === "account") {
		const message = "List accounts endpoint does not support account owned tokens.";
		return refused(400, [{ code: 1001, message }]);
	}
	const rows = isAllowed(token, "Account Settings Read") ? [{ id, name: "Stand-in", type: "standard" }] : [];
	const info = { page: 1, per_page: 20, count: rows.length, total_count: rows.length };
	return envelope({ result: rows, info });
}

/** The refusal for a foreign account or a missing permission. */
function refusedToken(isD1: boolean): Response {
	const message = "The given account is not valid or is not authorized to access this service";
	return refused(403, [isD1 ? { code: 7403, message } : { code: 10000, message: "Authentication error" }]);
}

function noRoute(path: string): Response {
	const message = `Could not route to /client/v4${path}, perhaps your object identifier is invalid?`;
	return refused(404, [
		{ code: 7003, message },
		{ code: 7000, message: "No route for that URI" },
	]);
}
