import { LEGACY, MODERN } from "../../../mcp/wire.ts";
import { buildRequest } from "../../mcp-client.ts";
import {
	type Case,
	createNamed,
	type Family,
	oneNode,
	type Send,
	STATIC_TOKEN,
	type Step,
	send,
} from "../case.ts";
import { createFilled, createNested, list, object } from "../shapes.ts";

const BEARER: readonly string[] = ["authorization", `Bearer ${STATIC_TOKEN}`];

/** A message as a client of either era writes it. */
function message(method: string, params: () => unknown, era: typeof MODERN | typeof LEGACY = MODERN): Send {
	// The headers contain the method and stay small whatever the parameters are.
	const { name, uri } = (params() ?? {}) as { name?: string; uri?: string };
	const short = {
		...(name !== undefined && { name }),
		...(uri !== undefined && { uri: uri.slice(0, 1_000) }),
	};
	const { headers } = buildRequest(method, short, { era });
	return {
		kind: "send",
		to: "service",
		method: "POST",
		path: "/mcp",
		headers: [...headers, "accept", "application/json, text/event-stream", ...BEARER],
		body: () => buildRequest(method, params(), { era }).body,
	};
}

const call = (tool: string, args: () => unknown): Send =>
	message("tools/call", () => ({ name: tool, arguments: args() }));

const both = (name: string, method: string, params: () => unknown): Case => ({
	name,
	steps: [message(method, params, MODERN), message(method, params, LEGACY)],
});

const DOCUMENTS: Readonly<Record<string, () => unknown>> = {
	"60,000 triplets": () => createNamed("m", { triplets: list(45_000, (at) => `a${at} >> then >> b`) }),
	"100,000 templates": () =>
		createNamed("m", oneNode({ component: "set", values: { l: list(90_000, () => "{{a}}") } })),
	"YAML of empty lists": () => `a: [${createFilled(250_000, () => "[]", ",")}]`,
	"60,000 unknown parameters": () =>
		createNamed("m", oneNode({ component: "wait", ...object(50_000, (at) => [`m${at}`, 1]) })),
	"a text of a megabyte": () => "x".repeat(1_000_000),
};

const writeText = (nodes: number, line: (at: number) => string, rest: string) =>
	[
		"name: mcp-long\ndescription: d\nversion: '1'\ntriplets:\n",
		...list(nodes, (at) => `  - input >> then >> n${at}\n`),
		"config:\n",
		...list(nodes, line),
		rest,
	].join("");

/** As long as YAML may be. A word in each line makes two texts differ everywhere. */
const TEXTS: Readonly<Record<string, (word: string) => string>> = {
	"900 nodes": (word) =>
		writeText(900, (at) => `  n${at}: { component: template, text: "${word} ${"x".repeat(200)}" }\n`, ""),
	"30,000 lines": (word) =>
		writeText(
			1,
			() => "  n0: { component: template, text: a }\n",
			list(30_000, (at) => `# ${at % 9}${at % 2 === 0 ? word : ""}\n`).join(""),
		),
};

const tools: Case[] = [
	...Object.entries(DOCUMENTS).map(([name, make]) => ({
		name: `validate_workflow, save_workflow, create_webhook: ${name}`,
		steps: ["validate_workflow", "save_workflow", "create_webhook"].map((tool) =>
			call(tool, () => ({ document: make() })),
		),
		...(name === "100,000 templates" && { isQuick: true as const }),
	})),
	...Object.entries(TEXTS).map(([name, write]) => ({
		name: `save_workflow on an old version, list_versions: ${name}`,
		steps: [
			call("save_workflow", () => ({ document: write("one") })),
			call("save_workflow", () => ({ document: write("two") })),
			call("save_workflow", () => ({ document: write("three"), if_version: 1 })),
			call("list_versions", () => ({ name: "mcp-long", from: 1, to: 2 })),
			call("list_versions", () => ({ name: "mcp-long", cursor: "1-2-100000" })),
			call("rollback_workflow", () => ({ name: "mcp-long", version_number: 1 })),
		],
	})),
	{
		name: "run_workflow with large inputs, outputs and selections",
		steps: [
			call("save_workflow", () => ({
				document: createNamed("mcp-echo", oneNode({ component: "set", values: { v: "{{input.v}}" } })),
			})),
			...[
				() => list(490_000, () => 1),
				() => list(300_000, () => []),
				() => object(60_000, (at) => [`k${at}`, "x"]),
				() => "x".repeat(900_000),
				() => list(5_000, () => createNested(55, (inner) => [inner])),
			].flatMap((value) => [
				call("run_workflow", () => ({ name: "mcp-echo", input: { v: value() } })),
				call("run_workflow", () => ({
					name: "mcp-echo",
					input: { v: value() },
					select: "v[0:400000]",
					max_chars: 100_000,
				})),
				call("run_workflow", () => ({ name: "mcp-echo", input: { v: value() }, select: "v.missingkey" })),
			]),
		],
	},
	{
		name: "selections that are hostile",
		steps: [
			`v${"[0]".repeat(300_000)}`,
			`["${"\\".repeat(400_000)}`,
			`["${'\\"'.repeat(200_000)}`,
			"[".repeat(900_000),
			".".repeat(900_000),
			`[${" ".repeat(900_000)}0]`,
		].map((select) => call("run_workflow", () => ({ name: "mcp-echo", input: {}, select }))),
	},
	{
		name: "search_knowledge for a megabyte",
		steps: [
			call("search_knowledge", () => ({ query: "x ".repeat(500_000) })),
			call("search_knowledge", () => ({ query: "x ".repeat(499) })),
		],
	},
	{
		name: "save_entry of a megabyte",
		steps: [
			call("save_entry", () => ({
				entry_type: "note",
				page_name: "p",
				content: createFilled(900_000, (at) => `w${at}`, " "),
			})),
		],
	},
	{
		name: "arguments with 60,000 unknown names",
		steps: [
			call("list_workflows", () => object(60_000, (at) => [`k${at}`, 1])),
			call("run_workflow", () => object(60_000, (at) => [`nme${at}`, 1])),
		],
	},
	{
		name: "arguments of a wrong type",
		steps: [
			call("ingest_triplet", () => ({ subject: list(400_000, () => 1) })),
			call("search_knowledge", () => ({ query: "a", entry_types: list(300_000, () => 1) })),
		],
	},
	{ name: "tools that almost exist", steps: list(5, (at) => call(`run_workflo${at}`, () => ({}))) },
];

