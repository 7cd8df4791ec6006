import type { Command } from "../command.ts";
import { deploymentFlags } from "./deployment-flags.ts";

export const updateCommand: Command = {
	name: "update",
	about: "bring a deployment on Cloudflare to this version",
	positionals: [],
	flags: [
		...deploymentFlags,
		{ name: "force", about: "deploy all workers, also those that have not changed" },
	],
	examples: [
		{ line: "npx tripline@latest update", about: "only what has changed; the database first" },
		{ line: "tripline update --force", about: "everything again" },
	],
	details: `A worker that is not healthy afterwards goes back to its previous version. Where one fails, the others go on,
and running it again deploys the rest. What was ended on the way is checked first when it is run again.
Secrets, and variables that were added in the dashboard, stay. From a checkout the workers are bundled first.`,
	load: () => import("../cloudflare/update.ts"),
};
