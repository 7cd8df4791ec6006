import assert from "node:assert/strict";
import { test } from "node:test";
import { startWithoutService, startWorld } from "./world.ts";

const world = await startWorld();
const alone = startWithoutService();

const document = (config: object, triplets: string[], more: object = {}) =>
	JSON.stringify({ name: "w", description: "d", version: "1", triplets, config, ...more }, null, "\t");

const fetching = { component: "http_request", url: "https://api.example.com" };

interface Validated {
	valid: boolean;
	checked_by: string;
	files: {
		file: string;
		diagnostics: { severity: string; code: string; message: string; line?: number }[];
	}[];
}

async function listLimits(config: object, triplets: string[], more: object = {}) {
	const files = { "w.json": document(config, triplets, more) };
	const { json, code } = await alone.cli(["validate", "w.json", "--target", "workers", "--json"], { files });
	assert.equal(code, 0);
	const { diagnostics = [] } = (json as Validated).files[0] ?? {};
	return diagnostics.filter(({ code }) => code.startsWith("workers_"));
}

test("validate asks the service if it answers, and says so", async () => {
	const files = {
		"w.json": document({ hello: { component: "set", values: {} } }, ["input >> then >> hello"]),
	};
	const { code, out } = await world.cli(["validate", "w.json"], { files });
	assert.equal(code, 0);
	assert.equal(out, `1 file: ok (checked by ${world.service.publicUrl})\n`);
});

test("validate compiles locally with the bundled recipes if no service answers", async () => {
	const config = { note: { component: "slack.post_message", channel: "c", text: "t", credential: "slack" } };
	const files = { "w.json": document(config, ["input >> then >> note"]) };
	const { code, out } = await alone.cli(["validate", "w.json"], { files });
	assert.equal(code, 0, out);
	assert.match(out, /checked locally, with bundled components only: http:\S+ does not answer/);
});

test("validate --local does not ask the service", async () => {
	const files = { "w.json": document({ hello: { component: "mine" } }, ["input >> then >> hello"]) };
	const { json } = await world.cli(["validate", "w.json", "--local", "--json"], {
		files,
		fetch: () => assert.fail("a service was called"),
	});
	const { checked_by, files: checked } = json as Validated;
	assert.equal(checked_by, "local");
	assert.equal(checked[0]?.diagnostics[0]?.code, "unknown_component");
});

test("validate points at the line and column of each error, in YAML and in JSON", async () => {
	const files = {
		"a.yaml": 'name: a\ndescription: d\nversion: "1"\ntriplets:\n  - input >> sometimes >> b\n',
		"b.json": document({ hello: { component: "sett" } }, ["input >> then >> hello"]),
	};
	for (const { cli } of [world, alone]) {
		const { code, out } = await cli(["validate", "a.yaml", "b.json"], { files });
		assert.equal(code, 1);
		assert.match(out, /^a\.yaml:5:14 error unknown_relation /m);
		assert.match(out, /^b\.json:\d+:\d+ error unknown_component /m);
	}
});

test("validate reports a file that is not JSON, is empty or is missing", async () => {
	const files = { "a.json": '{"triplets": [', "b.yaml": "" };
	const { code, out } = await alone.cli(["validate", "a.json", "b.yaml"], { files });
	assert.equal(code, 1);
	assert.match(out, /^a\.json error bad_json not JSON: /m);
	assert.match(out, /^b\.yaml:1:1 error /m);
	assert.equal((await alone.cli(["validate", "no.yaml"])).code, 2);
	assert.equal((await alone.cli(["validate", "."])).code, 1);
});

test("validate says what to set if the access token is missing", async () => {
	const secured = { files: { "w.json": "{}" } };
	const { code, err } = await world.cli(["validate", "w.json"], {
		...secured,
		fetch: async () => Response.json({ error: "a valid access token is needed" }, { status: 401 }),
	});
	assert.equal(code, 1);
	assert.match(err, /the service at http\S+ needs an access token\n {2}set SERVICE_ACCESS_TOKEN/);
});

test("an ordinary workflow exceeds no limit of the free plan", async () => {
	assert.deepEqual(await listLimits({ fetch: fetching }, ["input >> then >> fetch"]), []);
});

test("a loop with requests reports how many elements fit", async () => {
	const list = { component: "foreach", items: "{{input.cities}}" };
	const [found, ...more] = await listLimits({ list, fetch: fetching }, ["list >> FOREACH city >> fetch"]);
	assert.equal(found?.code, "workers_requests");
	assert.match(found?.message ?? "", /"fetch" runs once for each element: with more than 48 elements/);
	assert.deepEqual(more, []);
});

