import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Outside } from "../../conformance/outside.ts";
import type { Environment, Platform, Target } from "../../conformance/platforms.ts";
import { startMachine } from "../machine.ts";
import type { StandIn } from "../stand-in/stand-in.ts";
import { bundleControls } from "./bundles.ts";
import { type Front, openFront, openStoreFront } from "./front.ts";
import { createProvider } from "./provider.ts";

export interface Deployment extends Target {
	/** How many requests scenarios have sent to it. */
	requests(): number;
}

/**
 * Four workers that `tripline init` has created in an account at the stand-in. Creating them is slow, so a deployment
 * whose scenarios are done is emptied and reused.
 */
export function createPlatform(name: string): Platform {
	const idle: Target[] = [];
	return { name, start };

	async function start(environment: Environment): Promise<Target> {
		const target = idle.pop() ?? (await createDeployment((done) => idle.push(done)));
		await target.restart(environment);
		// A new object each time, because callers keep state by identity.
		return { ...target };
	}
}

const PATIENCE_MS = 30_000;

const fronts: Front[] = [];
after(() => Promise.all(fronts.map((front) => front.close())));

async function createDeployment(returned: (target: Deployment) => void): Promise<Deployment> {
	const outside = new Outside();
	const machine = await startMachine({ subdomain: "conformance", outside: outside.fetch });
	const { standIn } = machine;
	const env = { TRIPLINE_BUNDLES: bundleControls(machine.env.TRIPLINE_BUNDLES ?? "") };
	const { code, out, err } = await machine.cli(["init"], { env });
	assert.equal(code, 0, out + err);
	const provider = createProvider(machine);
	const secrets = machine.secrets();
	let settings: Environment = {};
	const getSecret = (secret: string) => (secret in settings ? null : (secrets[secret] ?? null));
	const credentials = () => ({
		access: getSecret("SERVICE_ACCESS_TOKEN"),
		internal: getSecret("STORE_INTERNAL_TOKEN"),
	});
	let now = "";
	let told = "";
	let telling = Promise.resolve();
	let marks = 0;
	// Applied at the next request, so that a change without a request costs nothing.
	const sendTime = () => {
		if (told !== now) telling = sendControl(standIn, `now/${now}`);
		told = now;
		return telling;
	};
	const behind = { standIn, credentials, ready: sendTime };
	const front = await openFront(behind);
	const storeFront = await openStoreFront(behind);
	fronts.push(front, storeFront);

	const target: Deployment = {
		publicUrl: front.url,
		storeUrl: storeFront.url,
		outside,
		kv: provider.namespace("WORKFLOWS_KV"),
		statistics: provider.namespace("STATS_KV"),
		oauth: provider.namespace("OAUTH_KV"),
		isolatesRequests: true,
		requests: () => front.passed() + storeFront.passed(),
		setStoreAway: (isAway) => sendControl(standIn, `away/${isAway}`, ["store"]),
		async lines() {
			// The log does not arrive with the answers; once the marker line is there, all earlier lines are too.
			const mark = `mark-${++marks}`;
			await sendControl(standIn, `mark/${mark}`, ["store"]);
			const lines: string[] = [];
			const latest = Date.now() + PATIENCE_MS;
			while (!lines.includes(mark)) {
				assert.ok(Date.now() < latest, "the workers' log does not come");
				lines.push(...standIn.lines());
				await setTimeout(1);
			}
			return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
		},
		async setNow(time) {
			now = time === null ? "" : String(time);
		},
		async tick() {
			await sendTime();
			await standIn.cron("tripline-executor");
			await standIn.cron("tripline-store");
		},
		async restart(environment) {
			settings = environment;
			await provider.setVariables(buildVariables(front.url, environment));
			told = "";
		},
		async close() {
			await provider.empty();
			returned(target);
		},
	};
	return target;
}

/** The MCP server's address is the one of the request, as scenarios expect, unless they set it. */
const buildVariables = (url: string, environment: Environment) => ({
	BASE_URL: url,
	MCP_URL: null,
	...environment,
	...(environment.OAUTH_KV === "off" && { OAUTH_KV: null }),
});

const ROLES = ["store", "registry", "executor", "mcp"];

/** Sends a command to the controls in the workers. */
async function sendControl(
	standIn: StandIn,
	control: string,
	roles: readonly string[] = ROLES,
): Promise<void> {
	await Promise.all(
		roles.map(async (role) => {
			const { url, done } = await standIn.wayTo(`tripline-${role}`);
			const answer = await fetch(new URL(`/test-control/${control}`, url)).finally(done);
			assert.equal(await answer.text(), "ok");
		}),
	);
}
