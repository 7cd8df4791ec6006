import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";

const name = fc
	.string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
	.map((text) => text.trim())
	.filter((text) => text !== "" && text !== "input" && !text.includes(">>") && !/\p{Cc}/u.test(text));

const storable = fc.string({ unit: anyCharacter, maxLength: 10 }).filter((text) => !text.includes("\0"));
const json = fc
	.jsonValue({ stringUnit: anyCharacter, maxDepth: 3 })
	.filter((value) => !JSON.stringify(value).includes("\\u0000"));

const condition = fc.oneof(
	fc
		.constantFrom("ON_SUCCESS", "ON_FAIL", "ALWAYS", "ON_TRUE", "ON_FALSE", "DEFAULT", "then", "on error")
		.map((on) => ({ on })),
	storable.map((value) => ({ on: "CASE", value })),
	fc
		.stringMatching(/^[\p{L}_][\w]{0,5}$/u)
		.chain((as) => fc.constantFrom({ on: "FOREACH", as }, { on: "REPEAT", as })),
);

const settings = fc.record(
	{
		credential: fc.constantFrom("api", "金鑰"),
		retry: fc.record({ max: fc.nat(20), factor: fc.constantFrom(1, 1.5) }, { requiredKeys: ["max"] }),
		timeout_ms: fc.integer({ min: 1, max: 600_000 }),
		concurrency: fc.integer({ min: 1, max: 64 }),
		on_item_error: fc.constantFrom("stop", "collect"),
	},
	{ requiredKeys: [] },
);

const reserved = new Set(["component", "credential", "retry", "timeout_ms", "concurrency", "on_item_error"]);
const params = fc.dictionary(
	storable.filter((key) => !reserved.has(key)),
	json,
	{ maxKeys: 3 },
);

const graph = fc.uniqueArray(name, { minLength: 1, maxLength: 6 }).chain((ids) => {
	const end = fc.constantFrom(...ids);
	const node = fc
		.tuple(fc.option(fc.constantFrom("set", "http_request"), { nil: undefined }), params, settings)
		.map(([component, params, settings]) => ({ ...(component && { component }), params, ...settings }));
	const edge = fc
		.tuple(fc.oneof(end, fc.constant("input")), end, condition)
		.map(([from, to, condition]) => ({ from, to, ...condition }));
	return fc
		.tuple(
			fc.array(node, { minLength: ids.length, maxLength: ids.length }),
			fc.array(edge, { maxLength: 10 }),
		)
		.map(([nodes, edges]) => ({ nodes: ids.map((id, index) => ({ id, ...nodes[index] })), edges }));
});

/** Random workflow documents: graphs with all settings, and text in any script. */
export const document = fc
	.record(
		{
			id: fc.constantFrom("g1", "圖"),
			name: fc.constantFrom("orders", "每日報告"),
			description: storable,
			version: fc.constantFrom("1.0", "β"),
			tags: fc.constantFrom(["shop"], ["訂單", "b.c-1"]),
			trigger: fc.constantFrom(
				{ type: "webhook" },
				{ type: "schedule", cron: "@hourly", timezone: "Asia/Taipei" },
				{ type: "event", event: "order.*", overlap: "queue" },
			),
			context: params,
			result: json.filter((value) => value !== null),
			options: fc.constantFrom(
				{},
				{ query: true, concurrency: 2 },
				{ input_schema: { type: "object" } },
				{ output_schema: { type: "string" } },
			),
		},
		{ requiredKeys: [], noNullPrototype: true },
	)
	.chain((fields) => graph.map((graph) => ({ ...fields, ...graph })));
