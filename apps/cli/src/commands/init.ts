import type { Command } from "../command.ts";
import { deploymentFlags } from "./deployment-flags.ts";

export const initCommand: Command = {
	name: "init",
	about: "set up the service: on Cloudflare, or on this machine",
	positionals: [],
	flags: deploymentFlags,
	examples: [
		{
			line: "tripline init",
			about: "without an account: on this machine, to be started with tripline serve",
		},
		{
			line: "CLOUDFLARE_ACCOUNT_ID=... CLOUDFLARE_API_TOKEN=... tripline init",
			about: "creates and deploys everything on Cloudflare",
		},
		{ line: "tripline init --name staging", about: "a second deployment in the same account" },
	],
	details: `The API token needs these permissions for the account: Workers Scripts: Edit, Workers KV Storage: Edit,
D1: Edit; and Vectorize: Edit, without which there is no semantic search, and Workers R2 Storage: Edit,
without which workflows cannot use files; R2 must also be enabled in the account's dashboard.
It creates four workers, their namespaces, database, bucket and secrets, and writes tripline.json in the
working folder and ~/.config/tripline/config.json. The secrets are kept in ~/.config/tripline/deployments, readable only by you.
Running it again changes nothing; after an interruption it continues where it stopped.`,
	load: () => import("../cloudflare/init.ts"),
};
