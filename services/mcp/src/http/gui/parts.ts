import { Failed } from "@tripline/contract/failures";
import type { TenantExecutor } from "@tripline/executor/client";
import type { Incoming } from "@tripline/web/http-message";
import { resolveOrigin } from "../../addresses.ts";
import type { McpCaller } from "../../callers.ts";
import type { VerifyReport } from "../../connect/verify.ts";
import type { McpDeps } from "../../deps.ts";
import type { Tokens } from "../../oauth/tokens.ts";

/** The dependencies of the console's endpoints. */
export type GuiParts = Pick<
	McpDeps,
	"executor" | "store" | "registry" | "clock" | "settings" | "version" | "sharesAddress"
> & {
	/** Null: no token storage is configured. */
	readonly tokens: Tokens | null;
	verify(request: Incoming): Promise<VerifyReport>;
};

/** What every handler reads of a request. */
export interface GuiCall {
	readonly caller: McpCaller;
	readonly request: Incoming;
}

export const TAG = "Console";

/** The executor, limited to the caller's namespace. */
export function getExecutor(
	{ executor, settings, sharesAddress }: GuiParts,
	{ caller, request }: GuiCall,
): TenantExecutor {
	const baseUrl = sharesAddress === true ? resolveOrigin(settings, request) : undefined;
	return executor.as(caller.namespace, { baseUrl, by: { client: "console" } });
}

export function requireFound<T>(value: T | null, what: string): T {
	if (value === null) throw createNotFound(what);
	return value;
}

export const createNotFound = (what: string): Failed =>
	new Failed({ kind: "not_found", message: `${what} not found` });

export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Of the body, in bytes, if the client sent it. */
export function readLength({ headers }: Incoming): number | undefined {
	const given = headers.get("content-length");
	return given !== null && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
