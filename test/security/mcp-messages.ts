import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { ERAS, type Era, type Fields, LEGACY, MODERN } from "../mcp/wire.ts";
import { forEachItem, JSON_TYPE } from "./client.ts";
import { jsonTexts } from "./json-texts.ts";
import { ask, bearer, buildRequest, type McpAnswer, parseAnswer } from "./mcp-client.ts";
import { OWNER_SECRET } from "./mcp-login.ts";
import { type Names, plantData } from "./mcp-planted.ts";
import type { Shared } from "./mcp-shared.ts";
import { TOOL_CASES } from "./mcp-tool-cases.ts";
import { naughtyStrings } from "./naughty-strings.ts";
import { POLLUTION } from "./pollution.ts";
import { tally } from "./tally.ts";

const OWNER = "bodies";
/** As JSON text, because some cannot be written as values. */
const HOSTILE = [
	"null",
	"0",
	"-1",
	"1e400",
	'""',
	"[]",
	"{}",
	"true",
	JSON.stringify("x".repeat(100_000)),
	'{"__proto__":1}',
	'{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
	'"\\ud800"',
	'"\\u0000"',
	'["a",["b"]]',
	"99999999999999999999",
	'"__proto__"',
];

interface ListedTool {
	readonly name: string;
	readonly inputSchema: JsonObject & { readonly properties?: JsonObject };
}

