import type { McpDeps } from "../deps.ts";
import type { Tokens } from "./tokens.ts";

/** What the authorization server is made from. */
export type OAuthDeps = Pick<
	McpDeps,
	"oauthKv" | "store" | "http" | "clock" | "log" | "settings" | "isolatesRequests"
> & {
	/** Null where `oauthKv` is. */
	readonly tokens: Tokens | null;
};
