import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ExecutorRefused, ExecutorUnavailable } from "@tripline/executor/client";
import { StoreRefused, StoreUnavailable } from "@tripline/store/client";
import { ERAS, LEGACY, MODERN } from "../../../../test/mcp/wire.ts";
import { type Tool, ToolProblem } from "../../src/tools/tool.ts";
import { createAsking, createTool } from "./asking.ts";

const light = createTool("light", async (args) => ({ structured: { args } }));
const createThrowing = (error: unknown) =>
	createTool("throwing", async () => {
		throw error;
	});
const call = { name: "throwing", arguments: {} };

describe("tools/list", () => {
	test("lists titles, both schemas and all four hints", async () => {
		const { result } = await createAsking({ tools: [light] }).ask("tools/list");
		assert.deepEqual(result.tools, [
			{
				name: "light",
				title: "Title of light",
				description: "What light does",
				inputSchema: { type: "object", properties: { size: { type: "integer" } } },
				outputSchema: { type: "object" },
				annotations: {
					readOnlyHint: true,
					destructiveHint: false,
					idempotentHint: true,
					openWorldHint: false,
				},
			},
		]);
	});

	test("lists an output as names and types, with the definitions that it refers to", async () => {
		const listOutput = async (properties: object) => {
			const outputSchema = {
				type: "object" as const,
				properties,
				required: ["n"],
				additionalProperties: false,
				$defs: { a: { type: "number" } },
			};
			const { result } = await createAsking({ tools: [{ ...light, outputSchema }] }).ask("tools/list");
			return result.tools?.[0]?.outputSchema;
		};
		const item = { type: "object", required: ["id"], properties: { id: { $ref: "#/$defs/a" }, log: {} } };
		assert.deepEqual(await listOutput({ n: { type: "integer" }, list: { type: "array", items: item } }), {
			type: "object",
			properties: { n: { type: "integer" }, list: { type: "array", description: "[{ id, log? }]" } },
		});
		const properties = { n: { type: "array", items: { $ref: "#/$defs/a" } } };
		assert.deepEqual(await listOutput(properties), {
			type: "object",
			properties,
			$defs: { a: { type: "number" } },
		});
	});

	test("in the modern era has a private cache lifetime of seconds", async () => {
		const { ask } = createAsking({ tools: [light] });
		const { ttlMs, cacheScope } = (await ask("tools/list")).result;
		assert.deepEqual({ ttlMs, cacheScope }, { ttlMs: 5_000, cacheScope: "private" });
		assert.equal((await ask("tools/list", {}, { era: LEGACY })).result.ttlMs, undefined);
	});

	test("pages through all tools, the tenant's last, each once", async () => {
		const tenant = Array.from({ length: 250 }, (_, index) => ({ ...light, name: `w${index}` }));
		const { ask } = createAsking({ tools: [light], listTenantTools: async () => tenant });
		for (const era of ERAS) {
			const names: string[] = [];
			let cursor: string | undefined;
			let pages = 0;
			do {
				const { result } = await ask("tools/list", cursor === undefined ? {} : { cursor }, { era });
				names.push(...result.tools.map(({ name }) => name));
				cursor = result.nextCursor;
				pages++;
			} while (cursor !== undefined);
			assert.deepEqual(names, ["light", ...tenant.map(({ name }) => name)]);
			assert.equal(pages, 3);
		}
	});

	test("continues after the right tool when others were added meanwhile", async () => {
		let tenant = Array.from({ length: 150 }, (_, index) => ({ ...light, name: `w${index}` }));
		const { ask } = createAsking({ listTenantTools: async () => tenant });
		const { nextCursor: cursor } = (await ask("tools/list")).result;
		tenant = [{ ...light, name: "first" }, ...tenant];
		assert.equal((await ask("tools/list", { cursor })).result.tools[0]?.name, "w100");
	});

	test("a tenant's tool does not hide a built-in tool with the same name", async () => {
		const shadow = {
			...createTool("light", async () => ({ structured: { shadow: true } })),
			title: "Shadow",
		};
		const { ask } = createAsking({
			tools: [light],
			listTenantTools: async () => [shadow],
			findTenantTool: async () => shadow,
		});
		const { tools } = (await ask("tools/list")).result;
		assert.deepEqual(
			tools.map(({ title }) => title),
			["Title of light"],
		);
		const { result } = await ask("tools/call", { name: "light" });
		assert.deepEqual(result.structuredContent, { args: {} });
	});

	for (const cursor of ["made-up", "", "bGlnaHQtbm90", 7, null, {}]) {
		test(`the cursor ${JSON.stringify(cursor)} gets -32602`, async () => {
			const { ask } = createAsking({ tools: [light] });
			for (const era of ERAS) {
				const { error } = await ask("tools/list", { cursor }, { era });
				assert.equal(error.code, -32602, era);
				assert.match(error.message, /cursor/);
			}
		});
	}
});

