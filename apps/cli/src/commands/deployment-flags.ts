import type { Command } from "../command.ts";

export const deploymentFlags: Command["flags"] = [
	{ name: "account-id", value: "id", about: "the Cloudflare account (CLOUDFLARE_ACCOUNT_ID)" },
	{ name: "api-token", value: "token", about: "its API token; better by CLOUDFLARE_API_TOKEN" },
	{
		name: "name",
		value: "name",
		about: "the deployment: all that it makes begins with it; default tripline",
	},
];
