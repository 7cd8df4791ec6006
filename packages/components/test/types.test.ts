import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compile, compileSource } from "@tripline/engine/compile";
import { builtInCatalogue } from "../src/catalogue.ts";

type Settings = { [name: string]: Json };

/** Nodes in a chain; `more` are further triplets and document fields. */
function compileChain(
	config: { [node: string]: Settings },
	more: { triplets?: string[]; [field: string]: Json | undefined } = {},
) {
	const names = Object.keys(config);
	const chain = names.slice(1).map((name, index) => `${names[index]} >> then >> ${name}`);
	const { triplets = chain, ...fields } = more;
	const json = { triplets: [`input >> then >> ${names[0]}`, ...triplets], config, ...fields };
	return compileSource({ json }, { catalogue: builtInCatalogue, named: false });
}

const CALL: Settings = { component: "http_request", url: "https://example.com" };
const FIND: Settings = { component: "kb_search", q: "tea" };
const SHOP = {
	component: "parse",
	format: "html",
	text: "{{input.html}}",
	select: { title: "h1", products: { all: "li", fields: { price: "b" } } },
};
const ASK: Settings = { component: "llm_chat", model: "m", prompt: "Hello" };

function assertFound(
	compiled: ReturnType<typeof compileChain>,
	code: string,
	message: string,
	hint?: string,
) {
	const found = compiled.diagnostics.filter(({ severity }) => severity === "error");
	assert.deepEqual(
		found.map((diagnostic) => [diagnostic.code, diagnostic.message, diagnostic.hint]),
		[[code, message, hint]],
	);
}

const assertFine = (compiled: ReturnType<typeof compileChain>) => assert.deepEqual(compiled.diagnostics, []);

const reads = (reference: string): Settings => ({ component: "set", values: { read: `{{${reference}}}` } });

describe("a field that a component never returns", () => {
	const cases: [node: Settings, reference: string, message: string, hint: string | undefined][] = [
		[CALL, "first.body", '"first" has no "body"; it has status, headers, data', 'Did you mean "data"?'],
		[
			CALL,
			"first.status_code",
			'"first" has no "status_code"; it has status, headers, data',
			'Did you mean "status"?',
		],
		[
			ASK,
			"first.content",
			'"first" has no "content"; it has text, usage, model, finish_reason',
			'Did you mean "text"?',
		],
		[FIND, "first.results", '"first" has no "results"; it has suggestions', 'Did you mean "suggestions"?'],
		[CALL, "first.pages", '"first" has no "pages"; it has status, headers, data', undefined],
		[
			{ ...CALL, response: "file" },
			"first.data.filename",
			'"first.data" has no "filename"; it has $file, name, type, size',
			undefined,
		],
		[
			{ component: "set", values: { total: 1 } },
			"first.totl",
			'"first" has no "totl"; it has total',
			'Did you mean "total"?',
		],
		[{ component: "template", text: "x" }, "first.text", '"first" is text, not an object', undefined],
		[
			FIND,
			"first.suggestions.page_name",
			'"first.suggestions" is a list, not an object',
			"Read one element, such as first.suggestions[0].page_name, or loop over it with FOREACH",
		],
		[
			{ component: "aggregate", items: [1], compute: { total: "sum(item)" } },
			"first.sum",
			'"first" has no "sum"; it has total',
			undefined,
		],
		[
			{ component: "merge", values: [{ a: 1 }, { b: 2 }] },
			"first.c",
			'"first" has no "c"; it has a, b',
			undefined,
		],
		[
			{
				...ASK,
				schema: { type: "object", properties: { city: { type: "string" } }, additionalProperties: false },
			},
			"first.json.town",
			'"first.json" has no "town"; it has city',
			undefined,
		],
		[
			{ ...ASK, schema: { type: "array", items: { type: "string" } } },
			"first.json[0].town",
			'"first.json[0]" is text, not an object',
			undefined,
		],
		[
			{ ...ASK, tools: [{ name: "get" }] },
			"first.tool_calls[0].args",
			'"first.tool_calls[0]" has no "args"; it has id, name, arguments, is_json',
			undefined,
		],
		[SHOP, "first.titel", '"first" has no "titel"; it has title, products', 'Did you mean "title"?'],
		[SHOP, "first.title.text", '"first.title" is text or null, not an object', undefined],
		[SHOP, "first.products[0].cost", '"first.products[0]" has no "cost"; it has price', undefined],
		[
			{ component: "parse", format: "ics", text: "" },
			"first.event",
			'"first" has no "event"; it has name, events',
			'Did you mean "events"?',
		],
		[
			{ component: "parse", format: "tsv", text: "a" },
			"first.a",
			'"first" is a list, not an object',
			"Read one element, such as first[0].a, or loop over it with FOREACH",
		],
		[
			{ component: "parse", format: "pdf", file: "{{input.file}}" },
			"first.page",
			'"first" has no "page"; it has title, author, subject, created, modified, page_count, pages',
			'Did you mean "pages"?',
		],
		[
			{ component: "parse", format: "docx", file: "{{input.file}}" },
			"first.markdown",
			'"first" has no "markdown"; it has title, text',
			undefined,
		],
		[
			{ component: "parse", format: "zip", file: "{{input.file}}" },
			"first[0].file",
			'"first[0]" has no "file"; it has path, size, compressed_size, modified, folder',
			undefined,
		],
		[
			{ component: "parse", format: "xlsx", file: "{{input.file}}", header: false },
			"first[0][0].a",
			'"first[0][0]" is text, a number, true or false or null, not an object',
			undefined,
		],
	];
	for (const [node, reference, message, hint] of cases)
		test(`${node.component}: ${reference}`, () =>
			assertFound(compileChain({ first: node, second: reads(reference) }), "missing_field", message, hint));

	test("is an error at the field's position", () => {
		const [found] = compileChain({ first: CALL, second: reads("first.body.id") }).diagnostics;
		assert.equal(found?.path, "config.second.values.read");
	});

	test("is not reported if a default follows", () =>
		assertFine(compileChain({ first: CALL, second: reads('first.body | default("")') })));

	test("is a warning if it is plucked from a list, which may be empty", () => {
		const { plan, diagnostics } = compileChain({
			first: FIND,
			second: reads('first.suggestions | pluck("nmae")'),
		});
		assert.ok(plan !== null);
		assert.deepEqual(
			diagnostics.map(({ severity, code }) => [severity, code]),
			[["warning", "missing_field"]],
		);
	});

	test("is a warning in a stored workflow, which still gets a plan", () => {
		const { definition } = compileChain({ first: CALL, second: reads("first.body") });
		assert.ok(definition !== null);
		const { plan, diagnostics } = compile(definition, { catalogue: builtInCatalogue });
		assert.ok(plan !== null);
		assert.deepEqual(
			diagnostics.map(({ severity, code }) => [severity, code]),
			[["warning", "missing_field"]],
		);
	});
});

