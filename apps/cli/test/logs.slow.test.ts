import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startWorld } from "./world.ts";

const { cli, service } = await startWorld();

const document = (name: string, config: string) => `name: ${name}
description: Works
version: "1"
triplets:
  - input >> ON_SUCCESS >> first
config:
  first: { ${config} }
`;

async function save(name: string, config = 'component: template, text: "Hello"'): Promise<void> {
	const { code, err } = await cli(["push", "one.yaml"], { files: { "one.yaml": document(name, config) } });
	assert.equal(code, 0, err);
}

async function trigger(name: string): Promise<string> {
	const response = await fetch(
		`${service.publicUrl}/webhooks/named/default/${encodeURIComponent(name)}/trigger`,
		{
			method: "POST",
		},
	);
	return ((await response.json()) as { execution_id: string }).execution_id;
}

const triggerMany = (name: string, count: number) =>
	Promise.all(Array.from({ length: count }, () => trigger(name)));

const countLines = (text: string): number => text.split("\n").length - 1;

/** Follows until it has printed so many lines; `act` runs once it follows. */
function follow(argv: readonly string[], lines: number, act: () => Promise<unknown>) {
	let isActing = false;
	return cli(["logs", "-f", ...argv], {
		hasReader: (out) => countLines(out) < lines,
		wait: async () => {
			if (isActing) return sleep(20);
			isActing = true;
			await act();
		},
	});
}

const FAILING = 'component: fail, message: "no\\tway"';

test("logs prints the latest runs, the last one below, with time, workflow, verdict, duration, id and error", async () => {
	await save("good");
	await save("bad", FAILING);
	const good = await trigger("good");
	const bad = await trigger("bad");
	const { code, out } = await cli(["logs"]);
	assert.equal(code, 0);
	const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
	assert.match(
		out,
		new RegExp(
			`^${time} {2}good {2}success {2} +\\d+ ms {2}${good}\n${time} {2}bad {3}failed {3} +\\d+ ms {2}${bad} {2}first: no way\n$`,
		),
	);
	assert.match((await cli(["logs", "--limit", "1"])).out, new RegExp(`^[^\n]*${bad}[^\n]*\n$`));
	assert.match((await cli(["logs", "--failed"])).out, new RegExp(`^[^\n]*${bad}[^\n]*\n$`));
	assert.match((await cli(["logs", "good"])).out, new RegExp(`^[^\n]*${good}[^\n]*\n$`));
	assert.equal((await cli(["logs", "good", "--failed"])).out, "no failed runs\n");
});

test("logs refuses a workflow that does not exist and a wrong limit", async () => {
	assert.match((await cli(["logs", "no such"])).err, /there is no workflow "no such"/);
	assert.match((await cli(["logs", "-f", "no such"])).err, /there is no workflow "no such"/);
	assert.equal((await cli(["logs", "--limit", "0"])).code, 2);
	assert.equal((await cli(["logs", "-x"])).code, 2);
});

test("logs --json prints one JSON object per line", async () => {
	await save("lines");
	const ids = [await trigger("lines"), await trigger("lines")];
	const { out } = await cli(["logs", "lines", "--json"]);
	const records = out
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as { id: string; verdict: string });
	assert.deepEqual(
		records.map(({ id, verdict }) => [id, verdict]).sort(),
		ids.map((id) => [id, "success"]).sort(),
	);
});

test("logs -f prints each of many runs that end together once, and none of another workflow", async () => {
	await save("busy");
	await save("quiet");
	const earlier = await triggerMany("busy", 3);
	let ids: string[] = [];
	const { out } = await follow(["busy", "--json"], 303, async () => {
		const [many] = await Promise.all([triggerMany("busy", 300), triggerMany("quiet", 20)]);
		ids = many;
	});
	const printed = out
		.trimEnd()
		.split("\n")
		.map((line) => (JSON.parse(line) as { id: string }).id);
	assert.deepEqual([...printed].sort(), [...earlier, ...ids].sort());
});

test("logs -f prints a run that started long before others that have ended", async () => {
	await save("long", "component: wait, ms: 1500");
	await save("short");
	const long = trigger("long");
	await sleep(1100);
	const short = await trigger("short");
	const { out } = await follow(["--limit", "1"], 2, () => long);
	assert.match(out, new RegExp(`${short}\n[^\n]*${await long}\n$`));
});

test("logs -f --failed prints only failed runs", async () => {
	await save("sound");
	await save("broken", FAILING);
	let id = "";
	const { out } = await follow(["--failed", "--limit", "1"], 2, async () => {
		await trigger("sound");
		id = await trigger("broken");
	});
	assert.match(out.split("\n")[1] ?? "", new RegExp(`broken.*${id}`));
});

test("logs -f says that the service is away and that it is back, and misses nothing meanwhile", async () => {
	await save("away");
	await trigger("away");
	let calls = 0;
	let id = "";
	const { code, out, err } = await cli(["logs", "-f", "away"], {
		hasReader: (text) => countLines(text) < 2,
		fetch: async (request, init) => {
			if (!request.url.includes("after=")) return fetch(request, init);
			calls++;
			if (calls > 3) return fetch(request, init);
			if (calls === 2) id = await trigger("away");
			throw new TypeError("fetch failed");
		},
	});
	assert.equal(code, 0);
	assert.match(out.split("\n")[1] ?? "", new RegExp(id));
	assert.match(err, /^the executor[^\n]*; asking again until it answers\nthe service answers again\n$/);
});

test("logs -f asks less often while nothing happens", async () => {
	const pauses: number[] = [];
	await cli(["logs", "-f"], {
		hasReader: () => pauses.length < 5,
		wait: async (ms) => {
			pauses.push(ms);
		},
	});
	assert.deepEqual(pauses, [1_000, 2_000, 4_000, 5_000, 5_000]);
});
