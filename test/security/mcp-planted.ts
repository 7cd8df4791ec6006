import assert from "node:assert/strict";
import type { Manifest } from "@tripline/contract/registry";
import { market } from "@tripline/registry/market/market";
import type { OutsideAnswer } from "../conformance/outside.ts";
import type { Target } from "../conformance/platforms.ts";
import type { Fields } from "../mcp/wire.ts";
import { type Answer, type Client, JSON_TYPE } from "./client.ts";
import { pinManifest } from "./extensions.ts";
import { ask, bearer } from "./mcp-client.ts";
import { sha256 } from "./mcp-login.ts";
import { putToken, putTurn } from "./mcp-tenants.ts";

/** Appears in all data of the owner that nobody else may see. */
export const CANARY = "canary_8f3a1c";
export const INSTALLED = market.find(({ kind, hosts }) => kind === "code" && hosts.length === 0) as Manifest;

/** The names of the owner's data, which others may guess and use. */
export interface Names {
	readonly namespace: string;
	readonly failedId: string;
	readonly heldId: string;
	/** A run that no caller waits for. */
	readonly unfinishedId: string;
	/** A run that waits for an answer. */
	readonly questionRunId: string;
	readonly questionId: string;
	readonly questionCursor: string;
	readonly entryId: string;
	readonly fileId: string;
	readonly tokenId: string;
	readonly entryCursor: string;
	readonly executionCursor: string;
	readonly deletedId: string;
	readonly deletedCursor: string;
	readonly versionCursor: string;
	/** Values that only the owner has; like the canary they must appear nowhere else. */
	readonly webhookToken: string;
}

const document = (name: string, settings: object, more: object = {}) => ({
	name,
	description: `secret plans ${CANARY}`,
	version: CANARY,
	triplets: ["input >> ON_SUCCESS >> hidden", "hidden >> ON_SUCCESS >> out"],
	config: { hidden: { component: "set", values: { hidden: CANARY } }, out: settings },
	context: { hidden: CANARY },
	...more,
});

/** An MCP server whose only tool the owner sees. */
function answerMcp({ id, method }: { readonly id?: number; readonly method: string }): OutsideAnswer {
	const results: Readonly<Record<string, object>> = {
		initialize: {
			protocolVersion: "2025-11-25",
			capabilities: {},
			serverInfo: { name: CANARY, version: "1" },
		},
		"tools/list": { tools: [{ name: CANARY, description: CANARY, inputSchema: { type: "object" } }] },
	};
	if (id === undefined) return { status: 202 };
	const result = results[method];
	const error = { code: -32601, message: "unknown" };
	return { json: { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) } };
}

