import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Surface } from "@tripline/mcp/protocol/surface";
import { fixtures, fixtureTool, text } from "./fixtures.ts";
import { type Listener, listen } from "./listener.ts";

const ERAS = { "2026-07-28": { pin: "2026-07-28" }, "2025-11-25": "legacy" } as const;

/** More than fit on two pages. */
const workflows = Array.from({ length: 230 }, (_, index) => {
	const name = `workflow_${String(index).padStart(3, "0")}`;
	return fixtureTool(name, `Runs ${name}`, ({ namespace }) => [text(`${name} of ${namespace}`)]);
});

for (const [revision, mode] of Object.entries(ERAS)) {
	describe(`the official client, revision ${revision}`, () => {
		let listener: Listener;
		let client: Client;
		let started = Promise.withResolvers<void>();
		let cancelled = Promise.withResolvers<void>();

		const waiting = fixtureTool("waiting", "Waits until it is cancelled", async ({ signal }) => {
			started.resolve();
			await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
			cancelled.resolve();
			return [text("cancelled")];
		});
		const surface: Surface = {
			...fixtures,
			tools: [...fixtures.tools, waiting],
			listTenantTools: async () => workflows,
			findTenantTool: async (name) => workflows.find((tool) => tool.name === name) ?? null,
		};

		before(async () => {
			listener = await listen(surface);
			client = await connect();
		});
		after(async () => {
			await client.close();
			await listener.close();
		});

		async function connect(): Promise<Client> {
			const made = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
			await made.connect(new StreamableHTTPClientTransport(new URL(listener.url)));
			return made;
		}

		test("connects with that revision and reads the capabilities", () => {
			assert.equal(client.getNegotiatedProtocolVersion(), revision);
			assert.deepEqual(client.getServerCapabilities(), {
				tools: {},
				resources: {},
				prompts: {},
				completions: {},
			});
			assert.equal(client.getServerVersion()?.name, "tripline");
			assert.equal(client.getInstructions(), fixtures.instructions);
		});

		test("lists all tools, page by page to the end", async () => {
			const { tools } = await client.listTools();
			assert.deepEqual(
				tools.map(({ name }) => name),
				[...surface.tools, ...workflows].map(({ name }) => name),
			);
			assert.equal(tools[0]?.annotations?.readOnlyHint, true);
		});

		test("calls a built-in tool and one of the tenant", async () => {
			const { content } = await client.callTool({ name: "test_simple_text" });
			assert.deepEqual(content, [text("This is a simple text response for testing.")]);
			const { content: other } = await client.callTool({ name: "workflow_229", arguments: {} });
			assert.deepEqual(other, [text("workflow_229 of default")]);
		});

		test("gets a tool's problem as a result", async () => {
			const { isError, content } = await client.callTool({ name: "test_error_handling" });
			assert.equal(isError, true);
			assert.deepEqual(content, [text("This tool intentionally returns an error for testing")]);
		});

		test("gets a protocol error for an unknown tool", async () => {
			await assert.rejects(
				client.callTool({ name: "test_simple_txt" }),
				(error) =>
					error instanceof ProtocolError && error.code === -32602 && /test_simple_text/.test(error.message),
			);
		});

		test("receives progress", async () => {
			const heard: number[] = [];
			await client.callTool(
				{ name: "test_tool_with_progress" },
				{ onprogress: ({ progress }) => heard.push(progress) },
			);
			assert.deepEqual(heard, [0, 50, 100]);
		});

		test("cancels by disconnecting, which aborts the tool's signal", async () => {
			started = Promise.withResolvers();
			cancelled = Promise.withResolvers();
			const other = await connect();
			const abort = new AbortController();
			const call = other.callTool({ name: "waiting" }, { signal: abort.signal });
			const rejected = assert.rejects(call);
			await started.promise;
			abort.abort("enough");
			await rejected;
			// The older client cancels by another request, which a server without sessions cannot match; the disconnect is noticed.
			if (mode === "legacy") await other.close();
			await cancelled.promise;
			await other.close();
		});

		test("reads resources: listed, by template, and an unknown one", async () => {
			const { resources } = await client.listResources();
			assert.deepEqual(
				resources.map(({ uri }) => uri),
				["test://static-text", "test://static-binary"],
			);
			const { resourceTemplates } = await client.listResourceTemplates();
			assert.equal(resourceTemplates[0]?.uriTemplate, "test://template/{id}/data");
			const { contents } = await client.readResource({ uri: "test://template/7/data" });
			assert.match(JSON.stringify(contents), /Data for ID: 7/);
			await assert.rejects(client.readResource({ uri: "test://nothing" }), /resource not found/);
		});

		test("gets prompts and completions of their arguments", async () => {
			const { prompts } = await client.listPrompts();
			assert.equal(prompts.length, fixtures.prompts.length);
			const { messages } = await client.getPrompt({
				name: "test_prompt_with_arguments",
				arguments: { arg1: "a", arg2: "b" },
			});
			assert.deepEqual(messages[0]?.content, text("Prompt with arguments: arg1='a', arg2='b'"));
			const { completion } = await client.complete({
				ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
				argument: { name: "arg1", value: "par" },
			});
			assert.deepEqual(completion.values, ["paris", "park", "party"]);
			const ids = await client.complete({
				ref: { type: "ref/resource", uri: "test://template/{id}/data" },
				argument: { name: "id", value: "" },
			});
			assert.equal(ids.completion.values.length, 100);
			assert.equal(ids.completion.hasMore, true);
		});
	});
}
