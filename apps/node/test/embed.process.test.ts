import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { embedSettings } from "@tripline/store/settings";
import { startEmbedServer } from "../../../test/embed-server.ts";
import { parseSettings, StartProblem } from "../src/settings.ts";
import { start, temporaryFolder } from "./process.ts";

const KEY = "canary-key-0123456789";

const put = (storeUrl: string, page_name: string) =>
	fetch(`${storeUrl}/entries`, {
		method: "PUT",
		body: JSON.stringify({
			owner_id: "default",
			entry_type: "note",
			page_name,
			content: "Green tea, two minutes",
			metadata_json: '{"embed":true}',
		}),
	});

interface Status {
	readonly provider: string;
	readonly pending: number;
	readonly done: number;
	readonly failed: number;
}

async function waitForStatus(storeUrl: string, isWanted: (status: Status) => boolean): Promise<Status> {
	const deadline = Date.now() + 15_000;
	for (;;) {
		const status = (await (await fetch(`${storeUrl}/embed/status`)).json()) as Status;
		if (isWanted(status)) return status;
		if (Date.now() > deadline) assert.fail(JSON.stringify(status));
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

describe("embedding in the process", { concurrency: 2 }, () => {
	test("works without settings, by word vectors", async (context) => {
		const { storeUrl } = await start(context, {});
		assert.equal((await put(storeUrl, "Tea")).status, 201);
		const status = await waitForStatus(storeUrl, ({ done }) => done === 1);
		assert.deepEqual(
			{ ...status },
			{
				provider: "words",
				model: "glove-100d-top-100k",
				dimensions: 100,
				pending: 0,
				done: 1,
				failed: 0,
				last_error: null,
			},
		);
	});

	test("ranks entries close in meaning below those with the words", async (context) => {
		const { storeUrl } = await start(context, {});
		for (const page_name of ["Tea", "Coffee beans"]) await put(storeUrl, page_name);
		await waitForStatus(storeUrl, ({ done }) => done === 2);
		const body = JSON.stringify({ q: "coffee " });
		const response = await fetch(`${storeUrl}/search`, { method: "POST", body });
		const { suggestions } = (await response.json()) as { suggestions: { page_name: string; why: string }[] };
		assert.deepEqual(
			suggestions.map(({ page_name, why }) => `${page_name} (${why})`),
			["Coffee beans (title: Coffee)", "Tea (meaning)"],
		);
	});

	test("the key of a failing provider appears in no log line or status", async (context) => {
		const server = await startEmbedServer();
		context.after(server.close);
		server.behave({ kind: "status", status: 401, body: `{"error":"wrong key ${KEY}"}` });
		const service = await start(context, { EMBED_URL: server.url, EMBED_MODEL: "m", EMBED_API_KEY: KEY });
		await put(service.storeUrl, "Tea");
		const status = await waitForStatus(service.storeUrl, ({ failed }) => failed === 1);
		service.child.kill("SIGTERM");
		assert.deepEqual(await service.exited(), { code: 0, signal: null });
		assert.equal(server.received[0]?.authorization, `Bearer ${KEY}`);
		assert.match(service.stderr(), /embedding failed/);
		assert.doesNotMatch(service.stderr() + JSON.stringify(status), /canary|Green tea/);
	});

	test("acknowledged entries are still marked for embedding after kill -9", async (context) => {
		const server = await startEmbedServer();
		context.after(server.close);
		server.behave({ kind: "silence" });
		const settings = { EMBED_URL: server.url, EMBED_MODEL: "m" };
		const cwd = temporaryFolder(context);
		const first = await start(context, settings, cwd);
		assert.equal((await put(first.storeUrl, "Tea")).status, 201);
		while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
		first.child.kill("SIGKILL");
		await first.exited();
		const second = await start(context, settings, cwd);
		const { pending, failed, done } = await waitForStatus(second.storeUrl, () => true);
		assert.deepEqual([pending, failed, done], [1, 0, 0]);
	});

	test("stopping does not wait for a silent provider, and the next start continues", async (context) => {
		const server = await startEmbedServer();
		context.after(server.close);
		server.behave({ kind: "silence" });
		const settings = { EMBED_URL: server.url, EMBED_MODEL: "m" };
		const cwd = temporaryFolder(context);
		const first = await start(context, settings, cwd);
		await put(first.storeUrl, "Tea");
		while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
		const began = performance.now();
		first.child.kill("SIGTERM");
		assert.deepEqual(await first.exited(), { code: 0, signal: null });
		// Its own limit is 20 s.
		assert.ok(performance.now() - began < 15_000);
		server.behave({ kind: "vectors" });
		const second = await start(context, settings, cwd);
		await put(second.storeUrl, "Coffee");
		await waitForStatus(second.storeUrl, ({ done }) => done === 2);
	});
});

describe("embedding settings", () => {
	const parseEmbed = (variables: Record<string, string>) => embedSettings(parseSettings(variables));
	const catchProblem = (variables: Record<string, string>): string => {
		try {
			parseSettings(variables);
		} catch (error) {
			assert.ok(error instanceof StartProblem);
			assert.doesNotMatch(error.message, /\n|canary/);
			return error.message;
		}
		return assert.fail(`accepted ${JSON.stringify(variables)}`);
	};
	const url = "http://127.0.0.1:11434/v1";

	test("default is the built-in embedder, off is none, an address is a server", () => {
		assert.deepEqual(parseEmbed({}), { kind: "built-in" });
		assert.deepEqual(parseEmbed({ EMBED: "on" }), { kind: "built-in" });
		assert.deepEqual(parseEmbed({ EMBED: "off", EMBED_URL: url, EMBED_MODEL: "m" }), { kind: "off" });
		assert.deepEqual(parseEmbed({ EMBED_URL: url, EMBED_MODEL: "m", EMBED_API_KEY: KEY }), {
			kind: "http",
			url,
			model: "m",
			apiKey: KEY,
		});
	});

	test("contradictory settings give one line that says what to do", () => {
		assert.match(catchProblem({ EMBED_URL: url }), /^EMBED_URL is set without EMBED_MODEL: set /);
		assert.match(catchProblem({ EMBED_MODEL: "m" }), /^EMBED_MODEL is set without EMBED_URL: set /);
		assert.match(catchProblem({ EMBED_API_KEY: KEY }), /^EMBED_API_KEY is set without EMBED_URL: set /);
	});

	test("an empty setting counts as unset", () => {
		assert.match(
			catchProblem({ EMBED_URL: url, EMBED_MODEL: "" }),
			/^EMBED_URL is set without EMBED_MODEL: set /,
		);
		const empty = { EMBED: "", EMBED_URL: "", EMBED_MODEL: "", EMBED_API_KEY: "" };
		assert.deepEqual(parseEmbed(empty), { kind: "built-in" });
	});

	test("a bad value names its setting and does not repeat a key", () => {
		const bad: [string, string[]][] = [
			["EMBED", ["yes", "false"]],
			["EMBED_URL", ["ollama", "ftp://x", "http://user:canary@x/v1", "http://x/#canary"]],
			["EMBED_MODEL", ["x".repeat(201)]],
			["EMBED_API_KEY", ["canary with spaces", "canary\n"]],
		];
		for (const [name, values] of bad) {
			for (const value of values) assert.match(catchProblem({ [name]: value }), new RegExp(`^${name} must `));
		}
	});
});
