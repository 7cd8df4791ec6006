import { join } from "node:path";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { globalPath, saveSettings } from "../config.ts";
import type { Io } from "../io.ts";
import { SETTINGS_FILE } from "../project.ts";
import { SETTINGS } from "../settings.ts";
import { readAccountId, readTarget, readToken } from "./account.ts";
import { cloudflareApi } from "./api.ts";
import { deploy } from "./deploy.ts";
import { toOutcome } from "./outcome.ts";
import { provider } from "./provider.ts";

const NEXT = `The owner secret is MCP_OWNER_SECRET in the secrets file: use it to log in to the console, or to connect an assistant.
Next: tripline push <file>, and tripline mcp-setup for your assistant.`;

export async function run(invocation: Invocation): Promise<Outcome> {
	const { io, progress } = invocation;
	const accountId = readAccountId(invocation, "environment");
	if (accountId === null && readToken(invocation) === undefined) return setUpLocally(invocation);
	const target = await readTarget(invocation, accountId);
	const api = cloudflareApi(provider({ io, token: target.token }), target.accountId);
	const deployment = await deploy({
		io,
		api,
		accountId: target.accountId,
		prefix: target.prefix,
		isForced: false,
		isUpdate: false,
		progress,
	});
	const settings = { ...deployment.urls, account_id: target.accountId };
	saveSettings(newProjectPath(io), settings);
	saveSettings(globalPath(io), settings);
	return toOutcome(deployment, target.accountId, NEXT);
}

/** The working folder becomes a project, even inside another one. */
const newProjectPath = (io: Io): string => join(io.cwd, SETTINGS_FILE);

/** Sets up the service on this machine, without an account. */
function setUpLocally({ flags, io }: Invocation): Outcome {
	if (flags.name !== undefined)
		throw new CliProblem("--name is for a deployment on Cloudflare, and no account was given", {
			code: 2,
			hint: "pass --account-id and --api-token, or set CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN",
		});
	const settings = {
		base_url: SETTINGS.base_url.fallback,
		mcp_url: SETTINGS.mcp_url.fallback,
		registry_url: SETTINGS.registry_url.fallback,
	};
	const isChanged = saveSettings(newProjectPath(io), settings);
	return {
		json: { ok: true, mode: "local", ...settings, config: newProjectPath(io), changed: isChanged },
		text: `tripline.json ${isChanged ? "now uses" : "already uses"} the service on this machine, ${settings.base_url}

Next: tripline serve
For Cloudflare instead: set CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN, and run tripline init again.`,
	};
}