describe("tools/call", () => {
	test("returns structured content and the same as text, in both eras", async () => {
		const { ask } = createAsking({ tools: [light] });
		for (const era of ERAS) {
			const { result } = await ask("tools/call", { name: "light", arguments: { size: 3 } }, { era });
			assert.deepEqual(result.structuredContent, { args: { size: 3 } });
			assert.deepEqual(result.content, [{ type: "text", text: '{"args":{"size":3}}' }]);
			assert.equal(result.isError, undefined);
		}
	});

	test("a call without arguments passes an empty object", async () => {
		const { result } = await createAsking({ tools: [light] }).ask("tools/call", { name: "light" });
		assert.deepEqual(result.structuredContent, { args: {} });
	});

	test("a tool may provide its own content", async () => {
		const content = [{ type: "image", data: "AAAA", mimeType: "image/png" }] as const;
		const { ask } = createAsking({
			tools: [createTool("image", async () => ({ structured: { n: 1 }, content }))],
		});
		const { result } = await ask("tools/call", { name: "image" });
		assert.deepEqual(result.content, content);
		assert.deepEqual(result.structuredContent, { n: 1 });
	});

	test("a call with a failed outcome returns its content with isError", async () => {
		const failed = createTool("failed", async () => ({ structured: { success: false }, isError: true }));
		const { result } = await createAsking({ tools: [failed] }).ask("tools/call", { name: "failed" });
		assert.equal(result.isError, true);
		assert.deepEqual(result.structuredContent, { success: false });
	});

	test("finds a tenant's tool by name, without listing all", async () => {
		const tenantTool = async (name: string): Promise<Tool | null> => (name === "mine" ? light : null);
		const tenantTools = () => Promise.reject(new Error("must not be asked"));
		const { result } = await createAsking({ findTenantTool: tenantTool, listTenantTools: tenantTools }).ask(
			"tools/call",
			{ name: "mine" },
		);
		assert.deepEqual(result.structuredContent, { args: {} });
	});

	test("passes hostile arguments to the tool as data", async () => {
		const { ask, post } = createAsking({ tools: [light] });
		const args = { "\ud800": "\udfff", constructor: { prototype: 1 }, nested: [null, { a: "\u0000" }] };
		const { result } = await ask("tools/call", { name: "light", arguments: args });
		assert.equal(result.content[0]?.text, JSON.stringify({ args }));
		const raw =
			'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"light","arguments":{"__proto__":{"polluted":true}}}}';
		await post(raw, { headers: { "mcp-protocol-version": LEGACY } });
		assert.equal(({} as Record<string, unknown>).polluted, undefined);
	});

	for (const params of [
		{},
		{ name: 7 },
		{ name: "light", arguments: "text" },
		{ name: "light", arguments: [] },
	]) {
		test(`the parameters ${JSON.stringify(params)} get -32602`, async () => {
			for (const era of ERAS)
				assert.equal(
					(await createAsking({ tools: [light] }).ask("tools/call", params, { era })).error.code,
					-32602,
				);
		});
	}
});

describe("an unknown tool", () => {
	const names = ["list_workflows", "get_workflow", "run_workflow", "search_knowledge"];
	const tools = names.map((name) => ({ ...light, name }));

	test("gets -32602 with the most similar names, including the tenant's", async () => {
		const { ask } = createAsking({ tools, listTenantTools: async () => [{ ...light, name: "send_report" }] });
		for (const era of ERAS) {
			const { error } = await ask("tools/call", { name: "list_workflow" }, { era });
			assert.equal(error.code, -32602);
			assert.match(error.message, /no tool "list_workflow": did you mean list_workflows/);
		}
		assert.match(
			(await ask("tools/call", { name: "send-report" })).error.message,
			/did you mean send_report/,
		);
	});

	test("gets no names if none is similar", async () => {
		const { error } = await createAsking({ tools }).ask("tools/call", { name: "zzz" });
		assert.match(error.message, /tools\/list lists all tools/);
	});

	test("is shortened in the message", async () => {
		const { error } = await createAsking({ tools }).ask("tools/call", { name: "x".repeat(5_000) });
		assert.ok(error.message.length < 300);
	});

	for (const name of ["", "__proto__", "constructor", "toString"]) {
		test(`is not found on the prototype: ${JSON.stringify(name)}`, async () => {
			assert.equal((await createAsking({ tools }).ask("tools/call", { name })).error.code, -32602);
		});
	}
});

