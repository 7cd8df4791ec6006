import assert from "node:assert/strict";
import { Validation } from "@tripline/contract/executor";
import type { Scenario } from "../../scenario.ts";
import { createRow, createWebhook, failOnce, runOnce, trigger } from "./token-webhook.ts";

const text = (text: string) => ({ component: "template", text });

export const expressions: readonly Scenario[] = [
	{
		name: "default takes a reference, and a chain of them gives the first value that is there",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				triplets: [
					"input >> then >> check",
					"check >> if true >> yes",
					"check >> if false >> no",
					"yes >> then >> end",
					"no >> then >> end",
				],
				config: {
					check: { component: "if", condition: "input.ok" },
					yes: { component: "set", values: { way: "{{input.way | default(input.other) | default(null)}}" } },
					no: { component: "set", values: { way: "none" } },
					end: { component: "set", values: { way: "{{yes.way | default(no.way)}}" } },
				},
			});
			const run = async (input: object) => (await trigger(world.anyone, token, input)).data;
			assert.deepEqual(await run({ ok: false }), { way: "none" });
			assert.deepEqual(await run({ ok: true, other: 7 }), { way: 7 });
			assert.deepEqual(await run({ ok: true, way: null, other: 7 }), { way: null });
			assert.deepEqual(await run({ ok: true }), { way: null });
		},
	},
	{
		name: "filters convert lists, texts and objects",
		cites: [],
		async run(world) {
			const values = {
				replace: '{{input.path | replace("/", ".")}}',
				html: "{{input.html | html}}",
				number: "{{input.count | number}}",
				text: "{{input.rows | text}}",
				unique: "{{input.tags | unique}}",
				sum: '{{input.rows | pluck("n") | sum}}',
				most: "{{input.none | max | default(0)}}",
				entries: "{{input.size | entries}}",
			};
			const { data } = await runOnce(world, createRow({ only: { component: "set", values } }), {
				path: "a/b/c",
				html: `<a title="it's">&`,
				count: " 12.50 ",
				rows: [{ n: 1 }, { n: 2 }],
				tags: [{ a: 1, b: 2 }, "x", { b: 2, a: 1 }, "x"],
				none: [],
				size: { w: 2 },
			});
			assert.deepEqual(data, {
				replace: "a.b.c",
				html: "&lt;a title=&quot;it&#39;s&quot;&gt;&amp;",
				number: 12.5,
				text: '[{"n":1},{"n":2}]',
				unique: [{ a: 1, b: 2 }, "x"],
				sum: 3,
				most: 0,
				entries: [{ key: "w", value: 2 }],
			});
		},
	},
	{
		name: "compute evaluates expressions by name, and an error names its value",
		cites: [],
		async run(world) {
			const row = createRow({
				only: {
					component: "compute",
					values: { total: "input.price * input.count", half: "input.price / 2" },
				},
			});
			assert.deepEqual((await runOnce(world, row, { price: 3, count: 2 })).data, { total: 6, half: 1.5 });
			const { error } = await failOnce(world, row, { price: 3 });
			assert.equal(error, 'only: total: "input.count" is missing: "input" has no "count"; it has price');
		},
	},
	{
		name: "switch with cases takes the edge of the first condition that holds, else DEFAULT",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				triplets: [
					"input >> then >> size",
					"size >> CASE large >> truck",
					"size >> CASE small >> post",
					"size >> DEFAULT >> nothing",
				],
				config: {
					size: {
						component: "switch",
						cases: [
							{ label: "large", when: "input.kilos > 30" },
							{ label: "small", when: "input.kilos > 0" },
						],
					},
					truck: text("truck"),
					post: text("post"),
					nothing: text("nothing"),
				},
			});
			const run = async (kilos: number) => (await trigger(world.anyone, token, { kilos })).data;
			assert.deepEqual([await run(31), await run(30), await run(0)], ["truck", "post", "nothing"]);
		},
	},
	{
		name: "a CASE edge that no case of its switch has as label is refused with a hint",
		cites: [],
		async run(world) {
			const body = {
				name: "sizes",
				description: "",
				version: "1",
				triplets: ["size >> CASE larg >> truck", "size >> DEFAULT >> post"],
				config: {
					size: { component: "switch", cases: [{ label: "large", when: "input.kilos > 30" }] },
					truck: text("truck"),
					post: text("post"),
				},
			};
			const checked = await world.executor.expect(200, Validation, "POST", "/workflows/validate", { body });
			assert.deepEqual(
				checked.diagnostics.map(({ severity, code, path, hint }) => [severity, code, path, hint]),
				[["error", "bad_edge", "triplets.0", 'Did you mean "large"?']],
			);
		},
	},
	{
		name: "datetime knows weeks, periods and business days of a time zone",
		cites: [],
		async run(world) {
			const compute = (settings: object) =>
				runOnce(
					world,
					createRow({ only: { component: "datetime", timezone: "America/Sao_Paulo", ...settings } }),
				);
			const day = { operation: "start_of", value: "2018-11-04T12:00:00", unit: "day" };
			assert.equal((await compute(day)).data, "2018-11-04T01:00:00.000-02:00");
			const quarter = { operation: "end_of", value: "2026-02-14", unit: "quarter" };
			assert.equal((await compute(quarter)).data, "2026-03-31T23:59:59.999-03:00");
			const week = { operation: "week", value: "2027-01-02" };
			assert.deepEqual((await compute(week)).data, { week: 53, week_year: 2026, iso: "2026-W53-6" });
			const amount = { business_days: 2 };
			const later = { operation: "add", value: "2026-12-24", amount, holidays: ["2026-12-25"] };
			assert.equal((await compute(later)).data, "2026-12-29T00:00:00.000-03:00");
		},
	},
];
