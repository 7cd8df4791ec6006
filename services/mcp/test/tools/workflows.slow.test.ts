import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { echo, failing, type Opened, openTools } from "./open-tools.ts";

describe("the tools for workflows", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	test("save_workflow creates and replaces, and says how to run it", async () => {
		const acme = service.as("saves");
		const first = await acme.call("save_workflow", { document: echo("greet") });
		assert.equal(first.saved, true);
		assert.equal(first.created, true);
		assert.equal(first.name, "greet");
		assert.match(String(first.webhook_url), /\/webhooks\/named\/saves\/greet\/trigger$/);
		assert.match(String(first.next), /run_workflow \{"name":"greet"/);
		const second = await acme.call("save_workflow", { document: echo("greet") });
		assert.equal(second.created, false);
	});

	test("save_workflow answers the schedule, the tool and a sample input", async () => {
		const acme = service.as("facts");
		const input_schema = {
			type: "object",
			required: ["city", "days"],
			properties: { city: { type: "string", minLength: 6 }, days: { type: "integer", minimum: 3 } },
		};
		const trigger = { type: "schedule", cron: "0 9 * * 1", timezone: "Europe/Paris" };
		const options = { expose: true, input_schema };
		const told = await acme.call("save_workflow", { document: echo("my weather", { trigger, options }) });
		assert.deepEqual([told.cron, told.timezone], ["0 9 * * 1", "Europe/Paris"]);
		const at = new Date(String(told.next_run));
		assert.ok(at.getTime() > Date.now() && at.getTime() < Date.now() + 8 * 86_400_000);
		const there = { timeZone: "Europe/Paris", weekday: "short", hour: "numeric", hourCycle: "h23" } as const;
		assert.equal(at.toLocaleString("en", there), "Mon, 09");
		assert.match(String(told.tool), /^run_my_weather_[0-9a-f]{8}$/);
		assert.deepEqual(told.sample_input, { city: "textxx", days: 3 });
		assert.match(String(told.next), /sample_input.*runs? by itself at .*see the tool run_my_weather/);
		const run = await acme.call("run_workflow", { name: "my weather", input: told.sample_input });
		assert.equal(run.success, true);

		const plain = await acme.call("save_workflow", { document: echo("plain") });
		assert.deepEqual(
			[plain.cron, plain.timezone, plain.next_run, plain.tool, plain.sample_input],
			[null, null, null, null, null],
		);
		const daily = { type: "schedule", cron: "@daily" };
		assert.equal(
			(await acme.call("save_workflow", { document: echo("d", { trigger: daily }) })).timezone,
			"UTC",
		);
		const impossible = { type: "object", required: ["a"], properties: { a: { type: "string", not: {} } } };
		const odd = echo("odd", { options: { input_schema: impossible } });
		assert.equal((await acme.call("save_workflow", { document: odd })).sample_input, null);
	});

	test("get_workflow has the state of polls, and none for other triggers", async () => {
		const acme = service.as("states");
		const poll = { operation: "http_request", params: { url: "https://example.com" }, key: "id" };
		const trigger = { type: "schedule", cron: "@yearly", poll };
		await acme.call("save_workflow", { document: echo("polled", { trigger }) });
		await acme.call("save_workflow", { document: echo("plain") });
		assert.deepEqual((await acme.call("get_workflow", { name: "polled" })).trigger_state, {
			...{ since: null, remembered: 0, failures: 0, error: null, retry_at: null },
		});
		assert.equal((await acme.call("get_workflow", { name: "plain" })).trigger_state, null);
	});

	test("save_workflow answers the address of a form", async () => {
		const acme = service.as("forms");
		const trigger = { type: "webhook", form: { title: "Contact" } };
		const options = { input_schema: { type: "object", properties: { name: { type: "string" } } } };
		const told = await acme.call("save_workflow", { document: echo("contact us", { trigger, options }) });
		assert.match(String(told.form_url), /\/f\/forms\/contact%20us$/);
		assert.ok(String(told.next).includes(`form at ${told.form_url}`));
		assert.equal((await acme.call("save_workflow", { document: echo("none") })).form_url, null);
	});

	test("accepts a document as YAML or JSON text", async () => {
		const acme = service.as("texts");
		const yaml = `name: from yaml\ndescription: d\nversion: "1"\ntriplets:\n  - input >> then >> a\nconfig:\n  a: { component: template, text: hi }\n`;
		assert.equal((await acme.call("save_workflow", { document: yaml })).name, "from yaml");
		const json = JSON.stringify(echo("from json"));
		assert.equal((await acme.call("save_workflow", { document: json })).name, "from json");
	});

	test("returns all diagnostics of a document that does not compile, and saves nothing", async () => {
		const acme = service.as("broken");
		const yaml = `name: broken\ndescription: d\nversion: "1"\ntriplets:\n  - input >> thn >> a\nconfig:\n  a: { component: template, txt: hi }\n`;
		const answer = await acme.failing("save_workflow", { document: yaml });
		assert.equal(answer.saved, false);
		const diagnostics = answer.diagnostics as { code: string; line: number; hint?: string }[];
		const relation = diagnostics.find(({ code }) => code === "unknown_relation");
		assert.equal(relation?.line, 5);
		assert.match(String(relation?.hint), /then/);
		assert.ok(diagnostics.some(({ code }) => code === "unknown_parameter"));
		assert.match(String(answer.next), /Nothing was saved.*save_workflow again/);
		assert.match(await acme.problem("get_workflow", { name: "broken" }), /no workflow "broken"/);
	});

	test("names an unknown component with its node and a suggestion", async () => {
		const acme = service.as("missing");
		const document = { ...echo("wf"), config: { back: { component: "templat" } } };
		const answer = await acme.failing("save_workflow", { document });
		assert.deepEqual(answer.missing, ["back"]);
		assert.match(JSON.stringify(answer.diagnostics), /unknown_component.*Did you mean \\"template\\"/);
	});

	test("fits hundreds of diagnostics into the budget, and counts the rest", async () => {
		const acme = service.as("mistakes");
		const triplets = Array.from({ length: 900 }, (_, index) => `n${index} >> nonsense >> m${index}`);
		const answer = await acme.failing("save_workflow", { document: { ...echo("wf"), triplets } });
		assert.ok(Number(answer.more_diagnostics) > 100);
	});

	test("validate_workflow checks without saving", async () => {
		const acme = service.as("checks");
		const good = await acme.call("validate_workflow", { document: echo("wf") });
		assert.equal(good.valid, true);
		assert.equal(good.nodes, 1);
		const bad = await acme.call("validate_workflow", { document: { ...echo("wf"), triplets: ["a >> b"] } });
		assert.equal(bad.valid, false);
		assert.match(JSON.stringify(bad.diagnostics), /bad_triplet/);
		assert.equal((await acme.call("list_workflows")).total, 0);
	});

	test("get_workflow returns the document, which can be saved unchanged", async () => {
		const acme = service.as("gets");
		await acme.call("save_workflow", { document: echo("日報 🌏") });
		const { document, truncated } = await acme.call("get_workflow", { name: "日報 🌏" });
		assert.equal(truncated, false);
		assert.deepEqual((document as { triplets: string[] }).triplets, ["input >> ON_SUCCESS >> back"]);
		assert.equal((await acme.call("save_workflow", { document })).created, false);
		const part = await acme.call("get_workflow", { name: "日報 🌏", select: "config.back.component" });
		assert.equal(part.document, "set");
	});

	test("truncates a long document, says so, and lets it be read in parts", async () => {
		const acme = service.as("long");
		const text = "x".repeat(30_000);
		await acme.call("save_workflow", {
			document: { ...echo("wf"), config: { back: { component: "template", text } } },
		});
		const first = await acme.call("get_workflow", { name: "wf" });
		assert.equal(first.truncated, true);
		assert.match(String(first.next), /do not save it in this form/);
		const select = "config.back.text";
		let [whole, offset]: [string, number | null] = ["", 0];
		while (offset !== null) {
			const part: Part = await acme.call<Part>("get_workflow", {
				name: "wf",
				select,
				offset,
			});
			whole += part.document.replace(/… \[\d+ of \d+ characters\]$/, "");
			offset = part.next_offset;
		}
		assert.equal(whole, text);
	});

	test("get_workflow returns the text of a workflow written as YAML, which is edited with its comments", async () => {
		const acme = service.as("written");
		await acme.call("save_workflow", { document: TEXT });
		const read = await acme.call("get_workflow", { name: "noted" });
		assert.equal(read.yaml, TEXT);
		assert.deepEqual((read.document as { triplets: string[] }).triplets, ["input >> then >> say"]);
		assert.deepEqual([read.truncated, read.omitted, read.next_offset], [false, [], null]);
		assert.match(String(read.next), /Edit the text in yaml, keep its comments.*save_workflow/);
		const changed = TEXT.replace("Hello", "Good day");
		assert.equal((await acme.call("save_workflow", { document: changed })).created, false);
		const again = await acme.call("get_workflow", { name: "noted" });
		assert.equal(again.yaml, changed);
		const part = await acme.call("get_workflow", { name: "noted", select: "config.say.text" });
		assert.deepEqual([part.document, part.yaml], ["Good day {{input.name}}", null]);
		assert.match(String(part.next), /needs the whole document/);
		const text = await acme.call("get_workflow", { name: "noted", select: "yaml" });
		assert.deepEqual([text.document, text.yaml], [changed, null]);
		await acme.call("save_workflow", { document: again.document });
		assert.equal((await acme.call("get_workflow", { name: "noted" })).yaml, null);
		assert.match(await acme.problem("get_workflow", { name: "noted", select: "yaml" }), /there is no "yaml"/);
		assert.match(
			await acme.problem("get_workflow", { name: "noted", offset: 5 }),
			/applies only to a text or a list/,
		);
	});

	test("returns a text that fits in full, even if the document is truncated", async () => {
		const acme = service.as("long-text");
		const long = `${TEXT}# ${"n".repeat(15_000)}\n`;
		await acme.call("save_workflow", { document: long.replace("Hello", "H".repeat(3_000)) });
		const read = await acme.call("get_workflow", { name: "noted" });
		assert.equal(String(read.yaml).length, long.length + 2_995);
		assert.equal(read.truncated, true);
		assert.doesNotMatch(JSON.stringify(read.omitted), /"yaml"/);
		assert.match(String(read.next), /Edit the text in yaml/);
	});

	test("truncates a text that is too long, says so, and lets it be read in parts", async () => {
		const acme = service.as("longest-text");
		const long = `${TEXT}# ${'"日🌏\\'.repeat(9_000)}\n`;
		await acme.call("save_workflow", { document: long });
		const first = await acme.call("get_workflow", { name: "noted", max_chars: 2_000 });
		assert.equal(first.truncated, true);
		const [omitted] = first.omitted as { path: string; total: number }[];
		assert.deepEqual([omitted?.path, omitted?.total], ["yaml", long.length]);
		assert.match(String(first.next), /do not save it in this form.*"select":"yaml"/);
		let [whole, offset]: [string, number | null] = ["", 0];
		while (offset !== null) {
			const part: Part = await acme.call<Part>("get_workflow", { name: "noted", select: "yaml", offset });
			whole += part.document.replace(/… \[\d+ of \d+ characters\]$/, "");
			offset = part.next_offset;
		}
		assert.equal(whole, long);
	});

	test("list_workflows returns triggers and latest runs, by name, in pages", async () => {
		const acme = service.as("lists");
		const trigger = { type: "schedule", cron: "0 9 * * 1" };
		await acme.call("save_workflow", { document: echo("c", { trigger }) });
		await acme.call("save_workflow", { document: echo("a", { options: { expose: true } }) });
		await acme.call("save_workflow", { document: echo("b") });
		await acme.call("run_workflow", { name: "b" });
		const first = await acme.call("list_workflows", { limit: 2 });
		assert.deepEqual(getNames(first), ["a", "b"]);
		assert.equal(first.total, 3);
		const [a] = first.workflows as { exposed: boolean; last_run: unknown }[];
		assert.equal(a?.exposed, true);
		assert.equal(a?.last_run, null);
		// A workflow added before the cursor, or deleted at it, does not shift the page.
		await acme.call("save_workflow", { document: echo("aa") });
		const second = await acme.call("list_workflows", { limit: 2, cursor: first.next_cursor });
		assert.deepEqual(getNames(second), ["c"]);
		assert.equal(second.next_cursor, null);
		const [c] = second.workflows as { trigger: string; cron: string }[];
		assert.equal(c?.trigger, "schedule");
		assert.equal(c?.cron, "0 9 * * 1");
	});

	test("list_workflows returns the workflows of a tag, also with a query", async () => {
		const acme = service.as("tags");
		await acme.call("save_workflow", { document: echo("refund", { tags: ["support", "money"] }) });
		await acme.call("save_workflow", { document: echo("refund all", { tags: ["money"] }) });
		const { workflows, total } = await acme.call("list_workflows", { tag: "support" });
		assert.equal(total, 1);
		assert.deepEqual((workflows as { tags: string[] }[])[0]?.tags, ["support", "money"]);
		assert.deepEqual(getNames(await acme.call("list_workflows", { tag: "support", query: "refund" })), [
			"refund",
		]);
		assert.match(String((await acme.call("list_workflows", { tag: "none" })).next), /No match/);
	});

	test("list_workflows searches the words of names and descriptions", async () => {
		const acme = service.as("finds");
		await acme.call("save_workflow", {
			document: echo("nightly", { description: "Sends invoice reminders to late customers" }),
		});
		await acme.call("save_workflow", { document: echo("weather") });
		assert.deepEqual(getNames(await acme.call("list_workflows", { query: "invoice" })), ["nightly"]);
		assert.deepEqual(getNames(await acme.call("list_workflows", { query: "weath" })), ["weather"]);
		const none = await acme.call("list_workflows", { query: "\ud800 zzz" });
		assert.match(String(none.next), /No match/);
	});

	test("pages of many long workflows are shorter and miss none", async () => {
		const acme = service.as("many");
		const description = "長".repeat(400);
		for (let nth = 0; nth < 100; nth++)
			await acme.call("save_workflow", { document: echo(`${nth} ${"n".repeat(100)}`, { description }) });
		const seen: string[] = [];
		let cursor: string | null = null;
		do {
			const page: Page = await acme.call<Page>("list_workflows", {
				limit: 100,
				...(cursor === null ? {} : { cursor }),
			});
			seen.push(...getNames(page));
			cursor = page.next_cursor;
		} while (cursor !== null);
		assert.equal(new Set(seen).size, 100);
		assert.equal(seen.length, 100);
	});

	test("delete_workflow deletes once, then reports that there is no such workflow", async () => {
		const acme = service.as("deletes");
		await acme.call("save_workflow", { document: echo("report") });
		assert.equal((await acme.call("delete_workflow", { name: "report" })).deleted, true);
		assert.match(await acme.problem("delete_workflow", { name: "report" }), /no workflow "report"/);
	});

	test("suggests similar names for an unknown name", async () => {
		const acme = service.as("near");
		await acme.call("save_workflow", { document: echo("daily report") });
		await acme.call("save_workflow", { document: failing("other") });
		for (const tool of ["get_workflow", "delete_workflow", "run_workflow"])
			assert.match(await acme.problem(tool, { name: "daily reprot" }), /Did you mean "daily report"/);
		assert.match(await acme.problem("list_recent_executions", { workflow: "othr" }), /Did you mean "other"/);
		assert.match(
			await acme.problem("create_webhook", { workflow: "Daily" }),
			/Similar names: "daily report"/,
		);
	});

	test("another tenant's workflow is not found", async () => {
		await service.as("mine").call("save_workflow", { document: echo("secret plan") });
		const other = service.as("theirs");
		for (const tool of ["get_workflow", "delete_workflow", "run_workflow"]) {
			const problem = await other.problem(tool, { name: "secret plan" });
			assert.match(problem, /No workflow exists yet/);
		}
		assert.equal((await other.call("list_workflows", { query: "secret" })).total, 0);
		assert.match(await other.problem("create_webhook", { workflow: "secret plan" }), /no workflow/);
		assert.equal((await service.as("mine").call("run_workflow", { name: "secret plan" })).success, true);
	});

	test("create_webhook creates a URL from a document or a copy of a workflow, and warns that it is secret", async () => {
		const acme = service.as("hooks");
		const { triplets, config } = echo("x");
		const inline = await acme.call("create_webhook", { document: { triplets, config } });
		assert.match(String(inline.webhook_url), /\/webhooks\/[\w-]{32}\/trigger$/);
		assert.match(String(inline.next), /anyone who has the URL can run it/);
		const trigger = { type: "schedule", cron: "@daily" };
		await acme.call("save_workflow", { document: echo("timed", { trigger }) });
		const copy = await acme.call("create_webhook", { workflow: "timed" });
		assert.equal(copy.created, true);
		assert.notEqual(copy.webhook_url, inline.webhook_url);
	});

	test("create_webhook returns the diagnostics of an invalid document", async () => {
		const acme = service.as("badhooks");
		const broken = await acme.failing("create_webhook", { document: "triplets:\n  - a >> nope >> b\n" });
		assert.match(JSON.stringify(broken.diagnostics), /unknown_relation/);
		assert.match(String(broken.next), /No webhook was created/);
		const trigger = { type: "schedule", cron: "@daily" };
		const timed = await acme.failing("create_webhook", { document: echo("x", { trigger }) });
		assert.match(String(timed.error), /save a named workflow instead/);
	});
});

const TEXT = `# Why it is there: somebody asked.
name: noted
description: Greets
version: "1"
triplets:
  - input >> then >> say # the only step
config:
  say: { component: template, text: "Hello {{input.name}}" }
`;

interface Part {
	readonly document: string;
	readonly next_offset: number | null;
}

interface Page {
	readonly next_cursor: string | null;
}

const getNames = (answer: object): string[] =>
	(answer as { workflows: { name: string }[] }).workflows.map(({ name }) => name);