describe("roots and loop names", () => {
	const input_schema = {
		type: "object",
		properties: { name: { type: "string" } },
		additionalProperties: false,
	};

	test("the context has only the fields that the document gives", () =>
		assertFound(
			compileChain({ first: reads("context.limt") }, { context: { limit: 5 } }),
			"missing_field",
			'"context" has no "limt"; it has limit',
			'Did you mean "limit"?',
		));

	test("the input has what a closed input schema allows", () =>
		assertFound(
			compileChain({ first: reads("input.nam") }, { options: { input_schema } }),
			"missing_field",
			'"input" has no "nam"; it has name',
			'Did you mean "name"?',
		));

	test("an open input schema and no schema allow everything", () => {
		const open = { ...input_schema, additionalProperties: true };
		assertFine(compileChain({ first: reads("input.nam") }, { options: { input_schema: open } }));
		assertFine(compileChain({ first: reads("input.nam") }));
	});

	test("an element is what the list holds", () =>
		assertFound(
			compileChain(
				{
					first: FIND,
					list: { component: "foreach", items: "{{first.suggestions}}" },
					body: reads("hit.title"),
				},
				{ triplets: ["first >> then >> list", "list >> FOREACH hit >> body"] },
			),
			"missing_field",
			'"hit" has no "title"; it has id, entry_type, page_name, snippet, matches, score, why',
		));

	test("after the loop an output is a list", () => {
		const config = {
			list: { component: "foreach", items: [1, 2] },
			body: { component: "set", values: { double: "{{n}}" } },
			after: reads("body.double"),
		};
		const triplets = ["list >> FOREACH n >> body", "list >> then >> after"];
		assertFound(
			compileChain(config, { triplets }),
			"missing_field",
			'"body" is a list, not an object',
			"Read one element, such as body[0].double, or loop over it with FOREACH",
		);
		assertFine(compileChain({ ...config, after: reads("body[0].double") }, { triplets }));
	});

	test("with collected errors an entry may be an error", () => {
		const list = { component: "foreach", items: [1, 2], on_item_error: "collect" };
		const config = {
			list,
			body: { component: "set", values: { a: "{{n}}" } },
			after: reads("body[0].error"),
		};
		assertFine(compileChain(config, { triplets: ["list >> FOREACH n >> body", "list >> then >> after"] }));
	});
});

