import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startWorld } from "./world.ts";

const { cli, service } = await startWorld();

const NOON = "2026-11-05T12:00:00.000Z";
const UNKNOWN = "00000000-0000-7000-8000-000000000000";

/** Writes an entry, then runs the last node. */
const document = (name: string, last: string) => `name: ${name}
description: Works
version: "1"
options: { keep: all }
triplets:
  - input >> ON_SUCCESS >> write
  - write >> ON_SUCCESS >> last
config:
  write: { component: kb_upsert, page_name: "${name}", content: "of {{input.who}}" }
  last: { component: ${last} }
`;

const ADA = ["--input", JSON.stringify({ who: "Ada" })];
const FAILING = 'fail, message: "no {{input.who}}"';
const SLOW = "wait, ms: 60000";
const GREETING = 'template, text: "Hello {{input.who}}"';

async function save(name: string, last: string): Promise<void> {
	const { code, err } = await cli(["push", "one.yaml"], { files: { "one.yaml": document(name, last) } });
	assert.equal(code, 0, err);
}

/** Starts a run that nobody waits for. */
async function accept(name: string, who = "Ada"): Promise<string> {
	const response = await fetch(`${service.publicUrl}/webhooks/named/default/${name}/trigger`, {
		method: "POST",
		headers: { prefer: "respond-async", "content-type": "application/json" },
		body: JSON.stringify({ who }),
	});
	assert.equal(response.status, 202);
	return ((await response.json()) as { execution_id: string }).execution_id;
}

/** Until when the run waits, as the command line prints it. */
async function waitForWait(id: string): Promise<string> {
	for (;;) {
		const { json } = await cli(["executions", "show", id, "--json"]);
		const { until } = (json as { unfinished: { until?: string } | null }).unfinished ?? {};
		if (until !== undefined) return until.slice(0, 19).replace("T", " ");
		await sleep(20);
	}
}

const watch = (id: string, ...flags: string[]) =>
	cli(["executions", "watch", id, ...flags], { wait: (ms) => sleep(Math.min(ms, 100)) });

/** Saves a workflow that fails and runs it. */
async function fail(name: string, ...people: string[]): Promise<string[]> {
	await save(name, FAILING);
	const ids: string[] = [];
	for (const who of people) {
		const id = await accept(name, who);
		assert.equal((await watch(id)).code, 1);
		ids.push(id);
	}
	return ids;
}

interface Repeated {
	executions: { id: string; result: string; execution_id: string | null; error: string | null }[];
}

test("executions --unfinished lists runs that have not ended, and executions cancel ends one", async () => {
	await save("slow", SLOW);
	await save("other", GREETING);
	const id = await accept("slow");
	const listed = await cli(["executions", "--unfinished"]);
	assert.equal(listed.code, 0, listed.err);
	assert.match(listed.out, new RegExp(`slow +(?:running|waiting) +[01] +named +${id}`));
	const { json } = await cli(["executions", "slow", "--unfinished", "--json"]);
	assert.deepEqual(
		(json as { executions: { id: string }[] }).executions.map((each) => each.id),
		[id],
	);
	assert.equal((await cli(["executions", "other", "--unfinished"])).out, "no unfinished runs\n");
	assert.equal((await cli(["executions", "no such", "--unfinished"])).code, 1);
	assert.equal((await cli(["executions", "--unfinished", "--failed"])).code, 2);
	assert.equal((await cli(["executions", "--unfinished", "--since", "1h"])).code, 2);
	assert.equal((await cli(["executions", "cancel", id])).out, "cancelled\n");
	assert.equal((await cli(["executions", "--unfinished"])).out, "no unfinished runs\n");
	const watched = await watch(id);
	assert.equal(watched.code, 1);
	assert.match(watched.out, /status: +cancelled/);
});

test("waiting lists the runs that wait, the next to go on first", async () => {
	assert.equal((await cli(["waiting"])).out, "no run waits for a time, an answer or an event\n");
	await save("tomorrow", "wait, for: 1 day");
	await save("soon", "wait, for: 2 hours");
	await save("busy", SLOW);
	const [late, early, running] = [await accept("tomorrow"), await accept("soon"), await accept("busy")];
	const untilLate = await waitForWait(late);
	const untilEarly = await waitForWait(early);
	const { out } = await cli(["waiting"]);
	assert.match(out, /^TIME +WORKFLOW +FOR +UNTIL +ID\n/);
	const rows = [`soon +time +${untilEarly} +${early}`, `tomorrow +time +${untilLate} +${late}`];
	assert.match(out, new RegExp(`${rows.join("\n[^\n]*")}\n$`));
	const { json } = await cli(["waiting", "--json"]);
	const { executions } = json as { executions: Record<string, string>[] };
	assert.deepEqual(
		executions.map(({ id, waits_for }) => [id, waits_for]),
		[
			[early, "time"],
			[late, "time"],
		],
	);
	const unfinished = await cli(["executions", "--unfinished"], { width: 200 });
	assert.match(unfinished.out, new RegExp(`soon +waiting until ${untilEarly} +1 +named +${early}`));
	for (const id of [late, early, running]) await cli(["executions", "cancel", id]);
	assert.equal((await cli(["waiting"])).out, "no run waits for a time, an answer or an event\n");
});

