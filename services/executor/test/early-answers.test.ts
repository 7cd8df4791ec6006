import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { nodeBackground } from "@tripline/platform/background.node";
import { nodeCipher } from "@tripline/platform/cipher.node";
import { systemClock } from "@tripline/platform/clock";
import { nodeDescriptions } from "@tripline/platform/descriptions.node";
import { nodeHttp } from "@tripline/platform/http.node";
import { type Journal, RunLost } from "@tripline/platform/journal";
import { journalMigrations, sqlJournal } from "@tripline/platform/journal.sql";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { createMasterKeyText, importMasterKey } from "@tripline/platform/master-key";
import { migrate } from "@tripline/platform/migrations";
import { nodePdf } from "@tripline/platform/pdf.node";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { registryClient } from "@tripline/registry/client";
import { createStore } from "@tripline/store/app";
import { type StoreClient, storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { createExecutor, type Executor } from "../src/app.ts";
import { executorEnvironment, executorSettings } from "../src/settings.ts";
import { storedEntries } from "../src/vault/stored-entries.ts";
import { createVault } from "../src/vault/vault.ts";

const HEADERS = { "x-service-api-key": "default", "content-type": "application/json" };
const WORKFLOW = {
	name: "approval",
	description: "Asks.",
	version: "1",
	triplets: ["ask >> then >> said"],
	config: {
		ask: { component: "ask", question: "Pay?" },
		said: { component: "template", text: "{{ask.comment}}" },
	},
};
const POLL_MS = 20;
const ANSWER = { answer: { approved: true, comment: "yes" } };

/** Of any of the calls below. */
interface Answer {
	readonly execution_id: string;
	readonly questions: readonly { readonly execution_id: string; readonly id: string }[];
	readonly status: string;
	readonly unfinished: object | null;
}

/** A store and a journal, and processes that use them one after the other. */
async function openDeployment(context: TestContext) {
	const [sql, steps, kvSql] = [openSqlite(":memory:"), openSqlite(":memory:"), openSqlite(":memory:")];
	const [http, sandbox, pdf] = [nodeHttp({ allow: parseAllowedHosts("") }), nodeSandbox(), nodePdf()];
	const executors: Executor[] = [];
	context.after(async () => {
		await Promise.all(executors.map((executor) => executor.close()));
		store.stop();
		await Promise.all([http.close(), sandbox.close(), pdf.close()]);
		for (const each of [sql, steps, kvSql]) each.close();
	});
	await migrate(sql, storeMigrations);
	await migrate(steps, journalMigrations);
	await migrate(kvSql, kvMigrations);
	const background = nodeBackground(() => {});
	const common = { clock: systemClock, log: () => {}, version: "1.2.3", background, ready: async () => true };
	const isSingle = { MULTI_TENANT: "false" };
	const store = createStore({ ...common, sql, settings: storeSettings(storeEnvironment.parse(isSingle)) });
	const transport = { fetch: store.fetch, baseUrl: "http://store", token: undefined };
	const masterKey = await importMasterKey(createMasterKeyText());
	const parts = {
		...common,
		kv: sqliteKv({ sql: kvSql, clock: systemClock, namespace: "workflows" }),
		blobs: null,
		...{ http, sandbox, pdf, descriptions: nodeDescriptions() },
		registry: registryClient({ fetch: (request) => fetch(request), baseUrl: "http://127.0.0.1:9" }),
		vault: createVault({
			masterKeys: { load: async () => (masterKey === null ? [] : [masterKey]) },
			storage: storedEntries(transport),
			background,
			clock: systemClock,
		}),
		settings: executorSettings(executorEnvironment.parse({ ...isSingle, BASE_URL: "http://127.0.0.1" })),
	};
	const journal = sqlJournal(steps);
	return {
		store: storeClient(transport),
		journal,
		start(changed: { readonly store?: StoreClient; readonly journal?: Journal } = {}) {
			const executor = createExecutor({
				...parts,
				store: changed.store ?? storeClient(transport),
				steps: { journal: changed.journal ?? journal, createCipher: nodeCipher },
			});
			executors.push(executor);
			const call = async (method: string, path: string, body?: object, headers = {}) => {
				const request = new Request(`http://127.0.0.1${path}`, {
					...{ method, headers: { ...HEADERS, ...headers } },
					...(body && { body: JSON.stringify(body) }),
				});
				const response = await executor.fetch(request);
				assert.ok(response.ok, `${method} ${path}: ${response.status}`);
				return (await response.json()) as Answer;
			};
			return { executor, call };
		},
	};
}

type Call = ReturnType<Awaited<ReturnType<typeof openDeployment>>["start"]>["call"];

async function startRun(call: Call): Promise<string> {
	await call("POST", "/workflows", WORKFLOW);
	const { execution_id } = await call(
		"POST",
		"/webhooks/named/approval/trigger",
		{},
		{ prefer: "respond-async" },
	);
	return execution_id;
}

/** Answers the one question of the deployment as soon as it is there. */
async function answerQuestion(call: Call): Promise<void> {
	for (;;) {
		const { questions } = await call("GET", "/questions");
		const [asked] = questions;
		if (asked === undefined) {
			await wait(POLL_MS);
			continue;
		}
		await call("POST", `/questions/${asked.execution_id}/${asked.id}/answer`, ANSWER);
		return;
	}
}

async function waitForEnd(call: Call, id: string): Promise<string> {
	for (;;) {
		const { status, unfinished } = await call("GET", `/executions/${id}`);
		if (unfinished === null) return status;
		await wait(POLL_MS);
	}
}

test("an answer counts that is given after the run has looked for it and before it has left", async (context) => {
	const deployment = await openDeployment(context);
	const { store } = deployment;
	let isFirst = true;
	const slow = {
		...store,
		waits: {
			...store.waits,
			async get(key: Parameters<typeof store.waits.get>[0]) {
				const found = await store.waits.get(key);
				if ("taken" in key && isFirst) {
					isFirst = false;
					await answerQuestion(call);
				}
				return found;
			},
		},
	};
	const { call } = deployment.start({ store: slow });
	assert.equal(await waitForEnd(call, await startRun(call)), "success");
});

test("an answer counts that is given before the run has recorded its question, if its process is killed then", async (context) => {
	const deployment = await openDeployment(context);
	const { journal } = deployment;
	const { promise: neverWritten, reject: end } = Promise.withResolvers<void>();
	const killed = {
		...journal,
		async take(...args: Parameters<Journal["take"]>) {
			const held = await journal.take(...args);
			return held && { ...held, append: () => neverWritten };
		},
	};
	const first = deployment.start({ journal: killed });
	const id = await startRun(first.call);
	await answerQuestion(first.call);
	const second = deployment.start();
	await second.executor.recover();
	assert.equal(await waitForEnd(second.call, id), "success");
	end(new RunLost());
});