describe("a value of the wrong type", () => {
	test("in a parameter", () =>
		assertFound(
			compileChain({ first: CALL, second: { component: "foreach", items: "{{first.status}}" } }),
			"wrong_type",
			'parameter "items" must be a list, but "{{first.status}}" is a number',
		));

	test("in a filter", () =>
		assertFound(
			compileChain({ first: CALL, second: reads("first.status | upper") }),
			"wrong_type",
			'"first.status" | upper: needs text, but it is a number',
		));

	test("for a loop", () =>
		assertFound(
			compileChain({ first: FIND, body: reads("hit") }, { triplets: ["first >> FOREACH hit >> body"] }),
			"wrong_type",
			'FOREACH needs a list, but the output of "first" is an object',
			"Select the list in a `foreach` node",
		));

	test("for a branch", () =>
		assertFound(
			compileChain({ first: CALL, yes: reads("first.status") }, { triplets: ["first >> if true >> yes"] }),
			"wrong_type",
			'ON_TRUE needs true or false, but the output of "first" is an object',
			"Decide in an `if` node, whose output is true or false",
		));
});

describe("expressions", () => {
	const found = { component: "kb_search", q: "tea" };
	const check = (settings: Settings) => compileChain({ first: found, second: settings });

	test("read elements of known types", () =>
		assertFound(
			check({ component: "filter", items: "{{first.suggestions}}", where: "item.scor > 1" }),
			"missing_field",
			'"item" has no "scor"; it has id, entry_type, page_name, snippet, matches, score, why',
			'Did you mean "score"?',
		));

	test("compute what the operands allow", () =>
		assertFound(
			check({ component: "map", items: "{{first.suggestions}}", value: "item.page_name * 2" }),
			"wrong_type",
			'"item.page_name * 2": cannot multiply text and a number',
		));

	test("give the type of the next node's input", () =>
		assertFound(
			compileChain({
				first: found,
				second: { component: "map", items: "{{first.suggestions}}", value: "{'title': item.page_name}" },
				third: { component: "sort", items: "{{second}}", by: "item.titel" },
			}),
			"missing_field",
			'"item" has no "titel"; it has title',
			'Did you mean "title"?',
		));

	test("may ask with has before they read", () =>
		assertFine(check({ component: "if", condition: "has(first.results) && first.results == 1" })));

	test("that may not be evaluated are warnings", () => {
		const { diagnostics } = check({ component: "if", condition: "input.a == 1 || first.suggestions > 5" });
		assert.deepEqual(
			diagnostics.map(({ severity, code }) => [severity, code]),
			[["warning", "wrong_type"]],
		);
	});
});

describe("a branch that may be skipped", () => {
	const IF = { component: "if", condition: "input.paid == true" };
	const say = (text: string): Settings => ({ component: "template", text });
	const branches = [
		"check >> if true >> paid",
		"check >> if false >> unpaid",
		"paid >> then >> end",
		"unpaid >> then >> end",
	];
	const compileBranches = (text: string, triplets = branches) =>
		compileChain({ check: IF, paid: say("a"), unpaid: say("b"), end: say(text) }, { triplets });
	const codes = (text: string, triplets?: string[]) =>
		compileBranches(text, triplets).diagnostics.map(({ severity, code, message }) => [
			severity,
			code,
			message,
		]);
	const MAY_BE_SKIPPED = [
		"warning",
		"may_be_skipped",
		'"paid" may have been skipped by then, and has no value in that case',
	];

	test("is a warning at the join that reads it", () => {
		assert.deepEqual(codes("{{paid}}"), [MAY_BE_SKIPPED]);
		assert.deepEqual(codes('{{nodes["paid"] | upper}}'), [MAY_BE_SKIPPED]);
	});

	test("is fine with a default, and for what runs in any case", () => {
		assert.deepEqual(codes("{{paid | default(unpaid)}} {{check}}"), []);
	});

	test("is fine within the branch, and where both conditions are the same", () => {
		assert.deepEqual(
			codes("{{paid}} {{unpaid}}", [
				"check >> if true >> paid",
				"check >> if true >> unpaid",
				"paid >> then >> end",
				"unpaid >> then >> end",
			]),
			[],
		);
		assert.deepEqual(
			codes("{{paid}} {{unpaid}}", [
				"check >> then >> paid",
				"check >> then >> unpaid",
				"paid >> then >> end",
				"unpaid >> then >> end",
			]),
			[],
		);
	});

	test("may also be one whose failure is handled", () => {
		const triplets = [
			"check >> then >> paid",
			"paid >> ON_FAIL >> unpaid",
			"paid >> then >> end",
			"unpaid >> then >> end",
		];
		assert.deepEqual(codes("{{paid}}", triplets), [MAY_BE_SKIPPED]);
		assert.deepEqual(
			codes("{{paid}}", ["check >> then >> paid", "paid >> ON_FAIL >> unpaid", "paid >> then >> end"]),
			[],
		);
	});

	test("is fine in an expression that asks with has", () => {
		const read = (condition: string) =>
			compileChain(
				{ check: IF, paid: say("a"), unpaid: say("b"), end: { component: "if", condition } },
				{ triplets: branches },
			).diagnostics.map(({ code }) => code);
		assert.deepEqual(read("paid == 'a'"), ["may_be_skipped"]);
		assert.deepEqual(read("has(paid) && paid == 'a'"), []);
		assert.deepEqual(read("has(nodes['paid']) ? nodes['paid'] == 'a' : false"), []);
	});

	test("is null in the list after a loop", () => {
		const triplets = ["list >> FOREACH n >> check", "check >> if true >> paid", "list >> then >> end"];
		const config = {
			list: { component: "foreach", items: [1] },
			check: IF,
			paid: say("a{{n}}"),
			end: say("{{paid}}"),
		};
		assert.deepEqual(compileChain(config, { triplets }).diagnostics, []);
	});
});

