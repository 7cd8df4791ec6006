import { Namespace } from "@tripline/contract/names";
import { bearerSecret, httpUrl, secret, trueOrFalse, wholeNumber } from "@tripline/contract/settings";
import { tracingEnvironment } from "@tripline/contract/tracing-settings";
import * as z from "zod";

const VENDOR_HOSTS = ["claude.ai", "claude.com"];
const HOST_NAME =
	/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The MCP server's settings, by their environment names. */
export const mcpEnvironment = tracingEnvironment.extend({
	MULTI_TENANT: trueOrFalse(true),
	MCP_URL: httpUrl.refine(
		(url) => url === undefined || new URL(url).pathname === "/",
		"must have no path: the authorization endpoints are at the root of the host",
	),
	BASE_URL: httpUrl,
	NAMESPACE: Namespace.default("default"),
	MCP_OWNER_NAMESPACE: Namespace.optional(),
	MCP_OWNER_SECRET: z
		.union([z.literal(""), secret], "must be empty or have at least 16 characters")
		.optional(),
	MCP_STATIC_TOKEN: bearerSecret.optional(),
	STORE_INTERNAL_TOKEN: bearerSecret.optional(),
	MCP_TOKEN_TTL: wholeNumber(2_592_000, 60, 31_536_000),
	MCP_ALLOWED_REDIRECT_HOSTS: z
		.string()
		.optional()
		.transform((text, context) => {
			const entries = (text ?? "").split(",").map((entry) => entry.trim().toLowerCase());
			const wrong = entries.findIndex((entry) => entry !== "" && !HOST_NAME.test(getHost(entry)));
			if (wrong === -1) return redirectHosts(entries.filter((entry) => entry !== ""));
			context.addIssue({
				code: "custom",
				message: `must be host names separated by commas, such as claude.ai,+example.com: entry ${wrong + 1} is not a host name`,
			});
			return z.NEVER;
		}),
	ALLOW_PLAINTEXT_NAMESPACE: trueOrFalse(false),
	MAX_BODY_BYTES: wholeNumber(1_048_576, 1_024, 104_857_600),
});

export interface McpSettings {
	readonly multiTenant: boolean;
	/** An origin; undefined: the request's origin is used. */
	readonly publicUrl: string | undefined;
	/** Other origins of the same service, from which the console may call. */
	readonly otherUrls: readonly string[];
	readonly ownerNamespace: string;
	/** Undefined: login is disabled. */
	readonly ownerSecret: string | undefined;
	readonly staticToken: string | undefined;
	readonly tokenTtlSeconds: number;
	/** In lower case, subdomains included. Loopback names are always allowed. */
	readonly redirectHosts: readonly string[];
	readonly allowPlaintextNamespace: boolean;
	readonly maxBodyBytes: number;
}

export const mcpSettings = (environment: z.output<typeof mcpEnvironment>): McpSettings => ({
	multiTenant: environment.MULTI_TENANT,
	publicUrl: environment.MCP_URL,
	otherUrls: environment.BASE_URL === undefined ? [] : [new URL(environment.BASE_URL).origin],
	ownerNamespace: environment.MCP_OWNER_NAMESPACE ?? environment.NAMESPACE,
	ownerSecret: environment.MCP_OWNER_SECRET === "" ? undefined : environment.MCP_OWNER_SECRET,
	staticToken: environment.MCP_STATIC_TOKEN,
	tokenTtlSeconds: environment.MCP_TOKEN_TTL,
	redirectHosts: environment.MCP_ALLOWED_REDIRECT_HOSTS,
	allowPlaintextNamespace: environment.ALLOW_PLAINTEXT_NAMESPACE,
	maxBodyBytes: environment.MAX_BODY_BYTES,
});

const getHost = (entry: string): string => (entry.startsWith("+") ? entry.slice(1).trim() : entry);

/** Entries replace the vendor hosts; those with a leading + are added to them. */
function redirectHosts(entries: readonly string[]): readonly string[] {
	const added = entries.filter((entry) => entry.startsWith("+")).map(getHost);
	const replacing = entries.filter((entry) => !entry.startsWith("+"));
	return [...new Set([...(replacing.length > 0 ? replacing : VENDOR_HOSTS), ...added])];
}