/** Messages that no client would send. */
export function hostileMessages(shared: Shared): void {
	describe("hostile messages", () => {
		const { client, isNode } = shared;
		let names: Names;
		let tools: readonly ListedTool[];

		before(async () => {
			await shared.target.restart({ MCP_OWNER_SECRET: OWNER_SECRET, ALLOW_PLAINTEXT_NAMESPACE: "true" });
			names = await plantData(client, shared.target, OWNER, OWNER);
			const { result = {} } = await ask(client, OWNER, "tools/list");
			tools = result.tools as ListedTool[];
			await shared.target.lines();
		});

		test("an invalid message gets a 4xx with a reason, in either era", async (t) => {
			const texts = jsonTexts.filter((_, index) => isNode || index % 4 === 0);
			const bodies = [...NO_MESSAGES, ...texts.map(({ bytes }) => bytes)];
			await tally(t, "bodies that are no messages", async (count) => {
				for (const era of ERAS) {
					await forEachItem(bodies, async (body) => {
						const headers = [...bearer(OWNER), ...JSON_TYPE, "mcp-protocol-version", era];
						const told = parseAnswer(await client.call("POST", "/mcp", { headers, body }));
						const isSaid = told.status >= 400 && told.status < 500 && isClear(told);
						count(isSaid, `${era} ${String(body).slice(0, 80)}: ${told.status} ${told.text.slice(0, 200)}`);
					});
				}
			});
			await assertStillWorks();
		});

		test("an invalid value in any part of a message gets a clear error and never a crash", async (t) => {
			await tally(t, "replaced parts of messages", async (count) => {
				const all = ERAS.flatMap((era) =>
					MESSAGES.flatMap(([method, params]) => listReplaced(era, method, params)),
				);
				await forEachItem(
					all.filter((_, index) => index % (isNode ? 2 : 7) === 0),
					async ({ era, method, headers, body }) => {
						const from = [...bearer(OWNER), ...headers];
						const told = parseAnswer(await client.call("POST", "/mcp", { headers: from, body }));
						// The SDK itself answers this one with its schema's issues and the internal error code.
						const isSdks = method === "initialize" && /"invalid_/.test(told.error?.message ?? "");
						count(
							told.status < 500 && (isClear(told) || isSdks),
							`${era} ${body.slice(0, 200)}: ${told.status} ${told.text.slice(0, 300)}`,
						);
					},
				);
			});
			await assertStillWorks();
		});

		test("an invalid value in any argument of any tool is refused by the tool with a message", async (t) => {
			assert.deepEqual(
				tools.map(({ name }) => name).filter((name) => !(name in TOOL_CASES)),
				["run_private"],
			);
			await tally(t, `arguments of ${tools.length} tools`, async (count) => {
				const all = tools.flatMap(listHostileCalls);
				await forEachItem(isNode ? all : all.filter((_, index) => index % 5 === 0), async (each) => {
					const told = await callTool(each.era, each.tool, each.argumentsText);
					const about = `${each.era} ${each.tool} ${each.argumentsText.slice(0, 200)}: ${told.status} ${told.text.slice(0, 300)}`;
					count(told.status < 500 && isClear(told), about);
					const isRefused = told.error !== undefined || told.result?.isError === true;
					// A value that the tool's published schema does not allow must be refused.
					if (!each.isAllowed) count(isRefused, about);
				});
			});
			await assertStillWorks();
		});

		test("hostile texts in every text argument get an answer and are treated as text only", async (t) => {
			await tally(t, "naughty texts", async (count) => {
				const texts = tools.flatMap((tool) =>
					Object.keys(tool.inputSchema.properties ?? {}).map((name) => ({ tool: tool.name, name })),
				);
				const all = naughtyStrings.flatMap((text, index) =>
					texts
						.filter((_, at) => (at + index) % (isNode ? 23 : 97) === 0)
						.map((each) => ({ ...each, text, index })),
				);
				await forEachItem(all, async ({ tool, name, text, index }) => {
					const args = JSON.stringify({ ...getBaseArguments(tool), [name]: text });
					const told = await callTool(ERAS[index % 2] as Era, tool, args);
					count(
						told.status < 500 && isClear(told),
						`${tool} ${name} ${JSON.stringify(text).slice(0, 80)}: ${told.text.slice(0, 300)}`,
					);
				});
			});
			await assertStillWorks();
		});

		test("headers that contradict the body are refused, and only POST is served", async (t) => {
			await tally(t, "headers and methods", async (count) => {
				const { body } = buildRequest("tools/call", { name: "list_workflows", arguments: {} });
				const version = ["mcp-protocol-version", MODERN];
				for (const headers of [
					[...version, "mcp-method", "tools/list", "mcp-name", "list_workflows"],
					[...version, "mcp-method", "tools/call", "mcp-name", "delete_workflow"],
					[
						...version,
						"mcp-method",
						"tools/call",
						"mcp-name",
						"list_workflows",
						"mcp-name",
						"delete_workflow",
					],
					[...version, "mcp-method", "__proto__", "mcp-name", "constructor"],
					["mcp-protocol-version", "1999-01-01", "mcp-method", "tools/call", "mcp-name", "list_workflows"],
					["mcp-protocol-version", LEGACY, "mcp-method", "tools/call", "mcp-name", "list_workflows"],
					["mcp-protocol-version", "__proto__"],
				]) {
					const answer = await client.call("POST", "/mcp", {
						headers: [...bearer(OWNER), ...JSON_TYPE, ...headers],
						body,
					});
					count(answer.status === 400, `${headers}: ${answer.status} ${answer.text.slice(0, 200)}`);
				}
				for (const method of ["GET", "PUT", "PATCH", "DELETE", "HEAD"]) {
					const headers = [...bearer(OWNER), "accept", "text/event-stream", "last-event-id", "1"];
					const answer = await client.call(method, "/mcp", { headers });
					count(answer.status === 405, `${method}: ${answer.status}`);
				}
				for (const type of [
					"",
					"text/plain",
					"application/x-www-form-urlencoded",
					"multipart/form-data; boundary=b",
					"application/jsonx",
				]) {
					const headers = [...bearer(OWNER), "content-type", type];
					const answer = await client.call("POST", "/mcp", { headers, body });
					count(answer.status === 415, `${type}: ${answer.status}`);
				}
				for (const origin of [
					"https://evil.example",
					"null",
					"http://claude.ai",
					"https://claude.ai.evil.example",
					"https://claude.ai:8443",
					"x",
					`${shared.target.publicUrl}.evil.example`,
				]) {
					const headers = [...bearer(OWNER), ...JSON_TYPE, "origin", origin];
					const answer = await client.call("POST", "/mcp", { headers, body });
					count(
						answer.status === 403 && answer.headers["access-control-allow-origin"] === undefined,
						`${origin}: ${answer.status}`,
					);
				}
			});
			await assertStillWorks();
		});

		/** A JSON-RPC message that does not report an internal error, or the answer to a notification. */
		function isClear({ status, text, error, result }: McpAnswer): boolean {
			if (status === 202) return text === "";
			if (/internal error|Internal Server Error| {4}at |TypeError|RangeError|undefined is not/.test(text))
				return false;
			return result !== undefined || (error !== undefined && error.code !== -32603 && error.message !== "");
		}

		const getBaseArguments = (tool: string): Fields => TOOL_CASES[tool]?.(names)[0]?.args ?? {};

		/** Alternates the eras, so that both get every value. */
		function listHostileCalls({ name: tool, inputSchema }: ListedTool) {
			const schema = z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0]);
			const base = getBaseArguments(tool);
			const replaced = Object.keys({ ...inputSchema.properties, unknown: true }).flatMap((name) =>
				HOSTILE.map((value) => renderValue({ ...base, [name]: MARK }, value)),
			);
			return [...replaced, ...HOSTILE].map((argumentsText, index) => ({
				era: ERAS[(index + Math.floor(index / HOSTILE.length)) % 2] as Era,
				tool,
				argumentsText,
				isAllowed: schema.safeParse(JSON.parse(argumentsText)).success,
			}));
		}

		async function callTool(era: Era, name: string, argumentsText: string): Promise<McpAnswer> {
			const { headers, body } = buildRequest("tools/call", { name, arguments: MARK }, { era });
			const sent = {
				headers: [...bearer(OWNER), ...headers],
				body: body.replace(`"${MARK}"`, () => argumentsText),
			};
			return parseAnswer(await client.call("POST", "/mcp", sent));
		}

		async function assertStillWorks(): Promise<void> {
			assert.equal((await client.call("GET", "/readyz")).status, 200);
			const { result, text } = await ask(client, OWNER, "tools/call", {
				name: "list_workflows",
				arguments: {},
			});
			assert.equal(result?.isError, undefined, text);
			assert.equal(({} as Record<string, unknown>)[POLLUTION], undefined);
			const errors = (await shared.target.lines()).filter(({ level }) => level === "error");
			assert.deepEqual(errors, []);
		}
	});
}

