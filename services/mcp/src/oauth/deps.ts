import type { McpDeps } from "../deps.ts";
import type { Tokens } from "./tokens.ts";

/** The dependencies of the authorization server. */
export type OAuthDeps = Pick<
	McpDeps,
	"oauthKv" | "store" | "http" | "clock" | "log" | "settings" | "isolatesRequests"
> & {
	/** Null if `oauthKv` is null. */
	readonly tokens: Tokens | null;
};
