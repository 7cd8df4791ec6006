import type { Command } from "../command.ts";
import { deploymentFlags } from "./deployment-flags.ts";

export const updateCommand: Command = {
	name: "update",
	about: "update a deployment on Cloudflare to this version",
	positionals: [],
	flags: [...deploymentFlags, { name: "force", about: "deploy all workers, even unchanged ones" }],
	examples: [
		{ line: "npx tripline@latest update", about: "only what has changed, the database first" },
		{ line: "tripline update --force", about: "everything again" },
	],
	details: `A worker that is not healthy afterwards is rolled back to its previous version. If one fails, the others are still
deployed, and the next update deploys the rest. An interrupted update is checked first by the next one.
Secrets, and variables added in the dashboard, are kept. From a checkout the workers are bundled first.`,
	load: () => import("../cloudflare/update.ts"),
};