test("the length of a literal list is checked", async () => {
	const listForLength = async (length: number) => {
		const list = { component: "foreach", items: Array.from({ length }, (_, each) => each) };
		return listLimits({ list, fetch: fetching }, ["list >> FOREACH city >> fetch"]);
	};
	assert.deepEqual(await listForLength(48), []);
	assert.match((await listForLength(49))[0]?.message ?? "", /with 49 elements \(at most 48 fit\)/);
});

test("pages and retries count", async () => {
	const fetch = { ...fetching, attempts: 1, paginate: { by: "link", max_pages: 20 }, retry: { max: 2 } };
	const [found] = await listLimits({ fetch }, ["input >> then >> fetch"]);
	assert.match(found?.message ?? "", /may make 62 requests .* 60 of them by "fetch"/);
});

test("calls of the store count, with all pages of a filtered list", async () => {
	const list = { component: "foreach", items: "{{input.ids}}" };
	const countFitting = async (each: object) => {
		const [found] = await listLimits({ list, each }, ["list >> FOREACH id >> each"]);
		return /with more than (\d+) elements/.exec(found?.message ?? "")?.[1];
	};
	assert.equal(await countFitting({ component: "state_increment", name: "n" }), "48");
	assert.equal(await countFitting({ component: "kb_why", subject: "a", predicate: "b", object: "c" }), "48");
	const record = { component: "record_save", template: "t", values: {} };
	assert.equal(await countFitting(record), "48");
	assert.equal(await countFitting({ ...record, slots: [] }), "24");
	assert.equal(await countFitting({ component: "file_keep", file: "{{id}}", name: "n" }), "48");
	assert.equal(await countFitting({ component: "make_file", name: "a.txt", text: "x" }), "16");
	assert.equal(await countFitting({ component: "parse", format: "csv", file: "{{id}}" }), "24");
	const filtered = { component: "kb_list", metadata: { a: 1 }, retry: { max: 5 } };
	const [found] = await listLimits({ filtered }, ["input >> then >> filtered"]);
	assert.match(found?.message ?? "", /may make 62 requests .* 60 of them by "filtered"/);
	assert.deepEqual(await listLimits({ all: { component: "kb_list" } }, ["input >> then >> all"]), []);
});

test("a folder is reported, because Workers have no disk", async () => {
	const config = { list: { component: "folder", action: "list", path: "/srv" } };
	const [found] = await listLimits(config, ["input >> then >> list"]);
	assert.deepEqual([found?.code, found?.severity], ["workers_folder", "warning"]);
});

test("code, long waits, long retries and many concurrent answers are reported", async () => {
	const config = {
		calc: { component: "code", code: "return 1" },
		pause: { component: "wait", ms: 45_000 },
		list: { component: "foreach", items: [1, 2], concurrency: 30 },
		fetch: fetching,
		insist: { component: "set", values: {}, retry: { max: 6 } },
	};
	const triplets = [
		"calc >> then >> pause",
		"pause >> then >> list",
		"list >> FOREACH each >> fetch",
		"list >> then >> insist",
	];
	const found = await listLimits(config, triplets, { trigger: { type: "schedule", cron: "@hourly" } });
	assert.deepEqual(
		found.map(({ code, message, severity }) => [severity, code, /"(\w+)"/.exec(message)?.[1]]),
		[
			["warning", "workers_cpu", "calc"],
			["warning", "workers_wait", "pause"],
			["warning", "workers_memory", "fetch"],
			["warning", "workers_wait", "insist"],
		],
	);
});

test("rejects any other target", async () => {
	const files = { "w.json": document({}, ["input >> then >> set"]) };
	assert.equal((await alone.cli(["validate", "w.json", "--target", "moon"], { files })).code, 2);
});

test("the turns of a repeat are checked", async () => {
	const listForTurns = (max?: number | string) =>
		listLimits(
			{ poll: { component: "repeat", until: "true", ...(max !== undefined && { max }) }, fetch: fetching },
			["poll >> REPEAT turn >> fetch"],
		);
	assert.deepEqual(await listForTurns(), []);
	assert.match(
		(await listForTurns(49))[0]?.message ?? "",
		/once for each turn: with 49 turns \(at most 48 fit\)/,
	);
	assert.match((await listForTurns("{{input.max}}"))[0]?.message ?? "", /with more than 48 turns/);
});