const MARK = "\u0001here\u0001";
const WRITTEN_MARK = JSON.stringify(MARK);

/** Serialises the value and replaces the mark by JSON text. */
const renderValue = (value: unknown, json: string): string =>
	JSON.stringify(value).replace(WRITTEN_MARK, () => json);

const MESSAGES: readonly (readonly [string, Fields])[] = [
	["tools/list", { cursor: "x" }],
	["tools/call", { name: "list_workflows", arguments: {} }],
	["resources/list", { cursor: "x" }],
	["resources/templates/list", { cursor: "x" }],
	["resources/read", { uri: "tripline://workflows/private" }],
	["prompts/list", { cursor: "x" }],
	["prompts/get", { name: "write_workflow", arguments: { goal: "g", name: "n" } }],
	[
		"completion/complete",
		{ ref: { type: "ref/prompt", name: "write_workflow" }, argument: { name: "name", value: "" } },
	],
	["server/discover", {}],
	["initialize", { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: "a", version: "1" } }],
	["ping", {}],
	["notifications/cancelled", { requestId: 1, reason: "x" }],
	["notifications/initialized", {}],
	["logging/setLevel", { level: "debug" }],
	["subscriptions/listen", { notifications: {} }],
	["sampling/createMessage", { messages: [] }],
	["__proto__", {}],
	["constructor", {}],
	["tools/call/../list", {}],
];

/** Every hostile value in every place of the message. */
function listReplaced(era: Era, method: string, params: Fields) {
	const { headers, body } = buildRequest(method, params, { era });
	const message = JSON.parse(body) as Fields;
	return listPaths(message).flatMap((path) =>
		HOSTILE.map((value) => ({ era, method, headers, body: renderValue(insertMark(message, path), value) })),
	);
}

const listPaths = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
	typeof value === "object" && value !== null
		? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...listPaths(inner, [...path, key])])
		: [];

function insertMark(value: unknown, [first, ...rest]: readonly string[]): unknown {
	if (first === undefined) return MARK;
	return { ...(value as Fields), [first]: insertMark((value as Fields)[first], rest) };
}

const NO_MESSAGES: readonly (string | Uint8Array)[] = [
	"",
	" ",
	"null",
	"1",
	'"text"',
	"true",
	"[]",
	"[1]",
	"{}",
	"not json",
	"{",
	'{"jsonrpc":"2.0"',
	'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
	`[${Array.from({ length: 100 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`)}]`,
	"[".repeat(100_000),
	`${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save_entry","arguments":{"page_name":"a","content":"${"x".repeat(2 * 1024 * 1024)}"}}}`,
	new Uint8Array([0xff, 0xfe, 0x00]),
	new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
	Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', "utf16le"),
];