const messages: Case[] = [
	both("a method of a megabyte", "x".repeat(10_000), () => ({})),
	both("an initialize with 60,000 capabilities", "initialize", () => ({
		protocolVersion: LEGACY,
		capabilities: object(60_000, (at) => [`c${at}`, {}]),
		clientInfo: { name: "c", version: "1" },
	})),
	both("completion of a megabyte", "completion/complete", () => ({
		ref: { type: "ref/prompt", name: "write-workflow" },
		argument: { name: "goal", value: "x".repeat(900_000) },
	})),
	both("a resource with a long address", "resources/read", () => ({
		uri: `tripline://workflows/${"%41".repeat(200_000)}`,
	})),
	both("a prompt with a long argument", "prompts/get", () => ({
		name: "write-workflow",
		arguments: { goal: "send mail ".repeat(90_000), task: "x ".repeat(1_000) },
	})),
	both("lists with a long cursor", "tools/list", () => ({ cursor: "A".repeat(900_000) })),
	{
		name: "a batch of 10,000 messages",
		steps: [
			{
				...message("tools/list", () => ({}), LEGACY),
				body: () => JSON.stringify(list(14_000, (id) => ({ jsonrpc: "2.0", id, method: "tools/list" }))),
			},
		],
	},
	{
		name: "an id of a megabyte",
		steps: [
			{
				...message("tools/list", () => ({})),
				body: () =>
					JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(1_000_000), method: "tools/list", params: {} }),
			},
		],
	},
	{
		name: "metadata of a megabyte",
		steps: [
			{
				...message("tools/list", () => ({})),
				body: () =>
					JSON.stringify({
						jsonrpc: "2.0",
						id: 1,
						method: "tools/list",
						params: { _meta: object(60_000, (at) => [`k${at}`, 1]) },
					}),
			},
		],
	},
];

const exposed: Case = {
	name: "an exposed workflow with a schema of 90 alternatives",
	steps: [
		call("save_workflow", () => ({
			document: createNamed("exposed-hostile", {
				...oneNode({ component: "set", values: { ok: true } }),
				options: {
					expose: true,
					input_schema: {
						type: "object",
						properties: {
							v: { anyOf: list(90, (at) => ({ type: "array", items: { type: "string", minLength: at } })) },
						},
					},
				},
			}),
		})),
		message("tools/list", () => ({})),
		message("tools/list", () => ({}), LEGACY),
		call("exposed-hostile", () => ({ v: list(20_000, () => 1) })),
		call("exposed_hostile", () => ({ v: list(20_000, () => 1) })),
		call("delete_workflow", () => ({ name: "exposed-hostile" })),
	],
};

const gui: Step[] = Object.values(DOCUMENTS).flatMap((make) => [
	send("/gui/validate", () => ({ document: make() }), { headers: BEARER }),
	send("/gui/workflows/gui-hostile", () => ({ document: make() }), { headers: BEARER, method: "PUT" }),
	send("/gui/connect/verify", () => ({ url: make() }), { headers: BEARER }),
]);

export const assistants: Family = {
	name: "assistants",
	cases: [...tools, ...messages, exposed, { name: "the console's API with hostile documents", steps: gui }],
};
