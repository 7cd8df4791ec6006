import type { Command } from "../command.ts";
import { deploymentFlags } from "./deployment-flags.ts";

export const initCommand: Command = {
	name: "init",
	about: "set up the service: on Cloudflare, or on this machine",
	positionals: [],
	flags: deploymentFlags,
	examples: [
		{ line: "tripline init", about: "without an account: the service on this machine, by tripline serve" },
		{
			line: "CLOUDFLARE_ACCOUNT_ID=... CLOUDFLARE_API_TOKEN=... tripline init",
			about: "makes and deploys all that is needed on Cloudflare",
		},
		{ line: "tripline init --name staging", about: "a second deployment in the same account" },
	],
	details: `The API token needs these permissions for the account: Workers Scripts: Edit, Workers KV Storage: Edit,
D1: Edit; and Vectorize: Edit, without which nothing is found by meaning.
It makes four workers, their namespaces, database and secrets, and writes tripline.json in the
working folder and ~/.config/tripline/config.json. The secrets stay in ~/.config/tripline/deployments, for you alone.
Repeating it changes nothing; what was ended on the way goes on.`,
	load: () => import("../cloudflare/init.ts"),
};
