import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseData } from "../src/data-file.ts";
import { createTemporaryFolder } from "./process.ts";
import { startWorld } from "./world.ts";

const TOKENS = { staging: "token-of-staging-0123456789", production: "token-of-production-0123456789" };
const worlds = {
	staging: await startWorld({ SERVICE_ACCESS_TOKEN: TOKENS.staging }),
	production: await startWorld({ SERVICE_ACCESS_TOKEN: TOKENS.production }),
};

const guide = readFileSync(new URL("../../../docs/guides/laptop-to-production.md", import.meta.url), "utf8");
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const BIN = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

const greet = `# Says hello
name: greet
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;

interface Job {
	readonly if?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
interface Actions {
	readonly env: Readonly<Record<string, string>>;
	readonly jobs: Readonly<Record<"check" | "staging" | "production", Job>>;
}

const hasTools = ["git", "bash"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

test("the commands of the guide, and the steps of its GitHub Actions, bring a change to production", {
	skip: hasTools ? false : "install git and bash to run it",
}, async (context) => {
	const root = createTemporaryFolder(context);
	const tools = createTools(root);
	const actions = parseData(readBlock("yaml .github/workflows/tripline.yaml"), "actions", {
		isSecret: false,
	}) as unknown as Actions;
	const laptop = join(root, "laptop");
	const addresses = {
		SERVICE_BASE_URL_STAGING: worlds.staging.service.publicUrl,
		SERVICE_BASE_URL_PRODUCTION: worlds.production.service.publicUrl,
	};
	const [pull, change, back, revert] = listBlocks("sh") as [string, string, string, string];
	const onLaptop = (script: string) =>
		runScript(script, laptop, {
			SERVICE_ACCESS_TOKEN_STAGING: TOKENS.staging,
			SERVICE_ACCESS_TOKEN_PRODUCTION: TOKENS.production,
		});

	await call("staging", "/workflows", "application/yaml", greet);
	await runScript(`git init --quiet --initial-branch main ${laptop}`, root, {});
	writeFileSync(join(laptop, "tripline.json"), readBlock("json tripline.json"));

	await onLaptop(pull);
	assert.equal(readFileSync(join(laptop, "workflows/greet.yaml"), "utf8"), greet);
	assert.equal(
		await onLaptop("git status --porcelain"),
		"",
		"the record of pulled versions is ignored by git",
	);
	await runJob(actions.jobs.staging);
	await runJob(actions.jobs.production);
	assert.equal(await greetAt("production"), "Hello Ada");

	const warmer = greet.replace("Hello {{", "A warm hello, {{");
	writeFileSync(join(laptop, "workflows/greet.yaml"), warmer);
	const shown = await onLaptop(change);
	assert.match(shown, /^\+ .*A warm hello[\s\S]*^A warm hello, Ada$/m);
	const checked = await runJob(actions.jobs.check);
	assert.match(checked, /would update/);
	assert.equal(await greetAt("staging"), "Hello Ada", "a pull request changes nothing");

	await runJob(actions.jobs.staging);
	assert.equal(await greetAt("production"), "Hello Ada");
	await runJob(actions.jobs.production);
	assert.equal(await greetAt("production"), "A warm hello, Ada");
	assert.match(
		await onLaptop("tripline pull --service staging"),
		/^greet +2 +workflows\/greet.yaml +unchanged$/m,
	);

	assert.match(await onLaptop(back), /^2 .* cli .*current$/m);
	assert.equal(await greetAt("production"), "Hello Ada");
	await onLaptop(revert);
	await runJob(actions.jobs.staging);
	await runJob(actions.jobs.production);
	assert.equal(await greetAt("production"), "Hello Ada");

	/** Runs a job in a fresh clone, with the secrets that it names and no others. */
	async function runJob({ steps, env }: Job): Promise<string> {
		const clone = mkdtempSync(join(root, "clone-"));
		const secrets = { STAGING_TOKEN: TOKENS.staging, PRODUCTION_TOKEN: TOKENS.production };
		const given = Object.entries({ ...actions.env, ...env }).map(([name, value]) => {
			const secret = /^\$\{\{ secrets\.(\w+) \}\}$/.exec(value)?.[1] as keyof typeof secrets;
			assert.ok(secrets[secret], value);
			return [name, secrets[secret]];
		});
		let said = "";
		for (const { uses, run } of steps) {
			if (uses !== undefined) assert.match(uses, /^actions\/checkout@/);
			const script = run ?? `git clone --quiet ${laptop} .`;
			said += await runScript(script, clone, Object.fromEntries(given));
		}
		return said;
	}

	/** The services run in this process, so that it must not wait for the script. */
	async function runScript(script: string, cwd: string, env: Record<string, string>): Promise<string> {
		const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
			cwd,
			env: {
				...{
					PATH: `${tools}:${process.env.PATH}`,
					HOME: root,
					NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "cache"),
				},
				...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com", GIT_CONFIG_NOSYSTEM: "1" },
				...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com" },
				...addresses,
				...env,
			},
			stdio: ["ignore", "pipe", "pipe"],
		});
		let [out, err] = ["", ""];
		child.stdout.on("data", (chunk) => {
			out += chunk;
		});
		child.stderr.on("data", (chunk) => {
			err += chunk;
		});
		const [code] = await once(child, "close");
		assert.equal(code, 0, `${script}\n${out}${err}`);
		return out;
	}
});

/** `tripline` is the command line of this checkout, and `npm` installs nothing but its major version. */
function createTools(root: string): string {
	const folder = join(root, "tools");
	const [major] = (JSON.parse(manifest) as { version: string }).version.split(".");
	const scripts = {
		tripline: `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${BIN}' "$@"`,
		npm: `[ "$*" = "install --global tripline@${major}" ]`,
	};
	for (const [name, script] of Object.entries(scripts)) {
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(folder, name), 0o755);
	}
	return folder;
}

function listBlocks(info: string): string[] {
	return [...guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
		.filter(([, found]) => found === info)
		.map(([, , text = ""]) => text);
}

const readBlock = (info: string): string => {
	const [text] = listBlocks(info);
	assert.ok(text !== undefined, info);
	return text;
};

/** What the workflow answers at a service. */
async function greetAt(name: keyof typeof worlds): Promise<unknown> {
	const answer = await call(name, "/webhooks/named/greet/trigger", "application/json", '{"name":"Ada"}');
	return ((await answer.json()) as { data: unknown }).data;
}

async function call(name: keyof typeof worlds, path: string, type: string, body: string): Promise<Response> {
	const answer = await fetch(`${worlds[name].service.publicUrl}${path}`, {
		method: "POST",
		body,
		headers: {
			"x-service-api-key": "team",
			authorization: `Bearer ${TOKENS[name]}`,
			"content-type": type,
		},
	});
	assert.ok(answer.ok);
	return answer;
}
