import { CliProblem, type Invocation } from "../command.ts";
import { readSecret, resolveSetting } from "../config.ts";
import { findValueProblem } from "../settings.ts";
import { DEFAULT_PREFIX, findPrefixProblem } from "./plan.ts";

const USAGE = 2;

/** Where to deploy, and under which name. */
export interface Target {
	readonly accountId: string;
	readonly token: string;
	readonly prefix: string;
}

/** The account's id; null if none is set. */
export function readAccountId({ flags, io }: Invocation, from: "environment" | "any layer"): string | null {
	const { value, layer } = resolveSetting(io, "account_id");
	const configured = from === "any layer" || layer === "environment" ? value : null;
	return (flags["account-id"] as string | undefined) ?? configured;
}

export const readToken = ({ flags, io }: Invocation): string | undefined =>
	(flags["api-token"] as string | undefined) ?? readSecret(io, "CLOUDFLARE_API_TOKEN");

export async function readTarget(invocation: Invocation, accountId: string | null): Promise<Target> {
	const { flags, io } = invocation;
	if (accountId === null)
		throw new CliProblem("the Cloudflare account is not set", {
			code: USAGE,
			hint: "pass --account-id, or set CLOUDFLARE_ACCOUNT_ID",
		});
	const problem = findValueProblem("account_id", accountId);
	if (problem !== null) throw new CliProblem(`the account's id ${problem}`, { code: USAGE });
	const token = readToken(invocation) ?? (await io.askSecret("Cloudflare API token"));
	if (token === null || token.trim() === "")
		throw new CliProblem("the Cloudflare API token is missing", {
			code: USAGE,
			hint: "set CLOUDFLARE_API_TOKEN, or pass --api-token",
		});
	const prefix = (flags.name as string | undefined) ?? readConfiguredPrefix(invocation, accountId);
	const wrong = findPrefixProblem(prefix);
	if (wrong !== null) throw new CliProblem(wrong, { code: USAGE });
	return { accountId, token: token.trim(), prefix };
}

/** The prefix of the project's deployment, if that is in this account; else the default. */
function readConfiguredPrefix({ io }: Invocation, accountId: string): string {
	const address = resolveSetting(io, "base_url").value ?? "";
	const prefix = /^https:\/\/([a-z0-9-]+)-executor\.[a-z0-9-]+\.workers\.dev$/.exec(address)?.[1];
	return prefix !== undefined && resolveSetting(io, "account_id").value === accountId
		? prefix
		: DEFAULT_PREFIX;
}
