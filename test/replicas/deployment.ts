import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { QuestionPage } from "@tripline/contract/questions";
import type * as z from "zod";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import type { PostgresServer } from "../postgres.ts";

const TENANT = { "x-service-api-key": "replicas" };
const OWNER_SECRET = "the owner's long secret";

/** Several processes that serve one deployment, each with its own address. */
export async function startProcesses(
	context: TestContext,
	server: PostgresServer,
	{ count, settings = {} }: { readonly count: number; readonly settings?: Readonly<Record<string, string>> },
): Promise<readonly [Started, ...Started[]]> {
	const common = {
		LOG_LEVEL: "warn",
		DATABASE_URL: server.url,
		DATABASE_SCHEMA: `deployment_${randomBytes(6).toString("hex")}`,
		DATABASE_CONNECTIONS: "8",
		MASTER_KEY: randomBytes(32).toString("base64"),
		MCP_OWNER_SECRET: OWNER_SECRET,
		DATA_DIR: temporaryFolder(context),
		...settings,
	};
	const started = await Promise.all(Array.from({ length: count }, () => start(context, common)));
	for (const { publicUrl, stderr } of started) assert.notEqual(publicUrl, "", stderr());
	return started as [Started, ...Started[]];
}

export const startTwo = async (
	context: TestContext,
	server: PostgresServer,
	settings?: Readonly<Record<string, string>>,
): Promise<readonly [Started, Started]> =>
	(await startProcesses(context, server, { count: 2, ...(settings && { settings }) })) as unknown as [
		Started,
		Started,
	];

export async function call(
	to: Started,
	method: string,
	path: string,
	{ body, headers = {} }: { body?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
	return fetch(to.publicUrl + path, {
		method,
		headers: { ...TENANT, ...headers },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
}

export async function callJson(...args: Parameters<typeof call>): Promise<unknown> {
	const response = await call(...args);
	assert.ok(response.ok, `${args[1]} ${args[2]}: ${response.status} ${await response.clone().text()}`);
	return response.json();
}

export const save = (to: Started, name: string, document: object) =>
	callJson(to, "POST", "/workflows", { body: { name, description: "", version: "1", ...document } });

export const trigger = (to: Started, name: string, body: object = {}, headers = {}) =>
	call(to, "POST", `/webhooks/named/${name}/trigger`, { body, headers });

export async function accept(to: Started, name: string, body: object = {}): Promise<string> {
	const answer = await trigger(to, name, body, { prefer: "respond-async" });
	return AcceptedRun.parse(await answer.json()).execution_id;
}

export async function readDetail(to: Started, id: string): Promise<z.output<typeof ExecutionDetail>> {
	return ExecutionDetail.parse(await callJson(to, "GET", `/executions/${id}`));
}

export async function waitForEnd(to: Started, id: string) {
	return eventually(async () => {
		const { status, record } = await readDetail(to, id);
		assert.notEqual(status, "accepted");
		assert.ok(record !== null);
		return record;
	}, 40_000);
}

export const listQuestions = async (to: Started) =>
	QuestionPage.parse(await callJson(to, "GET", "/questions")).questions;

/** Repeats what may not hold yet. */
export async function eventually<T>(check: () => Promise<T>, ms = 10_000): Promise<T> {
	const until = performance.now() + ms;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > until) throw error;
			await wait(20);
		}
	}
}

/** Another service, which records the calls that it gets and answers after a pause. */
export async function startOutside(context: TestContext) {
	const received: string[] = [];
	const server = createServer(async (request, response) => {
		const url = new URL(request.url ?? "", "http://outside");
		received.push(url.pathname);
		await wait(Number(url.searchParams.get("ms") ?? 0));
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ got: url.pathname }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		settings: { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` },
		count: (path: string): number => received.filter((each) => each === path).length,
	};
}
