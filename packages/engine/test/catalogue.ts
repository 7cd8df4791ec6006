import * as z from "zod";
import type { Catalogue, Component } from "../src/component.ts";

const Value = z.json();

function component(
	id: string,
	params: z.ZodType,
	more: Partial<
		Pick<
			Component<null>,
			| "expressions"
			| "verbatim"
			| "anyInside"
			| "takesCredentials"
			| "authRecipes"
			| "alwaysUsesCredential"
			| "parks"
			| "hosts"
			| "insteadOfCredential"
		>
	> = {},
): Component<null> {
	return {
		id,
		version: "1.0.0",
		title: id,
		description: id,
		params,
		output: Value,
		hosts: [],
		takesCredentials: false,
		examples: [],
		run: ({ params }) => ({ ...params }),
		...more,
	};
}

const components = [
	component("set", z.strictObject({ values: z.record(z.string(), Value).default({}) })),
	component("if", z.strictObject({ condition: z.string() }), { expressions: { condition: "value" } }),
	component("filter", z.strictObject({ items: z.array(Value), where: z.string() }), {
		expressions: { where: "item" },
	}),
	component("code", z.strictObject({ code: z.string(), input: Value.optional() }), { verbatim: ["code"] }),
	component(
		"query",
		z.strictObject({ statements: z.array(z.strictObject({ sql: z.string(), params: z.array(Value) })) }),
		{ verbatim: ["statements.sql"] },
	),
	component(
		"send",
		z.strictObject({
			list: z.array(Value).max(2).optional(),
			to: z.string().optional(),
			times: z.int().default(1),
		}),
		{ anyInside: ["list"] },
	),
	component("desk.get", z.strictObject({}), { authRecipes: ["desk_key"] }),
	component("desk.read", z.strictObject({ file: z.string().optional() }), {
		authRecipes: ["desk_key"],
		insteadOfCredential: "file",
	}),
	component("desk.code", z.strictObject({}), { authRecipes: ["desk_key"], alwaysUsesCredential: false }),
	component("wait", z.strictObject({ ms: z.int().optional(), for: z.string().optional() }), {
		parks: (params) => "for" in params,
	}),
	component(
		"aggregate",
		z.strictObject({ items: z.array(Value), compute: z.record(z.string(), z.string()).optional() }),
		{ expressions: { compute: "aggregates" } },
	),
	component("compute", z.strictObject({ values: z.record(z.string(), z.string()) }), {
		expressions: { values: "values" },
	}),
	component(
		"switch",
		z.strictObject({
			value: Value.optional(),
			cases: z.array(z.strictObject({ label: z.string(), when: z.string() })).optional(),
		}),
		{ expressions: { cases: "cases" } },
	),
	component(
		"http_request",
		z.strictObject({
			url: z.url(),
			method: z.enum(["GET", "POST"]).default("GET"),
			headers: z.record(z.string(), z.string()).optional(),
			json: Value.optional(),
			expect: z.array(z.int()).optional(),
			ids: z.union([z.int(), z.array(z.int())]).optional(),
			paginate: z.strictObject({ pages: z.int().min(1) }).optional(),
		}),
		{ takesCredentials: true, hosts: ["*"] },
	),
];

const byId = new Map(components.map((component) => [component.id, component]));

/** A few components with every kind of parameter. */
export const catalogue: Catalogue<null> = { get: (id) => byId.get(id), ids: () => [...byId.keys()] };
