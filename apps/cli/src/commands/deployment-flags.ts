import type { Command } from "../command.ts";

export const deploymentFlags: Command["flags"] = [
	{ name: "account-id", value: "id", about: "the Cloudflare account (CLOUDFLARE_ACCOUNT_ID)" },
	{ name: "api-token", value: "token", about: "its API token; preferably set CLOUDFLARE_API_TOKEN" },
	{
		name: "name",
		value: "name",
		about: "the deployment's name, a prefix of everything it creates; default tripline",
	},
];