describe("errors of a tool", () => {
	test("returns the text of a problem that the model can fix", async () => {
		const { ask, logged } = createAsking({
			tools: [createThrowing(new ToolProblem("size: must be a whole number"))],
		});
		for (const era of ERAS) {
			const { status, result } = await ask("tools/call", call, { era });
			assert.equal(status, 200);
			assert.equal(result.isError, true);
			assert.deepEqual(result.content, [{ type: "text", text: "size: must be a whole number" }]);
			assert.equal(result.structuredContent, undefined);
		}
		assert.deepEqual(logged, []);
	});

	test("logs an unexpected error with the request's id, and reports it without details", async () => {
		const { ask, logged } = createAsking({ tools: [createThrowing(new Error("the secret plan"))] });
		const { result } = await ask("tools/call", call);
		assert.equal(result.isError, true);
		assert.equal(result.content[0]?.text, "internal error, try again (request req-7)");
		assert.equal(logged.length, 1);
		assert.equal(logged[0]?.level, "error");
		assert.equal(logged[0]?.fields?.request_id, "req-7");
		assert.match(String(logged[0]?.fields?.error), /the secret plan/);
	});

	for (const thrown of [undefined, null, "text", { code: -32000, message: "the secret plan" }]) {
		test(`any value may be thrown: ${JSON.stringify(thrown)}`, async () => {
			const { result } = await createAsking({ tools: [createThrowing(thrown)] }).ask("tools/call", call);
			assert.match(result.content[0]?.text ?? "", /^internal error/);
		});
	}

	test("an answer that cannot be serialized is an internal error", async () => {
		const tools = [createTool("throwing", async () => ({ structured: { huge: 1n } }))];
		const { result } = await createAsking({ tools }).ask("tools/call", call);
		assert.match(result.content[0]?.text ?? "", /^internal error/);
	});

	for (const Unavailable of [StoreUnavailable, ExecutorUnavailable]) {
		test(`${Unavailable.name} says to try again later`, async () => {
			const { ask, logged } = createAsking({
				tools: [createThrowing(new Unavailable("10.0.0.1 did not answer"))],
			});
			const { result } = await ask("tools/call", call);
			assert.equal(result.isError, true);
			assert.match(result.content[0]?.text ?? "", /try again/);
			assert.doesNotMatch(result.content[0]?.text ?? "", /10\.0\.0\.1/);
			assert.equal(logged[0]?.level, "warn");
		});
	}

	for (const Refused of [StoreRefused, ExecutorRefused]) {
		test(`${Refused.name} reports the message and the issues`, async () => {
			const issues = [{ path: "content", message: "is too long" }];
			const { ask } = createAsking({
				tools: [createThrowing(new Refused(422, "validation failed", { issues }))],
			});
			const { result } = await ask("tools/call", call);
			assert.equal(result.isError, true);
			assert.equal(result.content[0]?.text, "validation failed\n- content: is too long");
		});
	}

	test("an error while looking up a tenant's tools is a result too", async () => {
		const tenantTool = () => Promise.reject(new StoreUnavailable("gone"));
		const { result } = await createAsking({ findTenantTool: tenantTool }).ask("tools/call", call);
		assert.equal(result.isError, true);
	});
});

describe("progress", () => {
	const counting = createTool("counting", async (_, { progress }) => {
		await progress(1, 2, "half");
		await progress(2, undefined, "whole");
		return { structured: {} };
	});

	for (const era of ERAS) {
		test(`is streamed to a client that requests it (${era})`, async () => {
			const { ask } = createAsking({ tools: [counting] });
			const sent = { era, meta: { progressToken: "t" } };
			const { headers, notifications, result } = await ask("tools/call", { name: "counting" }, sent);
			assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
			assert.deepEqual(
				notifications.map(({ method, params }) => ({ method, params })),
				[
					{
						method: "notifications/progress",
						params: { progressToken: "t", progress: 1, total: 2, message: "half" },
					},
					{ method: "notifications/progress", params: { progressToken: "t", progress: 2, message: "whole" } },
				],
			);
			assert.deepEqual(result.structuredContent, {});
		});

		test(`is not sent to others (${era})`, async () => {
			const { notifications, result } = await createAsking({ tools: [counting] }).ask(
				"tools/call",
				{ name: "counting" },
				{ era },
			);
			assert.deepEqual(notifications, []);
			assert.deepEqual(result.structuredContent, {});
		});
	}

	test("without a progress token the modern answer is plain JSON", async () => {
		const { headers } = await createAsking({ tools: [counting] }).ask("tools/call", { name: "counting" });
		assert.match(headers.get("content-type") ?? "", /^application\/json/);
	});
});

describe("a client that disconnects", () => {
	for (const era of [MODERN, LEGACY] as const) {
		test(`aborts the tool's signal (${era})`, async () => {
			const started = Promise.withResolvers<void>();
			const ended = Promise.withResolvers<boolean>();
			const waiting = createTool("waiting", async (_, { signal, progress }) => {
				started.resolve();
				await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
				await progress(1, 1, "nobody hears it");
				ended.resolve(signal?.aborted === true);
				throw new Error("given up");
			});
			const { ask, logged } = createAsking({ tools: [waiting] });
			const hangUp = new AbortController();
			const sent = { era, signal: hangUp.signal, meta: { progressToken: 1 } };
			const asked = ask("tools/call", { name: "waiting" }, sent).catch(() => undefined);
			await started.promise;
			hangUp.abort();
			assert.equal(await ended.promise, true);
			await asked;
			await setImmediate();
			assert.deepEqual(logged, []);
		});
	}
});
