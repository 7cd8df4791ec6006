import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { start, temporaryFolder } from "./process.ts";

/** The program of a checkout; the other tests start the one of the package. */
const SOURCE = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const entry = { owner_id: "default", entry_type: "note", page_name: "hello", content: "My first entry" };

const put = (storeUrl: string, headers: Record<string, string> = {}) =>
	fetch(`${storeUrl}/entries`, { method: "PUT", body: JSON.stringify(entry), headers });

/** Sends a raw request and returns the beginning of the answer. */
async function sendRaw(context: TestContext, url: string, request: string): Promise<string> {
	const socket = connect(Number(new URL(url).port), "127.0.0.1");
	context.after(() => socket.destroy());
	socket.write(request);
	return new Promise((resolve) => socket.once("data", (data) => resolve(String(data))));
}

async function assertRefusesToStart(
	context: TestContext,
	variables: Record<string, string>,
	line: RegExp,
	cwd?: string,
): Promise<void> {
	const service = await start(context, variables, cwd);
	assert.deepEqual(await service.exited(), { code: 2, signal: null });
	assert.match(service.stderr(), line);
	assert.equal(service.stderr().trimEnd().split("\n").length, 1, service.stderr());
}

describe("the process", { concurrency: 2 }, () => {
	test("a first start needs no setup, and data survives a restart", async (context) => {
		const cwd = temporaryFolder(context);
		const first = await start(context, {}, cwd, SOURCE);
		assert.equal((await put(first.storeUrl)).status, 201);
		first.child.kill("SIGTERM");
		assert.deepEqual(await first.exited(), { code: 0, signal: null });
		const second = await start(context, {}, cwd);
		const page = (await (await fetch(`${second.storeUrl}/entries?owner_id=default`)).json()) as {
			entries: { content: string }[];
		};
		assert.equal(page.entries[0]?.content, "My first entry");
	});

	test("both ports serve health, readiness and their description", async (context) => {
		const service = await start(context, {});
		for (const url of [service.publicUrl, service.storeUrl]) {
			for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs"]) {
				assert.equal((await fetch(url + path)).status, 200, url + path);
			}
			assert.equal((await fetch(`${url}/nothing`)).status, 404);
		}
	});

	test("only this user can read the data folder and its files", async (context) => {
		const cwd = temporaryFolder(context);
		await start(context, {}, cwd);
		const mode = (path: string) => statSync(join(cwd, path)).mode & 0o777;
		assert.equal(mode("data"), 0o700);
		for (const file of ["store.db", "store.db-wal", "store.db-shm"])
			assert.equal(mode(`data/${file}`), 0o600);
	});

	test("settings come from .env, and real variables win", async (context) => {
		const cwd = temporaryFolder(context);
		writeFileSync(join(cwd, ".env"), "STORE_INTERNAL_TOKEN=token-from-the-file\nDATA_DIR=elsewhere\n");
		const service = await start(context, {}, cwd);
		assert.equal((await put(service.storeUrl)).status, 401);
		assert.equal((await put(service.storeUrl, { authorization: "Bearer token-from-the-file" })).status, 201);
		assert.ok(statSync(join(cwd, "data/store.db")).isFile());
	});

	test("empty settings count as unset, and one line names them", async (context) => {
		const cwd = temporaryFolder(context);
		writeFileSync(join(cwd, ".env"), "MCP_STATIC_TOKEN=\nNAMESPACE=from-the-file\n");
		const variables = { STORE_INTERNAL_TOKEN: "", NAMESPACE: "", MCP_OWNER_SECRET: "", UNKNOWN_SETTING: "" };
		const service = await start(context, variables, cwd);
		assert.equal((await put(service.storeUrl)).status, 201);
		assert.equal((await fetch(`${service.publicUrl}/authorize`)).status, 503);
		service.child.kill("SIGTERM");
		await service.exited();
		const told = service
			.stderr()
			.split("\n")
			.filter((line) => line.includes("taken as unset"));
		assert.deepEqual(
			told.map((line) => ({ ...JSON.parse(line), time: "" })),
			[
				{
					time: "",
					level: "info",
					message: "empty settings are taken as unset",
					settings: ["STORE_INTERNAL_TOKEN", "NAMESPACE", "MCP_STATIC_TOKEN"],
				},
			],
		);
	});

	test("log lines are JSON with the request's id and route, and without token, body or query", async (context) => {
		const service = await start(context, { STORE_INTERNAL_TOKEN: "canary-token-0123" });
		await put(service.storeUrl, { authorization: "Bearer canary-token-0123", "x-request-id": "trace-7" });
		await fetch(`${service.storeUrl}/entries?owner_id=canary-owner`);
		service.child.kill("SIGTERM");
		await service.exited();
		const lines = service
			.stderr()
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line) as Record<string, unknown>);
		const line = lines.find((each) => each.request_id === "trace-7");
		assert.equal(line?.route, "/entries");
		assert.equal(line?.status, 201);
		assert.equal(lines.filter((each) => each.message === "request").length, 2);
		assert.doesNotMatch(service.stderr(), /canary|My first entry/);
	});

	for (const signal of ["SIGTERM", "SIGINT"] as const) {
		test(`${signal} lets a running request finish, then exits 0`, async (context) => {
			const service = await start(context, {});
			const body = JSON.stringify(entry);
			const socket = connect(Number(new URL(service.storeUrl).port), "127.0.0.1");
			context.after(() => socket.destroy());
			const readChunk = () =>
				new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
			socket.write(
				`PUT /entries HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
			);
			assert.match(await readChunk(), /^HTTP\/1\.1 100 /, "it is under way");
			service.child.kill(signal);
			// At some point it accepts no new connections.
			while (await fetch(`${service.storeUrl}/healthz`).then(Boolean, () => false)) await sleep(20);
			socket.write(body);
			assert.match(await readChunk(), /^HTTP\/1\.1 201 /);
			assert.deepEqual(await service.exited(), { code: 0, signal: null });
		});
	}

	test("a forged Host is refused on both ports", async (context) => {
		const service = await start(context, {});
		for (const url of [service.publicUrl, service.storeUrl]) {
			assert.match(
				await sendRaw(context, url, "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
				/^HTTP\/1\.1 403 /,
			);
		}
	});

	test("an ambiguous request gets 400 on both ports", async (context) => {
		const service = await start(context, {});
		for (const url of [service.publicUrl, service.storeUrl]) {
			const host = `Host: ${new URL(url).host}`;
			for (const head of [
				`GET /healthz HTTP/1.1\r\n${host}\r\n${host}\r\n`,
				`GET /healthz HTTP/1.1\r\n${host}\r\nX: y\r\nhOST: evil.example\r\n`,
				`GET /healthz HTTP/1.1\r\nHost: evil.example\r\n${host}\r\n`,
				`GET ${url}/healthz HTTP/1.1\r\n${host}\r\n${host}\r\n`,
				`POST /entries HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nContent-Length: 2\r\n`,
				`POST /entries HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n`,
				"GET /healthz HTTP/1.1\r\n",
			]) {
				assert.match(await sendRaw(context, url, `${head}\r\n`), /^HTTP\/1\.1 400 /, head);
			}
			const sane = `GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`;
			assert.match(await sendRaw(context, url, sane), /^HTTP\/1\.1 200 /);
		}
	});
});

describe("a failed start", { concurrency: 2 }, () => {
	test("a bad setting: one line, exit 2", (context) =>
		assertRefusesToStart(
			context,
			{ PORT: "eighty" },
			/^tripline: PORT must be a port number from 0 to 65535$/m,
		));

	test("a token that is not a valid header value: one line, exit 2", (context) =>
		assertRefusesToStart(
			context,
			{ MCP_STATIC_TOKEN: "two words of a token" },
			/^tripline: MCP_STATIC_TOKEN must be printable ASCII .*: create one with openssl rand -hex 24$/m,
		));

	test("a port in use: one line, exit 2", async (context) => {
		const taken = createServer().listen(0, "127.0.0.1");
		await new Promise((resolve) => taken.once("listening", resolve));
		context.after(() => taken.close());
		const { port } = taken.address() as AddressInfo;
		await assertRefusesToStart(
			context,
			{ STORE_PORT: String(port) },
			new RegExp(`^tripline: STORE_PORT ${port} is in use: .*set STORE_PORT to another port$`, "m"),
		);
	});

	test("a data folder that cannot be written: one line, exit 2", async (context) => {
		const cwd = temporaryFolder(context);
		writeFileSync(join(cwd, "file"), "");
		await assertRefusesToStart(
			context,
			{ DATA_DIR: "file/data" },
			/^tripline: DATA_DIR .* cannot be written/m,
			cwd,
		);
	});

	test("a database of a newer version: one line, exit 2, and the database is unchanged", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await start(context, {}, cwd);
		service.child.kill("SIGTERM");
		await service.exited();
		const path = join(cwd, "data/store.db");
		const newer = openSqlite(path);
		await newer.write([statement("insert into migrations (version, name) values (999, 'future')")]);
		newer.close();
		await assertRefusesToStart(
			context,
			{},
			/written by a newer version .schema 999.*; use version 1\.3\.1, run tripline downgrade with it, or restore a backup/m,
			cwd,
		);
	});

	test("a file that is not a database: one line, exit 2", async (context) => {
		const cwd = temporaryFolder(context);
		writeFileSync(join(cwd, "store.db"), "not a database, but long enough to be taken for one".repeat(50));
		await assertRefusesToStart(context, { DATA_DIR: "." }, /store\.db cannot be used: /m, cwd);
	});
});
