import type { cli } from "./requirements/cli.ts";

type CliRequirement = (typeof cli)[number]["id"];

/** The test that proves a requirement of the command line: its file and its exact title. */
interface Proof {
	readonly file: string;
	readonly title: string;
}

const proof = (file: string, title: string): Proof => ({ file, title });

/** Scenarios use only HTTP, so the requirements of the command line are proven by its own tests. */
export const cliProofs: Readonly<Record<CliRequirement, readonly Proof[]>> = {
	"CLI-THIN-SHELL": [
		proof(
			"test/boundaries.test.ts",
			"the command line uses services only through their clients, and never the store",
		),
	],
	"CLI-INIT-FLAGS": [
		proof("test/deploy/init.test.ts", "is not changed by a second init with flags, which makes few calls"),
	],
	"CLI-INIT-ENV": [
		proof("test/deploy/init.test.ts", "has four workers with their bindings, one of them private"),
	],
	"CLI-INIT-SEED": [
		proof("test/deploy/init.test.ts", "was seeded with the API recipes and the auth recipes"),
	],
	"CLI-INIT-SEED-ONE-CALL": [
		proof(
			"test/deploy/init.test.ts",
			"was seeded by one call, and got no other requests than readiness checks",
		),
	],
	"CLI-UPDATE-CHANGED-ONLY": [
		proof("test/deploy/update.test.ts", "one worker has changed: only that one is uploaded"),
		proof("test/deploy/update.test.ts", "nothing has changed: nothing is written"),
	],
	"CLI-UPDATE-FORCE": [
		proof(
			"test/deploy/update.test.ts",
			"--force: all workers are uploaded, and secrets and workflows are kept",
		),
	],
	"CLI-UPDATE-SHARED-INSTALL": [
		proof(
			"test/deploy/packed.test.ts",
			"update installs once for all workers, without the API token, and builds the same bundles as the package",
		),
	],
	"CLI-UPDATE-PARTIAL-FAILURE": [
		proof(
			"test/deploy/update.test.ts",
			"one worker fails: the others are deployed, the failure is printed with a hint, and a second update deploys only that one",
		),
	],
	"CLI-DEPLOY-SELF-HOSTED": [
		proof("test/deploy/init.test.ts", "has four workers with their bindings, one of them private"),
	],
	"CLI-MCP-SETUP-FILE": [
		proof(
			"apps/cli/test/mcp-setup.test.ts",
			"writes .mcp.json from the resolved mcp_url and prints the next step",
		),
		proof("apps/cli/test/mcp-setup.test.ts", "keeps the other servers and everything else in the file"),
		proof(
			"apps/cli/test/project.slow.test.ts",
			"mcp-setup writes .mcp.json in the project's folder, and says where to open the assistant",
		),
	],
	"CLI-MCP-SETUP-URL": [
		proof("apps/cli/test/mcp-setup.test.ts", "takes mcp_url from the project's config file"),
	],
	"CLI-CONFIG": [proof("apps/cli/test/config.test.ts", "lists all settings with value and layer")],
	"CLI-CONFIG-WHERE": [
		proof("apps/cli/test/config.test.ts", "--where adds the file or variable"),
		proof("apps/cli/test/config.test.ts", "--where marks a default"),
		proof(
			"apps/cli/test/project.slow.test.ts",
			"settings come from the project's tripline.json and .env, and --where shows their paths",
		),
	],
	"CLI-CREDS-PUSH": [
		proof("apps/cli/test/creds.test.ts", "stores all of credentials.yaml, with values from the environment"),
	],
	"CLI-PUSH": [
		proof("apps/cli/test/workflows.test.ts", "push saves a document and prints a call that runs it"),
	],
	"CLI-PARTS": [
		proof(
			"apps/cli/test/parts.test.ts",
			"lists components that are built in, from recipes and in the registry in one table",
		),
		proof("apps/cli/test/parts.test.ts", "shows hosts and credentials, asks, and installs a pinned version"),
	],
	"CLI-WEBHOOKS": [
		proof("apps/cli/test/workflows.test.ts", "webhooks are created, listed, called and revoked"),
	],
	"CLI-AUTH-RECIPE": [
		proof("apps/cli/test/auth-recipe.test.ts", "list shows each with its fields and hosts"),
		proof(
			"apps/cli/test/auth-recipe.test.ts",
			"push stores an auth recipe under the file's name, and credentials can then be pushed for it",
		),
	],
	"CLI-LAYER-ENV": [proof("apps/cli/test/config.test.ts", "a real variable wins")],
	"CLI-LAYER-ENV-MCP-URL": [proof("apps/cli/test/config.test.ts", "a real variable wins")],
	"CLI-LAYER-PROJECT": [proof("apps/cli/test/config.test.ts", "then tripline.json")],
	"CLI-LAYER-GLOBAL": [proof("apps/cli/test/config.test.ts", "then the global file")],
	"CLI-LAYER-DEFAULT": [proof("apps/cli/test/config.test.ts", "then the default, which has no source")],
	"CLI-VERSION": [proof("apps/cli/test/version.process.test.ts", "--version reads the manifest at run time")],
	"CLI-VERSION-LINE": [proof("apps/cli/test/version.process.test.ts", "the version is one of the line 1.3")],
	"CLI-VERSION-CHANGELOG": [
		proof("scripts/test/release.test.ts", "passes on this repository"),
		proof("scripts/test/release.test.ts", "reports a missing entry of an earlier release"),
	],
	"CLI-VERSION-DEPLOY-PATCH": [
		proof(
			"test/deploy/deploy-script.test.ts",
			"raises the version, writes the changelog, and reports a failing worker with exit code 1",
		),
		proof(
			"scripts/test/deploy.test.ts",
			"raises the patch number, writes the changelog entry, commits and tags both, bundles and updates",
		),
		proof(
			"scripts/test/release.test.ts",
			"raises the patch number in every manifest, the lock file and the first page",
		),
	],
	"CLI-VERSION-DEPLOY-CHANGELOG": [
		proof(
			"test/deploy/deploy-script.test.ts",
			"raises the version, writes the changelog, and reports a failing worker with exit code 1",
		),
		proof(
			"scripts/test/deploy.test.ts",
			"raises the patch number, writes the changelog entry, commits and tags both, bundles and updates",
		),
		proof(
			"scripts/test/release.test.ts",
			"writes the commits since the last release as sentences, grouped by type",
		),
	],
	"CLI-VERSION-CHECK": [
		proof("scripts/test/release.test.ts", "finds nothing if all versions agree"),
		proof("scripts/test/release.test.ts", "passes on this repository"),
		proof("scripts/test/deploy.test.ts", "prints update's failure, and which version differs"),
	],
};
