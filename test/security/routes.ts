import assert from "node:assert/strict";
import { RunResult } from "@tripline/contract/workflows";
import type { Answer, Client } from "./client.ts";

/** A route as described by the service's OpenAPI document. */
export interface DescribedRoute {
	readonly method: string;
	/** `/webhooks/{token}/trigger`. */
	readonly path: string;
	/** Names of the path parameters, in order. */
	readonly parameters: readonly string[];
	readonly isOpen: boolean;
	readonly takesBody: boolean;
	readonly statuses: ReadonlySet<number>;
}

interface Description {
	readonly paths: Record<string, Record<string, Operation>>;
}
interface Operation {
	readonly security: readonly object[];
	readonly requestBody?: object;
	readonly responses: Record<string, object>;
}

/** Statuses with which any route may refuse a request: the description's `default`. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 404, 405, 409, 412, 413, 422, 429]);

export async function readRoutes(client: Client): Promise<DescribedRoute[]> {
	const { body } = await client.call("GET", "/openapi.json");
	return Object.entries((body as Description).paths).flatMap(([path, operations]) =>
		Object.entries(operations).map(([method, { security, requestBody, responses }]) => ({
			method: method.toUpperCase(),
			path,
			parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
			isOpen: security.length === 0,
			takesBody: requestBody !== undefined,
			statuses: new Set(Object.keys(responses).map(Number)),
		})),
	);
}

/** Routes with their own callers, bodies and limits, which have separate tests. */
const OF_MCP_SERVER = /^\/(?:console(?:\/|$)|gui\/|mcp$|register$|authorize$|token$|revoke$|\.well-known\/)/;

/** Forms and the pages of questions, sign-ins and chats take no JSON and answer with pages. */
const IS_PAGE = /^\/(?:(?:f|ask|oauth)\/|chat\/\{namespace\}\/\{name\}$)/;

/** The routes of executor, registry and store that answer with JSON. */
export const readPlainRoutes = async (client: Client): Promise<DescribedRoute[]> =>
	(await readRoutes(client)).filter(({ path }) => !OF_MCP_SERVER.test(path) && !IS_PAGE.test(path));

export const buildPath = (route: DescribedRoute, values: Readonly<Record<string, string>>): string =>
	route.path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "unknown");

/** Asserts a success, a refusal with a reason, or a failed run. */
export function assertDocumented(route: DescribedRoute, answer: Answer, about: string): void {
	const { status, text } = answer;
	const shown = `${route.method} ${route.path} <- ${about}: ${status} ${text.slice(0, 300)}`;
	if (status === 500) {
		assert.ok(isFailedRun(answer), shown);
	} else if (status < 300) {
		assert.ok(route.statuses.has(status), shown);
		assert.ok(answer.body !== undefined || /^event: /.test(text), shown);
	} else {
		assert.ok(REFUSALS.has(status) || route.statuses.has(status), shown);
		const { error } = answer.body as { error?: unknown };
		// In OpenAI's format an error is an object.
		const reason = route.path.startsWith("/v1/") ? (error as { message?: unknown }).message : error;
		assert.ok(typeof reason === "string" && reason !== "", shown);
		assert.equal((answer.body as { success?: unknown }).success, undefined, shown);
	}
}

/** The only documented 500 besides a corrupt definition. */
export function isFailedRun({ status, body }: Answer): boolean {
	const result = RunResult.safeParse(body);
	return status === 500 && result.success && !result.data.success && (result.data.error ?? "") !== "";
}