test("waiting reads all pages of unfinished runs", async () => {
	const run = (id: string, waits_for: string | null) => ({
		...{ id, waits_for, workflow: "job", time: NOON, since: NOON, trigger: "named", attempts: 1 },
		...(waits_for === "time" ? { status: "waiting", until: NOON } : { status: "running" }),
	});
	const pages: Readonly<Record<string, object>> = {
		"": { executions: [run("a", "time"), run("b", null)], next_cursor: "2" },
		"2": { executions: [run("c", "start")], next_cursor: "3" },
		"3": { executions: [run("d", "time")], next_cursor: null },
	};
	const { json } = await cli(["waiting", "--json"], {
		fetch: async ({ url }) => Response.json(pages[new URL(url).searchParams.get("cursor") ?? ""]),
	});
	assert.deepEqual(
		(json as { executions: { id: string }[] }).executions.map(({ id }) => id),
		["a", "d"],
	);
});

test("executions show and watch say until when a run waits", async () => {
	await save("shown", "wait, for: 1 day");
	const id = await accept("shown");
	const until = await waitForWait(id);
	const shown = await cli(["executions", "show", id]);
	assert.match(shown.out, new RegExp(`status: +accepted\nnow: +waiting until ${until}`));
	const now = { time: Date.now() };
	const watched = await cli(["executions", "watch", id, "--timeout", "1m"], {
		now: () => now.time,
		wait: async (ms) => {
			now.time += ms;
		},
	});
	assert.equal(watched.code, 1);
	assert.match(
		watched.err,
		new RegExp(`^status: waiting until ${until}\n[^]*has not ended in time; it goes on at ${until}\n`),
	);
	await cli(["executions", "cancel", id]);
});

test("executions watch sees a run that waits go on and end", async () => {
	await save("awaited", "wait, for: 2 seconds");
	const id = await accept("awaited");
	const until = await waitForWait(id);
	const { code, err } = await watch(id);
	assert.equal(code, 0, err);
	assert.match(err, new RegExp(`^status: waiting until ${until}\n(?:status: accepted\n)?status: success\n$`));
});

test("run says that a run waits and goes on by itself, and keeps what it needs", async () => {
	await save("rested", "wait, for: 1 day");
	const { code, out, err } = await cli(["run", "rested", "--quiet", ...ADA]);
	assert.equal(code, 0, err);
	const id = /executions watch (\S+)/.exec(out)?.[1] ?? "";
	const until = await waitForWait(id);
	assert.equal(out, `the run goes on by itself, waiting until ${until}\n  tripline executions watch ${id}\n`);
	const files = { "one.yaml": document("drafted", "wait, for: 2 seconds") };
	const drafted = await cli(["run", "--file", "one.yaml", "--json", ...ADA], { files });
	assert.equal(drafted.code, 0, drafted.err);
	assert.match(drafted.err, /the temporary webhook of this run is kept\n {2}tripline webhooks list/);
	const { execution_id, unfinished } = drafted.json as {
		execution_id: string;
		unfinished: { waits_for: string };
	};
	assert.equal(unfinished.waits_for, "time");
	assert.equal((await watch(execution_id)).code, 0);
	await cli(["executions", "cancel", id]);
});

test("executions cancel refuses a run that has ended or is unknown", async () => {
	await save("quick", GREETING);
	const id = await accept("quick");
	assert.equal((await watch(id)).code, 0);
	const ended = await cli(["executions", "cancel", id]);
	assert.equal(ended.code, 1);
	assert.match(ended.err, /the run has ended/);
	for (const unknown of [UNKNOWN, "nothing", "../x"])
		assert.match((await cli(["executions", "cancel", unknown])).err, /there is no execution/);
});

test("executions watch shows the status as it changes, and its exit code is the run's verdict", async () => {
	await save("watched", "wait, ms: 400");
	const id = await accept("watched");
	const { code, out, err } = await watch(id);
	assert.equal(code, 0, err);
	assert.equal(err, "status: accepted\nstatus: success\n");
	assert.match(out, /status: +success/);
	assert.match(out, /last +wait +success/);
	const [failed] = await fail("watched wrong", "Ada");
	const again = await watch(failed as string, "--json");
	assert.equal(again.code, 1);
	assert.equal((again.json as { record: { error: string } }).record.error, "last: no Ada");
	assert.match((await watch(UNKNOWN)).err, /there is no execution/);
});