/** Creates data of every kind through the tools and endpoints. */
export async function plantData(
	client: Client,
	target: Target,
	token: string,
	namespace: string,
): Promise<Names> {
	const call = async (name: string, args: Fields): Promise<Fields> => {
		const { status, text, result } = await ask(client, token, "tools/call", { name, arguments: args });
		assert.equal(status, 200, text);
		return (result?.structuredContent ?? assert.fail(text)) as Fields;
	};
	const gui = async (method: string, path: string, body?: object): Promise<Answer> => {
		const answer = await client.call(method, path, {
			headers: [...bearer(token), ...JSON_TYPE],
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
		return answer;
	};
	const accept = async (name: string): Promise<string> => {
		const path = `/webhooks/named/${namespace}/${encodeURIComponent(name)}/trigger`;
		const { status, body, text } = await client.call("POST", path, { headers: ["prefer", "respond-async"] });
		assert.equal(status, 202, text);
		return (body as { execution_id: string }).execution_id;
	};
	const long = { component: "template", text: `${CANARY} `.repeat(4_000) };
	for (const each of [
		document("private", { component: "set", values: { ok: CANARY } }, { options: { expose: true } }),
		document("failing", { component: "fail", message: CANARY }),
		document("long", long),
		document("daily", long, { trigger: { type: "schedule", cron: "0 8 * * *" } }),
		document("asking", { component: "ask", question: `Yes, ${CANARY}?`, to: CANARY }),
		document(`slow ${CANARY}`, { component: "wait", ms: 60_000 }, { options: { timeout: "5 minutes" } }),
	])
		assert.equal((await call("save_workflow", { document: each })).saved, true);
	const older = document("failing", { component: "fail", message: CANARY }, { context: { older: CANARY } });
	await call("save_workflow", { document: older });
	await call("rollback_workflow", { name: "failing", version_number: 1 });
	for (const name of ["removed", `removed ${CANARY}`]) {
		await call("save_workflow", { document: document(name, long) });
		await call("delete_workflow", { name });
	}
	const failed = await call("run_workflow", { name: "failing" });
	const unfinished = await accept(`slow ${CANARY}`);
	const asking = [await accept("asking"), await accept("asking")];
	const held = await call("run_workflow", { name: "long" });
	assert.equal(held.truncated, true);
	for (const page_name of ["other page", "third page"])
		await call("save_entry", { page_name, content: CANARY });
	const saved = await call("save_entry", { page_name: "private page", content: `secret plans ${CANARY}` });
	const source = { uri: `https://${CANARY}.example/ada`, hash: CANARY };
	for (const object of ["Bob", CANARY])
		await call("ingest_triplet", {
			subject: "Ada",
			predicate: "knows",
			object,
			source,
			gloss: { subject: CANARY },
		});
	for (const key of ["private", CANARY])
		await putTurn(target, { owner_id: namespace, workflow: "private", key, text: CANARY });
	await call("ingest_triplet", {
		...{ subject: "Ada", predicate: "drinks", object: CANARY },
		source: { uri: "conversation:private/private", hash: "conversation" },
	});
	const { value: file } = await call("save_file", { name: `${CANARY}.txt`, content: CANARY });
	const { webhook_url } = await call("create_webhook", { workflow: "private" });
	for (const name of ["private", "signer", CANARY])
		await gui("PUT", `/gui/credentials/${name}`, {
			auth_recipe: "signing_secret",
			fields: { secret: CANARY },
		});
	for (const id of ["private_api", "shared_api"])
		await gui("PUT", `/gui/recipes/${id}`, {
			title: CANARY,
			description: CANARY,
			auth: null,
			base_url: "https://canary.example",
			operations: {
				list: { title: CANARY, method: "GET", path: "/", params: { type: "object" }, output: { schema: {} } },
			},
		});
	target.outside.serve("tools.example", ({ body }) => answerMcp(JSON.parse(body)));
	await gui("PUT", "/gui/mcp-servers/private", { url: "https://tools.example/mcp" });
	await gui("PUT", `/gui/components/${INSTALLED.id}`, await pinManifest(INSTALLED));
	await gui("PUT", "/gui/workflows/private/draft", document("private", { component: "set", values: {} }));
	await gui("PUT", "/gui/workflows/daily", document("daily", long, { trigger: { type: "webhook" } }));
	for (const name of [CANARY, `${CANARY} too`]) {
		const path = `/gui/workflows/${encodeURIComponent(name)}`;
		await gui("PUT", path, document(name, long));
		await gui("DELETE", path);
	}
	const issued = await putToken(target, { namespace, client_id: CANARY, client_name: CANARY });
	const entries = await gui("GET", "/gui/entries?limit=1");
	const versions = await gui("GET", "/gui/workflows/daily/versions?limit=1");
	const deleted = await gui("GET", "/gui/deleted-workflows?limit=1");
	const questions = await waitForRecord(() => gui("GET", "/gui/questions?limit=1"));
	const [question] = (questions.body as { questions: { execution_id: string; id: string }[] }).questions;
	assert.ok(question !== undefined && asking.includes(question.execution_id));
	const executions = await waitForRecord(() => gui("GET", "/gui/executions?limit=1"));
	return {
		namespace,
		failedId: String(failed.execution_id),
		heldId: String(held.execution_id),
		unfinishedId: unfinished,
		questionRunId: question.execution_id,
		questionId: question.id,
		questionCursor: readCursor(questions),
		entryId: String(saved.id),
		fileId: (file as { $file: string }).$file,
		tokenId: sha256(issued),
		entryCursor: readCursor(entries),
		executionCursor: readCursor(executions),
		deletedId: (deleted.body as { workflows: { id: string }[] }).workflows[0]?.id ?? assert.fail(),
		deletedCursor: readCursor(deleted),
		versionCursor: readCursor(versions),
		webhookToken: String(webhook_url).match(/webhooks\/([^/]+)\//)?.[1] ?? assert.fail(String(webhook_url)),
	};
}

/** Waits for a second record or question, which is written shortly after its run started or ended. */
async function waitForRecord(read: () => Promise<Answer>): Promise<Answer> {
	for (let nth = 0; nth < 100; nth++) {
		const answer = await read();
		if ((answer.body as { next_cursor: unknown }).next_cursor !== null) return answer;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return assert.fail("the runs are not on record");
}

const readCursor = ({ body, text }: Answer): string =>
	(body as { next_cursor: string | null }).next_cursor ?? assert.fail(text);
