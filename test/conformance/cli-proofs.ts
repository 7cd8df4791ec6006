import type { cli } from "./requirements/cli.ts";

type CliRequirement = (typeof cli)[number]["id"];

/** The test that proves a requirement of the command line: its file, and its title as it is written there. */
interface Proof {
	readonly file: string;
	readonly title: string;
}

const proof = (file: string, title: string): Proof => ({ file, title });
const OPEN: readonly Proof[] = [];

/** Scenarios speak HTTP, the command line does not: its requirements are proven by tests of its own. */
export const cliProofs: Readonly<Record<CliRequirement, readonly Proof[]>> = {
	"CLI-THIN-SHELL": OPEN,
	"CLI-INIT-FLAGS": OPEN,
	"CLI-INIT-ENV": OPEN,
	"CLI-INIT-SEED": OPEN,
	"CLI-INIT-SEED-ONE-CALL": OPEN,
	"CLI-UPDATE-CHANGED-ONLY": OPEN,
	"CLI-UPDATE-FORCE": OPEN,
	"CLI-UPDATE-SHARED-INSTALL": OPEN,
	"CLI-UPDATE-PARTIAL-FAILURE": OPEN,
	"CLI-DEPLOY-SELF-HOSTED": OPEN,
	"CLI-MCP-SETUP-FILE": [
		proof(
			"apps/cli/test/mcp-setup.test.ts",
			"writes .mcp.json from the resolved mcp_url and says the next step",
		),
		proof("apps/cli/test/mcp-setup.test.ts", "keeps the other servers and what else the file says"),
	],
	"CLI-MCP-SETUP-URL": [
		proof("apps/cli/test/mcp-setup.test.ts", "takes mcp_url from the project's config file"),
	],
	"CLI-CONFIG": [proof("apps/cli/test/config.test.ts", "lists all settings with value and layer")],
	"CLI-CONFIG-WHERE": [
		proof("apps/cli/test/config.test.ts", "--where adds the file or variable"),
		proof("apps/cli/test/config.test.ts", "--where says that it is the default"),
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
			"finds built-in components, recipes and the registry's in one table",
		),
		proof("apps/cli/test/parts.test.ts", "shows hosts and credentials, asks, and installs what is pinned"),
	],
	"CLI-WEBHOOKS": [
		proof("apps/cli/test/workflows.test.ts", "webhooks are created, listed, called and revoked"),
	],
	"CLI-AUTH-RECIPE": [
		proof("apps/cli/test/auth-recipe.test.ts", "list shows each with its fields and hosts"),
		proof(
			"apps/cli/test/auth-recipe.test.ts",
			"push stores one under the file's name, for which credentials can be pushed",
		),
	],
	"CLI-LAYER-ENV": [proof("apps/cli/test/config.test.ts", "a real variable wins")],
	"CLI-LAYER-ENV-MCP-URL": [proof("apps/cli/test/config.test.ts", "a real variable wins")],
	"CLI-LAYER-PROJECT": [proof("apps/cli/test/config.test.ts", "then tripline.json")],
	"CLI-LAYER-GLOBAL": [proof("apps/cli/test/config.test.ts", "then the global file")],
	"CLI-LAYER-DEFAULT": [proof("apps/cli/test/config.test.ts", "then the default, which nothing says")],
	"CLI-VERSION": [
		proof("apps/cli/test/version.test.ts", "--version prints what the manifest says when it is asked"),
	],
	"CLI-VERSION-LINE": [proof("apps/cli/test/version.test.ts", "the version is one of the line 1.3")],
	"CLI-VERSION-CHANGELOG": [
		proof("scripts/test/release.test.ts", "agrees on this repository"),
		proof("scripts/test/release.test.ts", "misses the entry of an earlier release"),
	],
	"CLI-VERSION-DEPLOY-PATCH": [
		proof(
			"scripts/test/release.test.ts",
			"raises the patch number in every manifest, the lock file and the first page",
		),
	],
	"CLI-VERSION-DEPLOY-CHANGELOG": [
		proof(
			"scripts/test/release.test.ts",
			"writes the commits since the last release as sentences, by what they are",
		),
	],
	"CLI-VERSION-CHECK": [
		proof("scripts/test/release.test.ts", "finds nothing where all agree"),
		proof("scripts/test/release.test.ts", "agrees on this repository"),
	],
};