test("a called workflow returns what its output schema says", () => {
	const workflowOutputs = new Map([
		["weather", { type: "object", properties: { degrees: { type: "number" } }, additionalProperties: false }],
	]);
	const json = {
		triplets: ["call >> then >> say"],
		config: {
			call: { component: "workflow", name: "weather" },
			say: { component: "template", text: "{{call.celsius}}" },
		},
	};
	const { diagnostics } = compileSource(
		{ json },
		{ catalogue: builtInCatalogue, named: false, workflowOutputs },
	);
	assert.deepEqual(
		diagnostics.map(({ message }) => message),
		['"call" has no "celsius"; it has degrees'],
	);
});

describe("the search for mistakes is metered", () => {
	const fields = Object.fromEntries(
		Array.from({ length: 200 }, (_, index) => [`a_rather_long_name_${index}`, 1]),
	);
	const lists = Array.from({ length: 16 }, (_, index) => [[index], { [`f${index}`]: 1 }]);
	const getLastCode = (compiled: ReturnType<typeof compileChain>) => compiled.diagnostics.at(-1)?.code;

	test("many references to missing fields of a large object", () => {
		const text = "{{context.a_rather_long_nam_x}}".repeat(20_000);
		const first = { component: "template", text };
		assert.equal(getLastCode(compileChain({ first }, { context: fields })), "too_large");
	});

	test("many operations on values of many types", () => {
		const sums = Array.from({ length: 90 }, () => "(context.x[0] + context.x[0]) == 1").join(" || ");
		const values = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`v${index}`, sums]));
		const first = { component: "compute", values };
		assert.equal(getLastCode(compileChain({ first }, { context: { x: lists } })), "too_large");
	});
});

test("what is open stays open", () => {
	const open: [Settings, string][] = [
		[CALL, "first.data.items[0].name"],
		[CALL, "first.headers.etag"],
		[{ component: "code", code: "return 1" }, "first.anything"],
		[{ component: "parse", format: "json", text: "{}" }, "first[0].a"],
		[{ component: "parse", format: "csv", text: "a" }, "first[0].column"],
		[{ component: "parse", format: "xml", text: "<a/>" }, "first.a.b"],
		[{ component: "parse", format: "tsv", text: "a" }, "first[0].column"],
		[{ component: "parse", format: "jsonl", text: "1" }, "first[0].a"],
		[{ component: "parse", format: "{{input.format}}", text: "1" }, "first[0].a"],
		[{ component: "parse", file: "{{input.file}}" }, "first[0].a"],
		[{ component: "parse", format: "xlsx", file: "{{input.file}}" }, "first[0].column"],
		[{ component: "parse", format: "xlsx", file: "{{input.file}}", sheet: "*" }, "first.Orders[0].column"],
		[
			{ component: "parse", format: "xlsx", file: "{{input.file}}", sheet: "{{input.sheet}}" },
			"first.Orders",
		],
		[{ component: "parse", format: "zip", file: "{{input.file}}", extract: "*" }, "first[0].file.name"],
		[{ component: "parse", format: "html", text: "", select: "{{input.select}}" }, "first.a[0].b"],
		[{ component: "workflow", name: "other" }, "first.result"],
		[{ component: "set", values: "{{input}}" }, "first.result"],
		[{ component: "merge", values: [{ a: 1 }, "{{input}}"] }, "first.b"],
		[{ component: "kb_get", page_name: "Tea" }, "first.content"],
		[{ ...CALL, paginate: { by: "link" } }, "first.pages"],
		[{ component: "switch", value: "{{input.plan}}" }, "first.name"],
		[{ component: "respond", body: { a: "{{input.b}}" } }, "first.a.c"],
	];
	for (const [node, reference] of open) assertFine(compileChain({ first: node, second: reads(reference) }));
});
