import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EntryPage } from "@tripline/contract/entries";
import { SavedWorkflow, WorkflowList } from "@tripline/contract/executor";
import { type Environment, node } from "../../platforms.ts";
import { createWorld, type Scenario, type World } from "../../scenario.ts";
import { createWebhook, ECHO, trigger, waitForRecords } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const TOKEN = "internal-token-of-the-tests";

const save = (world: World, name: string) =>
	world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", {
		body: { name, description: "Says it again", ...ECHO },
	});

const listWorkflows = async (world: World, headers: Readonly<Record<string, string>> = {}) => {
	const query = { owner_id: world.owner, entry_type: "workflow" };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query, headers });
	return page.entries.map(({ page_name }) => page_name);
};

interface Passed {
	readonly request: string;
	readonly authorization: string | undefined;
}

/** A proxy for a store that logs the requests. */
async function startProxy(storeUrl: string) {
	const passed: Passed[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const { authorization } = request.headers;
		passed.push({ request: `${request.method} ${request.url?.split("?")[0]}`, authorization });
		const answer = await fetch(storeUrl + request.url, {
			method: request.method ?? "GET",
			headers: { "content-type": "application/json", ...(authorization && { authorization }) },
			...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
		});
		response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { passed, url, close };
}

/** Runs a service whose executor uses the store of another. */
async function withRemoteStore(
	settings: Environment,
	use: (reached: { world: World; passed: Passed[]; remote: Environment }) => Promise<void>,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "tripline-keys-"));
	// Both need the same key, because credentials in the store are sealed with it.
	const MASTER_KEY_FILE = join(folder, "master.key");
	const store = await node.start({ ...settings, MASTER_KEY_FILE });
	const { url, passed, close } = await startProxy(store.storeUrl);
	const remote = { STORE_BASE_URL: url, MASTER_KEY_FILE };
	try {
		const target = await node.start({ ...settings, ...remote });
		try {
			await use({ world: createWorld({ ...target, storeUrl: store.storeUrl }), passed, remote });
		} finally {
			await target.close();
		}
	} finally {
		close();
		await store.close();
		rmSync(folder, { recursive: true });
	}
}

export const storeAccess: readonly Scenario[] = [
	{
		name: "workflows are saved only through the store's HTTP API: without it nothing is saved",
		cites: ["EXEC-NO-STORE-DB"],
		async run(world) {
			await world.target.setStoreAway(true);
			try {
				const body = { name: "lost", description: "", ...ECHO };
				const answer = await world.executor.call("POST", "/webhooks/named", { body });
				assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "1"]);
				for (const path of ["/webhooks/named", "/portal/data/workflows"]) {
					await world.executor.refuse(503, "GET", path);
				}
			} finally {
				await world.target.setStoreAway(false);
			}
			await save(world, "kept");
			assert.deepEqual(await listWorkflows(world), ["kept"]);
		},
	},
	{
		name: "the executor sends the internal token that the store requires",
		cites: ["EXEC-STORE-INTERNAL-TOKEN"],
		run: (world) =>
			withSettings(world, { STORE_INTERNAL_TOKEN: TOKEN }, async () => {
				const headers = { authorization: `Bearer ${TOKEN}` };
				await world.refuse(401, "GET", "/entries", { query: { owner_id: world.owner } });
				await save(world, "mine");
				assert.deepEqual(await listWorkflows(world, headers), ["mine"]);
				const { execution_id } = await trigger(world.anyone, await createWebhook(world.executor, ECHO));
				assert.equal((await waitForRecords(world, 1, world.owner, headers))[0]?.id, execution_id);
			}),
	},
	{
		name: "the executor works without an internal token and sends none",
		cites: ["EXEC-STORE-BASE-URL", "EXEC-STORE-INTERNAL-TOKEN-OPTIONAL", "EXEC-NO-STORE-DB"],
		isOnlyOnNode: true,
		run: () =>
			withRemoteStore({}, async ({ world, passed }) => {
				await save(world, "mine");
				await assertRecorded(world);
				assert.ok(passed.length > 0);
				assert.ok(passed.every(({ authorization }) => authorization === undefined));
			}),
	},
	{
		name: "the executor reads and writes everything at STORE_BASE_URL, with the internal token in every request",
		cites: ["EXEC-STORE-BASE-URL", "EXEC-STORE-INTERNAL-TOKEN", "EXEC-NO-STORE-DB"],
		isOnlyOnNode: true,
		run: () =>
			withRemoteStore({ STORE_INTERNAL_TOKEN: TOKEN }, async ({ world, passed, remote }) => {
				const headers = { authorization: `Bearer ${TOKEN}` };
				await save(world, "mine");
				assert.deepEqual(await listWorkflows(world, headers), ["mine"]);
				const list = await world.executor.expect(200, WorkflowList, "GET", "/webhooks/named");
				assert.deepEqual(
					list.workflows.map(({ name, source }) => [name, source]),
					[["mine", "store"]],
				);
				await assertRecorded(world, headers);
				const requests = passed.map(({ request }) => request);
				for (const request of ["PUT /entries", "GET /entries", "POST /execution-log"]) {
					assert.ok(requests.includes(request), request);
				}
				assert.ok(passed.every(({ authorization }) => authorization === `Bearer ${TOKEN}`));
				await assert.rejects(node.start(remote), /internal token/);
			}),
	},
];

async function assertRecorded(world: World, headers: Readonly<Record<string, string>> = {}): Promise<void> {
	const { execution_id } = await trigger(world.anyone, await createWebhook(world.executor, ECHO));
	assert.equal((await waitForRecords(world, 1, world.owner, headers))[0]?.id, execution_id);
}
