import { CliProblem, type Invocation } from "../command.ts";
import { resolved, secretOf } from "../config.ts";
import { problemOf } from "../setting-value.ts";
import { DEFAULT_PREFIX, prefixProblem } from "./plan.ts";

const USAGE = 2;

/** Where to deploy, and under which name. */
export interface Target {
	readonly accountId: string;
	readonly token: string;
	readonly prefix: string;
}

/** The account's id; null if none is set. */
export function accountIdOf({ flags, io }: Invocation, from: "environment" | "any layer"): string | null {
	const { value, layer } = resolved(io, "account_id");
	const configured = from === "any layer" || layer === "environment" ? value : null;
	return (flags["account-id"] as string | undefined) ?? configured;
}

export const tokenGiven = ({ flags, io }: Invocation): string | undefined =>
	(flags["api-token"] as string | undefined) ?? secretOf(io, "CLOUDFLARE_API_TOKEN");

export async function targetOf(invocation: Invocation, accountId: string | null): Promise<Target> {
	const { flags, io } = invocation;
	if (accountId === null)
		throw new CliProblem("the Cloudflare account is not set", {
			code: USAGE,
			hint: "pass --account-id, or set CLOUDFLARE_ACCOUNT_ID",
		});
	const problem = problemOf("account_id", accountId);
	if (problem !== null) throw new CliProblem(`the account's id ${problem}`, { code: USAGE });
	const token = tokenGiven(invocation) ?? (await io.askSecret("Cloudflare API token"));
	if (token === null || token.trim() === "")
		throw new CliProblem("the Cloudflare API token is missing", {
			code: USAGE,
			hint: "set CLOUDFLARE_API_TOKEN, or pass --api-token",
		});
	const prefix = (flags.name as string | undefined) ?? configuredPrefix(invocation, accountId);
	const wrong = prefixProblem(prefix);
	if (wrong !== null) throw new CliProblem(wrong, { code: USAGE });
	return { accountId, token: token.trim(), prefix };
}

/** The prefix of the project's deployment, if that is in this account; else the default. */
function configuredPrefix({ io }: Invocation, accountId: string): string {
	const address = resolved(io, "base_url").value ?? "";
	const prefix = /^https:\/\/([a-z0-9-]+)-executor\.[a-z0-9-]+\.workers\.dev$/.exec(address)?.[1];
	return prefix !== undefined && resolved(io, "account_id").value === accountId ? prefix : DEFAULT_PREFIX;
}
