import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { type Kill, type Machine, otherBundles, renderNeverReady, startMachine } from "./machine.ts";

const KILLS = 20;
/** A run has some 50 requests, and a repeated one starts with a dozen that only read, so each run gets a little further. */
const FARTHEST = 30;
const UPDATE_KILLS = 6;
/** From the upload on: five readiness checks, the rollback, and the tags. */
const FARTHEST_OF_UPDATE = 9;

let undisturbed: Machine;
before(async () => {
	undisturbed = await startMachine();
	const { code, err, out } = await undisturbed.cli(["init"]);
	assert.equal(code, 0, err + out);
});

test(`init, killed at ${KILLS} random points and repeated each time, ends complete and creates nothing twice`, async (context) => {
	const wanted = await describeOutcome(undisturbed);
	for (let left = KILLS; left > 0; ) {
		const machine = await startMachine();
		const kills = await killUntilDone(machine, left);
		left -= kills.length;
		const where = kills.map(({ at, phase }) => `${phase} request ${at}`).join(", then ");
		context.diagnostic(`killed ${where}`);
		const again = await machine.cli(["init"]);
		assert.equal(again.code, 0, `killed ${where}: ${again.err}${again.out}`);
		assert.deepEqual(await describeOutcome(machine), wanted, `killed ${where}`);
	}
});

test(`update, killed at ${UPDATE_KILLS} random points and repeated, ends with a healthy new version or the previous one`, async (context) => {
	const machine = undisturbed;
	let current = {};
	for (let round = 0; round < UPDATE_KILLS; round++) {
		const role = ["store", "registry", "executor", "mcp"][randomInt(4)] as string;
		const isHealthy = randomInt(4) === 0;
		const changeCode = (code: string) => `${isHealthy ? code : renderNeverReady()}\n// ${round}\n`;
		const env = await otherBundles({ [role]: changeCode }, current);
		const previous = listActive(machine);
		const kill: Kill = {
			from: new RegExp(`^PUT .*/tripline-${role}$`),
			at: randomInt(isHealthy ? 3 : FARTHEST_OF_UPDATE) + 1,
			phase: randomInt(2) === 0 ? "before" : "after",
		};
		const what = `${role}, ${isHealthy ? "healthy" : "not healthy"}, killed ${kill.phase} request ${kill.at}`;
		context.diagnostic(what);
		assert.ok(await machine.killed(["update"], kill, env), what);
		const again = await machine.cli(["update"], { env });
		assert.equal(again.code, isHealthy ? 0 : 1, `${what}: ${again.err}${again.out}`);
		if (isHealthy) current = env;
		else assert.deepEqual(listActive(machine), previous, what);
		const calls = machine.standIn.calls.length;
		const { code, out } = await machine.cli(["update"], { env: current });
		assert.deepEqual([code, machine.writes(calls)], [0, []], `${what}: ${out}`);
		assert.match(out, /\(4 unchanged\)/, what);
	}
});

const listActive = ({ standIn }: Machine) =>
	standIn.state().scripts.map(({ name, tags, servingVersion }) => ({ name, tags, servingVersion }));

async function killUntilDone(machine: Machine, most: number): Promise<readonly Kill[]> {
	const kills: Kill[] = [];
	while (kills.length < most) {
		const kill: Kill = { at: randomInt(FARTHEST) + 1, phase: randomInt(2) === 0 ? "before" : "after" };
		if (!(await machine.killed(["init"], kill))) break;
		kills.push(kill);
	}
	return kills;
}

/** Everything that init creates, described independently of the account. */
async function describeOutcome(machine: Machine) {
	const { standIn, cwd, home } = machine;
	const { subdomain, namespaces, databases, indexes, scripts } = standIn.state();
	const secrets = machine.secrets();
	const words: [string, string][] = [
		...namespaces.map(({ id, title }): [string, string] => [id, `id of ${title}`]),
		...databases.map(({ uuid, name }): [string, string] => [uuid, `id of ${name}`]),
		[standIn.accountId, "the account"],
		[subdomain ?? "", "the-subdomain"],
	];
	const recipes = await machine.cli(["auth-recipe", "list", "--json"]);
	assert.equal(recipes.code, 0, recipes.err);
	const told = words.reduce(
		(text, [id, word]) => text.replaceAll(id, word),
		JSON.stringify({
			namespaces: namespaces.map(({ title }) => title),
			databases: databases.map(({ name }) => name),
			indexes: indexes.map(({ name }) => name),
			scripts: scripts.map((script) => ({
				...script,
				tags: script.tags.map((tag) => tag.replace(/^fp:[0-9a-f]{32}$/, "fp")),
				bindings: script.bindings.map((binding) => JSON.stringify(binding)).sort(),
				secrets: Object.entries(script.secrets).map(([name, text]) => [name, text === secrets[name]]),
			})),
			settings: [join(cwd, "tripline.json"), join(home, ".config/tripline/config.json")].map((path) =>
				JSON.parse(readFileSync(path, "utf8")),
			),
			recipes: recipes.json,
		}),
	);
	return JSON.parse(told);
}
