import { Namespace } from "@tripline/contract/names";
import { PARTNER_KEY } from "@tripline/contract/partner-keys";
import { findNearest } from "./nearest.ts";

/** All settings: the environment variable, the default and the meaning of each. */
export const SETTINGS = {
	base_url: {
		variable: "SERVICE_BASE_URL",
		fallback: "http://127.0.0.1:8484",
		about: "the executor's address",
	},
	mcp_url: {
		variable: "SERVICE_MCP_URL",
		fallback: "http://127.0.0.1:8484",
		about: "the MCP server's address, without /mcp",
	},
	registry_url: {
		variable: "SERVICE_REGISTRY_URL",
		fallback: "http://127.0.0.1:8484/registry",
		about: "the registry's address",
	},
	namespace: { variable: "NAMESPACE", fallback: "default", about: "whose workflows are meant" },
	account_id: { variable: "CLOUDFLARE_ACCOUNT_ID", fallback: null, about: "the Cloudflare account" },
} as const;

export type SettingName = keyof typeof SETTINGS;
export const settingNames = Object.keys(SETTINGS) as SettingName[];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);

export function buildSettingHint(given: string): string {
	const near = findNearest(given, settingNames);
	return `${near === null ? "" : `did you mean ${near}? `}settings are ${settingNames.join(", ")}`;
}

/** Why a value is invalid, phrased to follow the setting's name; null if it is valid. Never repeats the value. */
export function findValueProblem(name: SettingName, value: string): string | null {
	if (name === "namespace") {
		const { error } = Namespace.safeParse(value);
		return error?.issues[0]?.message ?? null;
	}
	if (name === "account_id")
		return /^[\w-]+$/.test(value) ? null : "must be letters and digits, as the dashboard shows it";
	return findAddressProblem(value) ?? (name === "mcp_url" ? findOriginProblem(value) : null);
}

/** Secrets are neither stored in config files nor shown. */
export const isSecret = (value: string): boolean => PARTNER_KEY.test(value);

function findAddressProblem(value: string): string | null {
	if (!URL.canParse(value)) return "must be an address, like https://tripline.example.com";
	const { protocol, username, password, search, hash } = new URL(value);
	if (protocol !== "https:" && protocol !== "http:") return "must begin with https:// or http://";
	if (username !== "" || password !== "") return "must not have a user name or a password in it";
	return search === "" && hash === "" ? null : "must not have a query (?) or a fragment (#)";
}

/** The login is at the root of the same host. */
function findOriginProblem(value: string): string | null {
	const { pathname } = new URL(value);
	if (/^\/mcp\/*$/.test(pathname)) return "must not end in /mcp, which is added";
	return /^\/+$/.test(pathname) ? null : "must not have a path: the login is at the root of the same host";
}

/** A value for display, with secrets masked. */
export const maskValue = (value: string | null): string => {
	if (value === null) return "";
	return isSecret(value) ? "(a partner key)" : value.replace(/\/\/[^/?#]*@/, "//(secret)@");
};