test("executions watch gives up after --timeout, and the run goes on", async () => {
	await save("long", SLOW);
	const id = await accept("long");
	let now = Date.now();
	const { code, err } = await cli(["executions", "watch", id, "--timeout", "90s"], {
		now: () => now,
		wait: async (ms) => {
			now += ms;
		},
	});
	assert.equal(code, 1);
	assert.match(err, /has not ended in time; it goes on\n {2}tripline executions watch/);
	for (const wrong of ["soon", "0s", "5", "-1s"])
		assert.equal((await watch(id, `--timeout=${wrong}`)).code, 2, wrong);
	assert.equal((await cli(["executions", "cancel", id])).code, 0);
});

test("executions watch survives a service that is away for a while, but not for long", async () => {
	const watchBroken = (id: string, isAway: (call: number) => boolean) => {
		let calls = 0;
		return cli(["executions", "watch", id], {
			wait: () => sleep(50),
			fetch: async (request, init) => {
				calls++;
				if (isAway(calls)) throw new TypeError("fetch failed");
				return fetch(request, init);
			},
		});
	};
	await save("restarted", "wait, ms: 400");
	const watched = await watchBroken(await accept("restarted"), (call) => call === 2 || call === 3);
	assert.equal(watched.code, 0, watched.err);
	assert.equal(watched.err.match(/asking again/g)?.length, 2);
	await save("gone", SLOW);
	const id = await accept("gone");
	const lost = await watchBroken(id, (call) => call > 1);
	assert.equal(lost.code, 1);
	assert.equal(lost.err.match(/asking again/g)?.length, 9);
	assert.equal((await cli(["executions", "cancel", id])).code, 0);
});

test("executions replay repeats a run from the start, with its input or another one", async () => {
	await save("repeated", GREETING);
	const id = await accept("repeated");
	assert.equal((await watch(id)).code, 0);
	const accepted = await cli(["executions", "replay", id]);
	assert.equal(accepted.code, 0, accepted.err);
	const again = /^accepted as (\S+)\n {2}tripline executions watch \1\n$/.exec(accepted.out)?.[1] as string;
	assert.notEqual(again, id);
	assert.equal((await watch(again)).code, 0);
	for (const [input, calling] of [
		['{"who":"Bob"}', {}],
		["@bob.json", { files: { "bob.json": '{"who":"Bob"}' } }],
		["-", { stdin: '{"who":"Bob"}' }],
	] as const) {
		const { json } = await cli(["executions", "replay", id, "--input", input, "--json"], calling);
		const { execution_id } = json as { execution_id: string };
		assert.equal((await watch(execution_id)).code, 0);
		const shown = await cli(["executions", "show", execution_id, "--data"]);
		assert.match(shown.out, /"Hello Bob"/, input);
	}
});

test("executions replay goes on where a run failed, with the current version, and --watch waits for it", async () => {
	const [id] = (await fail("resumed", "Ada")) as [string];
	const same = await cli(["executions", "replay", id, "--from", "failed", "--watch"], {
		wait: () => sleep(50),
	});
	assert.equal(same.code, 1);
	assert.match(same.err, /^accepted as \S+\n/);
	assert.match(same.out, /error: +last: no Ada/);
	await save("resumed", GREETING);
	const current = await cli(["executions", "replay", id, "--from", "failed", "--current", "--watch"], {
		wait: () => sleep(50),
	});
	assert.equal(current.code, 0, current.err);
	assert.match(current.out, /trigger: +replay/);
});

test("executions replay --watch names the new run if the service is away afterwards", async () => {
	await save("lost", GREETING);
	const id = await accept("lost");
	assert.equal((await watch(id)).code, 0);
	const { code, json } = await cli(["executions", "replay", id, "--watch", "--json"], {
		fetch: async (request, init) => {
			if (request.method === "GET") throw new TypeError("fetch failed");
			return fetch(request, init);
		},
	});
	assert.equal(code, 1);
	const { error, hint } = json as { error: string; hint: string };
	const accepted = /^the run is accepted as (\S+), but the executor/.exec(error)?.[1] as string;
	assert.equal(hint, `tripline executions watch ${accepted}`);
	assert.equal((await watch(accepted)).code, 0);
});

