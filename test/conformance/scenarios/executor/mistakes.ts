import assert from "node:assert/strict";
import { Validation } from "@tripline/contract/executor";
import type { Json } from "@tripline/contract/json";
import type { Scenario } from "../../scenario.ts";

type Config = { readonly [node: string]: { readonly [setting: string]: Json } };

interface Mistake {
	readonly what: string;
	readonly code: string;
	readonly triplets: readonly string[];
	readonly config: Config;
}

const CALL = { component: "http_request", url: "https://example.com" };
const FIND = { component: "kb_search", q: "tea" };
const LIST = { component: "foreach", items: [{ price: 1 }] };
const say = (text: string) => ({ component: "template", text });

const REFERENCES: readonly Mistake[] = [
	{
		what: "a misspelt node",
		code: "unknown_reference",
		triplets: ["total >> then >> mail"],
		config: { total: { component: "set", values: { sum: 1 } }, mail: say("{{totl.sum}}") },
	},
	{
		what: "a field that the component does not return",
		code: "missing_field",
		triplets: ["call >> then >> mail"],
		config: { call: CALL, mail: say("{{call.body}}") },
	},
	{
		what: "a node that runs later",
		code: "unreachable_reference",
		triplets: ["first >> then >> second"],
		config: { first: say("{{second}}"), second: say("x") },
	},
	{
		what: "an element outside its loop",
		code: "unreachable_reference",
		triplets: ["list >> FOREACH order >> line", "list >> then >> mail"],
		config: { list: LIST, line: say("{{order.price}}"), mail: say("{{order.price}}") },
	},
	{
		what: "the output of a loop's node as one value",
		code: "missing_field",
		triplets: ["list >> FOREACH order >> line", "list >> then >> mail"],
		config: {
			list: LIST,
			line: { component: "set", values: { price: "{{order.price}}" } },
			mail: say("{{line.price}}"),
		},
	},
	{
		what: "a branch that may be skipped",
		code: "may_be_skipped",
		triplets: [
			"paid >> if true >> yes",
			"paid >> if false >> no",
			"yes >> then >> mail",
			"no >> then >> mail",
		],
		config: {
			paid: { component: "if", condition: "input.paid == true" },
			yes: say("y"),
			no: say("n"),
			mail: say("{{yes}}"),
		},
	},
];

const TYPES: readonly Mistake[] = [
	{
		what: "text where a list is needed",
		code: "wrong_type",
		triplets: ["text >> then >> big"],
		config: { text: say("x"), big: { component: "filter", items: "{{text}}", where: "item.total > 1" } },
	},
	{
		what: "a calculation with text",
		code: "wrong_type",
		triplets: ["find >> then >> twice"],
		config: {
			find: FIND,
			twice: { component: "compute", values: { twice: "find.suggestions[0].page_name * 2" } },
		},
	},
	{
		what: "a filter for text on a number",
		code: "wrong_type",
		triplets: ["call >> then >> mail"],
		config: { call: CALL, mail: say("{{call.status | upper}}") },
	},
	{
		what: "a condition that is a number",
		code: "wrong_type",
		triplets: ["call >> then >> fine", "fine >> if true >> mail"],
		config: { call: CALL, fine: { component: "if", condition: "call.status" }, mail: say("x") },
	},
	{
		what: "a number for a parameter that takes text",
		code: "wrong_type",
		triplets: ["call >> then >> find"],
		config: { call: CALL, find: { component: "kb_search", q: "{{call.status}}" } },
	},
];

const RELATIONS: readonly Mistake[] = [
	{
		what: "a misspelt relation",
		code: "unknown_relation",
		triplets: ["a >> than >> b"],
		config: { a: say("x"), b: say("y") },
	},
	{
		what: "a branch on something other than true or false",
		code: "wrong_type",
		triplets: ["call >> if true >> mail"],
		config: { call: CALL, mail: say("x") },
	},
	{
		what: "a loop over an object",
		code: "wrong_type",
		triplets: ["find >> FOREACH hit >> mail"],
		config: { find: FIND, mail: say("{{hit}}") },
	},
	{
		what: "a case that the switch does not have",
		code: "bad_edge",
		triplets: ["size >> CASE huge >> mail", "size >> DEFAULT >> mail"],
		config: {
			size: { component: "switch", cases: [{ label: "large", when: "input.n > 1" }] },
			mail: say("x"),
		},
	},
	{
		what: "a loop's setting on a node of its body",
		code: "no_effect",
		triplets: ["list >> FOREACH order >> line", "list >> then >> mail"],
		config: {
			list: LIST,
			line: { ...say("{{order.price}}"), on_item_error: "collect" },
			mail: say("{{line}}"),
		},
	},
];

const CYCLES: readonly Mistake[] = [
	{
		what: "two nodes that wait for each other",
		code: "cycle",
		triplets: ["a >> then >> b", "b >> then >> a"],
		config: { a: say("x"), b: say("y") },
	},
	{
		what: "an edge from the end of a loop's body to its list",
		code: "cycle",
		triplets: ["list >> FOREACH order >> line", "line >> then >> list"],
		config: { list: LIST, line: say("{{order.price}}") },
	},
];

const ISSUE = { component: "github.create_issue", owner: "ada", repo: "tea", title: "x" };

const CREDENTIALS: readonly Mistake[] = [
	{
		what: "a credential that does not exist",
		code: "missing_credential",
		triplets: ["input >> then >> issue"],
		config: { issue: { ...ISSUE, credential: "nobody" } },
	},
	{
		what: "a credential of another kind",
		code: "wrong_credential",
		triplets: ["input >> then >> issue"],
		config: { issue: { ...ISSUE, credential: "mine" } },
	},
	{
		what: "a secret in a component that sends nothing",
		code: "credential_not_allowed",
		triplets: ["input >> then >> mail"],
		config: { mail: say("{{credential.mine}}") },
	},
	{
		what: "no credential where one is needed",
		code: "missing_credential",
		triplets: ["input >> then >> issue"],
		config: { issue: ISSUE },
	},
];

export const mistakes: readonly Scenario[] = [
	{
		name: "mistakes in references, types, relations, cycles and credentials are found when a workflow is saved",
		cites: [],
		async run(world) {
			const body = { auth_recipe: "bearer_token", fields: { host: "example.com", token: "5e1f0c9a" } };
			assert.equal((await world.executor.call("PUT", "/credentials/mine", { body })).status, 201);
			const all = [...REFERENCES, ...TYPES, ...RELATIONS, ...CYCLES, ...CREDENTIALS];
			assert.equal(all.length, 22);
			for (const { what, code, ...document } of all) {
				const { diagnostics } = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
					body: { name: "mistaken", description: "d", version: "1", ...document },
				});
				const found = diagnostics.map((diagnostic) => diagnostic.code);
				assert.deepEqual(found, [code], `${what}: ${JSON.stringify(diagnostics)}`);
			}
		},
	},
];