test("executions replay says why a run cannot be repeated", async () => {
	const [id] = (await fail("refused", "Ada")) as [string];
	for (const [argv, code, message] of [
		[[UNKNOWN], 1, /there is no execution/],
		[["nothing"], 1, /there is no execution/],
		[[], 2, /<id> is missing/],
		[[id, "--failed"], 2, /either an id or --failed/],
		[[id, "--from", "end"], 2, /--from must be start or failed/],
		[[id, "--since", "1h"], 2, /--since needs --failed/],
		[[id, "--yes"], 2, /--yes needs --failed/],
		[[id, "--timeout", "1m"], 2, /--timeout needs --watch/],
		[[id, "--input", "[]"], 2, /not a JSON object/],
		[[id, "--from", "failed", "--input", "{}"], 1, /has the input that it had/],
		[["--failed"], 2, /--failed needs --since/],
		[["--failed", "--since", "1h", "--watch"], 2, /--watch needs an id/],
		[["--failed", "--since", "1h", "--limit", "0"], 2, /--limit/],
		[["--failed", "--since", "1h", "--workflow", "no such"], 1, /there is no workflow/],
	] as const) {
		const refused = await cli(["executions", "replay", ...argv]);
		assert.equal(refused.code, code, argv.join(" "));
		assert.match(refused.err, message);
	}
	const quick = document("unkept", GREETING).replace("keep: all", "keep: none");
	await cli(["push", "q.yaml"], { files: { "q.yaml": quick } });
	const unkept = await accept("unkept");
	assert.equal((await watch(unkept)).code, 0);
	assert.match((await cli(["executions", "replay", unkept])).err, /the whole input of this run is not kept/);
});

test("executions replay --failed lists failed runs, asks, and repeats them from the oldest on", async () => {
	const ids = await fail("many", "Ada", "Bob", "Eve");
	const argv = ["executions", "replay", "--failed", "--workflow", "many", "--since", "1h"];
	const plain = await cli(argv);
	assert.equal(plain.code, 2);
	assert.match(plain.err, /nothing was repeated\. Not a terminal; pass --yes/);
	const declined = await cli(argv, { answer: () => "n" });
	assert.equal(declined.code, 1);
	const planned = await cli([...argv, "--dry-run", "--json"]);
	assert.deepEqual(
		(planned.json as Repeated).executions.map(({ id, result }) => [id, result]),
		ids.map((id) => [id, "would repeat"]),
	);
	await save("many", GREETING);
	const questions: string[] = [];
	const done = await cli([...argv, "--current", "--limit", "2"], {
		answer: (question) => {
			questions.push(question);
			return "y";
		},
	});
	assert.equal(done.code, 0, done.err);
	assert.deepEqual(questions, ["repeat 2 runs from the start? (y/N)"]);
	assert.match(done.err, /--limit is 2: newer ones, if there are any, are left out/);
	assert.match(done.err, new RegExp(`^1/2 ${ids[0]}: started, \\S+\n2/2 ${ids[1]}: started, `, "m"));
	for (const [, id] of done.err.matchAll(/: started, (\S+)/g))
		assert.equal((await watch(id as string)).code, 0);
});

test("executions replay --failed leaves out cancelled runs and runs that repeat others", async () => {
	await save("left out", SLOW);
	const cancelled = await accept("left out");
	assert.equal((await cli(["executions", "cancel", cancelled])).code, 0);
	await watch(cancelled);
	const [failed] = (await fail("left out", "Ada")) as [string];
	const again = await cli(["executions", "replay", failed, "--watch", "--json"], { wait: () => sleep(50) });
	assert.equal(again.code, 1);
	const argv = ["executions", "replay", "--failed", "--workflow", "left out", "--since", "1h"];
	const { json } = await cli([...argv, "--dry-run", "--json"]);
	assert.deepEqual(
		(json as Repeated).executions.map(({ id }) => id),
		[failed],
	);
});

test("executions replay --failed says which runs were refused, and which are unknown when the service is away", async () => {
	const ids = await fail("partly", "Ada", "Bob");
	const since = ["--since", "1h", "--yes", "--json"];
	const argv = ["executions", "replay", "--failed", "--workflow", "partly", ...since];
	const { cwd, home } = await cli(["pull", "partly", "--yes"]);
	const unkept = document("partly", FAILING).replace("keep: all", "keep: none");
	assert.equal(
		(await cli(["push", "one.yaml"], { at: { cwd, home }, files: { "one.yaml": unkept } })).code,
		0,
	);
	const last = await accept("partly", "Eve");
	assert.equal((await watch(last)).code, 1);
	const refused = await cli(argv);
	assert.equal(refused.code, 1);
	const { executions } = refused.json as Repeated;
	assert.deepEqual(
		executions.map(({ id, result }) => [id, result]),
		[...ids.map((id) => [id, "started"]), [last, "refused"]],
	);
	assert.match(executions[2]?.error ?? "", /the whole input of this run is not kept/);
	let calls = 0;
	const away = await cli(argv, {
		fetch: async (request, init) => {
			if (!request.url.endsWith("/executions/replay")) return fetch(request, init);
			calls++;
			if (calls === 2) throw new TypeError("fetch failed");
			return fetch(request, init);
		},
	});
	assert.equal(away.code, 1);
	assert.deepEqual(
		(away.json as Repeated).executions.map(({ result }) => result),
		["unknown", "unknown", "unknown"],
	);
});
