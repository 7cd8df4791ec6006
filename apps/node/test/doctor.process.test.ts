import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { systemClock } from "@tripline/platform/clock";
import { statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { eventually } from "../../../test/conformance/scenarios/executor/eventually.ts";
import { startPostgres } from "../../../test/postgres.ts";
import { diagnose } from "../src/diagnosis/diagnose.ts";
import { readDisk } from "../src/diagnosis/disk.ts";
import { startService } from "../src/service.ts";
import { parseSettings } from "../src/settings.ts";
import { LOCALHOST_CERTIFICATE } from "./localhost-certificate.ts";
import { temporaryFolder } from "./process.ts";

type Variables = Readonly<Record<string, string>>;

const NO_PORTS = { PORT: "0", STORE_PORT: "0" };
const DAY_MS = 86_400_000;
/** In every setting that is secret. */
const CANARY = "canary0123456789canary";
const SECRETS = {
	...{ MCP_OWNER_SECRET: CANARY, MCP_STATIC_TOKEN: CANARY, SERVICE_ACCESS_TOKEN: CANARY },
	...{ STORE_INTERNAL_TOKEN: CANARY, REGISTRY_ADMIN_TOKEN: CANARY },
};

async function examine(variables: Variables, more: Partial<Parameters<typeof diagnose>[0]> = {}) {
	const checks = await diagnose({ variables, now: Date.now, readDisk, ...more });
	assert.ok(!JSON.stringify(checks).includes(CANARY));
	return checks;
}

/** The one check with that name, which must not be ok and must say what to do. */
async function findFault(name: string, variables: Variables, more: Parameters<typeof examine>[1] = {}) {
	const checks = await examine({ ...NO_PORTS, ...variables }, more);
	const found = checks.filter((check) => check.name === name && check.status !== "ok");
	assert.equal(found.length, 1, JSON.stringify(checks, null, 1));
	assert.ok((found[0]?.fix ?? "") !== "");
	return `${found[0]?.status}: ${found[0]?.message}; ${found[0]?.fix}`;
}

/** A data folder that a service has used, with a credential in its vault. */
async function createData(context: TestContext, variables: Variables = {}): Promise<string> {
	const folder = join(temporaryFolder(context), "data");
	const service = await run(context, { DATA_DIR: folder, ...variables });
	const headers = { "x-service-api-key": "default", "content-type": "application/json" };
	const body = JSON.stringify({ auth_recipe: "bearer_token", fields: { host: "a.example", token: CANARY } });
	const put = await fetch(`${service.publicUrl}/credentials/partner`, { method: "PUT", headers, body });
	assert.ok(put.ok, await put.text());
	await service.close();
	return folder;
}

async function run(context: TestContext, variables: Variables) {
	const settings = parseSettings({ ...NO_PORTS, ...variables });
	const service = await startService({ settings, clock: systemClock, log: () => {}, version: "1.3.1" });
	let closed: Promise<void> | undefined;
	const close = () => {
		closed ??= service.close();
		return closed;
	};
	context.after(close);
	return { ...service, close };
}

async function listen(context: TestContext, server: Server): Promise<number> {
	await once(server.listen(0, "127.0.0.1"), "listening");
	context.after(() => server.close());
	return (server.address() as AddressInfo).port;
}

const startDouble = async (context: TestContext, handle: RequestListener): Promise<string> =>
	`http://127.0.0.1:${await listen(context, createServer(handle))}`;

/** An address at which nothing listens. */
async function findClosed(context: TestContext): Promise<string> {
	const server = createServer();
	const port = await listen(context, server);
	server.close();
	return `http://127.0.0.1:${port}`;
}

const answerHealth = (response: ServerResponse) => response.end('{"status":"ok"}');

describe("tripline doctor", () => {
	test("finds nothing wrong with a service that runs, nor before its first start", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		for (const check of await examine({ ...NO_PORTS, DATA_DIR }))
			assert.equal(check.status, "ok", check.message);
		const service = await run(context, { ...SECRETS, DATA_DIR });
		const [PORT, STORE_PORT] = [service.publicUrl, service.storeUrl].map((url) => new URL(url).port);
		const checks = await examine({ ...SECRETS, DATA_DIR, PORT: PORT ?? "", STORE_PORT: STORE_PORT ?? "" });
		for (const check of checks) assert.equal(check.status, "ok", `${check.name}: ${check.message}`);
		const names = checks.map(({ name }) => name);
		for (const name of [
			"settings",
			"clock",
			"disk",
			"data folder",
			"master key",
			"owner secret",
			"port",
			"clients",
		])
			assert.ok(names.includes(name), name);
		assert.ok(checks.some(({ message }) => message.includes("the service answers at")));
		const key = readFileSync(join(DATA_DIR, "keys", "master.key"), "utf8").trim();
		assert.ok(!JSON.stringify(checks).includes(key));
	});

	test("prints a line for each check, and its exit code says whether there is a problem", async (context) => {
		const cwd = temporaryFolder(context);
		const doctor = (variables: Variables, ...args: string[]) =>
			spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM, ...args], {
				...{ cwd, encoding: "utf8" as const, env: { PATH: process.env.PATH, ...NO_PORTS, ...variables } },
			});
		const healthy = doctor(SECRETS);
		assert.equal(healthy.status, 0, healthy.stdout + healthy.stderr);
		assert.match(healthy.stdout, /^ok {7}settings: all are valid$/m);
		const broken = doctor({ ...SECRETS, MCP_TOKEN_TTL: "soon" }, "--json");
		assert.equal(broken.status, 1);
		const { ok, checks } = JSON.parse(broken.stdout) as { ok: boolean; checks: { message: string }[] };
		assert.equal(ok, false);
		assert.match(checks[0]?.message ?? "", /MCP_TOKEN_TTL must be/);
		assert.ok(!`${healthy.stdout}${broken.stdout}${broken.stderr}`.includes(CANARY));
	});

	test("settings", async () => {
		assert.match(await findFault("settings", { HOST: "0.0.0.0" }), /^problem: .*SERVICE_ACCESS_TOKEN/);
	});

	test("clock: behind or ahead of others, or set back", async (context) => {
		const DATA_DIR = await createData(context);
		for (const [ahead, message] of [
			[60_000, /^warning: this clock is \d+ seconds behind that of another host; set the clock by NTP/],
			[-3_600_000, /^problem: this clock is 60 minutes ahead of/],
		] as const) {
			const BASE_URL = await startDouble(context, (_, response) => {
				response.setHeader("date", new Date(Date.now() + ahead).toUTCString());
				answerHealth(response);
			});
			assert.match(await findFault("clock", { DATA_DIR, BASE_URL }), message);
		}
		const later = new Date(Date.now() + DAY_MS);
		utimesSync(join(DATA_DIR, "store.db"), later, later);
		assert.match(
			await findFault("clock", { DATA_DIR }),
			/^problem: the data was written 1440 minutes in the future/,
		);
	});

	test("disk: nearly full", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		for (const [mib, message] of [
			[800, /^warning: 800 MiB of 9\.8 GiB are free for .*; delete what is not needed/],
			[20, /^problem: 20 MiB of/],
		] as const) {
			const readFull = async () => ({ free_bytes: mib * 2 ** 20, total_bytes: 10_000 * 2 ** 20 });
			assert.match(await findFault("disk", { DATA_DIR }, { readDisk: readFull }), message);
		}
	});

	test("data folder: open to others, files of another user, not a folder", async (context) => {
		const DATA_DIR = await createData(context);
		chmodSync(DATA_DIR, 0o755);
		assert.match(await findFault("data folder", { DATA_DIR }), /^warning: others can open .*chmod 700/);
		chmodSync(DATA_DIR, 0o700);
		if (process.getuid?.() === 0) {
			chownSync(join(DATA_DIR, "kv.db"), 12345, 12345);
			assert.match(
				await findFault("data folder", { DATA_DIR }),
				/^problem: .*kv\.db belongs to another user/,
			);
		}
		const file = join(DATA_DIR, "file");
		writeFileSync(file, "");
		assert.match(await findFault("data folder", { DATA_DIR: file }), /^problem: .* is not a folder/);
	});

	test("keys: missing, wrong, readable by others", async (context) => {
		const DATA_DIR = await createData(context);
		const key = join(DATA_DIR, "keys", "master.key");
		chmodSync(key, 0o644);
		assert.match(await findFault("master key", { DATA_DIR }), /^problem: .*can be read by others.*chmod 600/);
		chmodSync(key, 0o600);
		writeFileSync(key, "not a key");
		assert.match(
			await findFault("master key", { DATA_DIR }),
			/^problem: .*is not a master key.*; restore the key/,
		);
		const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");
		assert.match(
			await findFault("master key", { DATA_DIR, MASTER_KEY }),
			/^problem: MASTER_KEY does not open the/,
		);
		rmSync(key);
		assert.match(await findFault("master key", { DATA_DIR }), /^problem: .*master\.key is missing/);
		assert.equal(statSync(key, { throwIfNoEntry: false }), undefined, "a check creates nothing");
		chmodSync(join(DATA_DIR, "keys", "owner.secret"), 0o640);
		assert.match(await findFault("owner secret", { DATA_DIR }), /^problem: .*can be read by others/);
		assert.match(
			await findFault("owner secret", { DATA_DIR, MCP_OWNER_SECRET: "" }),
			/^warning: .*nobody can log in/,
		);
	});

	test("databases: damaged, missing, of a newer version", async (context) => {
		const DATA_DIR = await createData(context);
		const store = new DatabaseSync(join(DATA_DIR, "store.db"));
		store.exec("insert into migrations (version, name) values (999, 'future')");
		store.close();
		assert.match(
			await findFault("database store", { DATA_DIR }),
			/^problem: .*written by a newer version, 1\.3\.1 \(schema 999.*; use that version, run tripline downgrade/,
		);
		truncateSync(join(DATA_DIR, "executor.db"), 5000);
		assert.match(
			await findFault("database executor", { DATA_DIR }),
			/^problem: .*executor\.db is damaged.*backup/,
		);
		rmSync(join(DATA_DIR, "kv.db"));
		assert.match(await findFault("database kv", { DATA_DIR }), /^problem: .*kv\.db is missing; restore/);
	});

	test("PostgreSQL: unreachable, of a newer version, with another master key", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		const MASTER_KEY = Buffer.alloc(32, 1).toString("base64");
		const shared = { ...SECRETS, DATA_DIR, MASTER_KEY };
		assert.match(
			await findFault("database", { ...shared, DATABASE_URL: `postgres://ada:${CANARY}@127.0.0.1:1/x` }),
			/^problem: PostgreSQL cannot be reached \(ECONNREFUSED\); check DATABASE_URL/,
		);
		const server = await startPostgres();
		context.after(() => server.stop());
		const variables = { ...shared, DATABASE_URL: server.url };
		const service = await run(context, variables);
		for (const check of await examine({ ...NO_PORTS, ...variables }))
			assert.equal(check.status, "ok", `${check.name}: ${check.message}`);
		await service.close();
		const other = { ...variables, MASTER_KEY: Buffer.alloc(32, 2).toString("base64") };
		assert.match(await findFault("master key", other), /^problem: MASTER_KEY does not open the vault/);
		const sql = await openPostgres(server.url, { schema: "tripline_kv" });
		await sql.write([statement("insert into migrations (version, name) values (999, 'future')")]);
		await sql.close();
		assert.match(
			await findFault("database", variables),
			/^problem: tripline_kv was written by a newer version/,
		);
	});

	test("ports: taken by another program", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		const url = await startDouble(context, (_, response) => response.end("hello"));
		const PORT = new URL(url).port;
		assert.match(
			await findFault("port", { DATA_DIR, PORT }),
			/^problem: another program listens on .*set PORT to/,
		);
		assert.match(
			await findFault("store's port", { DATA_DIR, STORE_PORT: PORT }),
			/set STORE_PORT to another/,
		);
	});

	test("service: mailboxes that fail, and another token", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		const service = await run(context, { ...SECRETS, DATA_DIR });
		const { port: PORT } = new URL(service.publicUrl);
		const send = async (method: string, path: string, body: object) => {
			const response = await fetch(service.publicUrl + path, {
				method,
				headers: {
					...{ "x-service-api-key": "default", "content-type": "application/json" },
					authorization: `Bearer ${CANARY}`,
				},
				body: JSON.stringify(body),
			});
			assert.ok(response.ok, await response.text());
		};
		const fields = { host: "127.0.0.1:1", user: "ada", password: CANARY, tls: "off" };
		await send("PUT", "/credentials/box", { auth_recipe: "imap", fields });
		await send("POST", "/workflows", {
			...{ name: "tickets", description: "", version: "1", triplets: ["input >> then >> only"] },
			config: { only: { component: "set", values: {} } },
			trigger: { type: "event", email: { credential: "box" } },
		});
		const fault = await eventually(() => findFault("service", { ...SECRETS, DATA_DIR, PORT }));
		assert.match(
			fault,
			/^warning: The mailbox of tickets fails: .*ALLOW_PRIVATE_HOSTS; see tripline triggers/,
		);
		const others = { ...SECRETS, STORE_INTERNAL_TOKEN: "another-token-of-the-tests" };
		assert.match(
			await findFault("service", { ...others, DATA_DIR, PORT }),
			/^problem: the service does not accept the token of these settings/,
		);
	});

	test("certificate: expired, for another name, not trusted, about to expire", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		const port = await listen(
			context,
			createTlsServer(LOCALHOST_CERTIFICATE, (_, response) => answerHealth(response)),
		);
		const fault = (host: string, now = Date.now()) =>
			findFault(
				"certificate",
				{ ...SECRETS, DATA_DIR, BASE_URL: `https://${host}:${port}` },
				{ now: () => now },
			);
		const end = Date.parse("2126-10-25T00:00:00Z");
		assert.match(await fault("localhost", end + DAY_MS), /^problem: .* expired on .*; renew it/);
		assert.match(await fault("127.0.0.1"), /^problem: .* is for other names \(DNS:localhost\)/);
		assert.match(await fault("localhost"), /^problem: .* is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
		const plain = await listen(
			context,
			createServer((_, response) => answerHealth(response)),
		);
		assert.match(
			await findFault("certificate", { ...SECRETS, DATA_DIR, BASE_URL: `https://localhost:${plain}` }),
			/^problem: .* has no certificate that can be read \(.*\); check that the proxy serves https/,
		);
		const trusted = getCACertificates("default");
		context.after(() => setDefaultCACertificates(trusted));
		setDefaultCACertificates([LOCALHOST_CERTIFICATE.cert]);
		assert.match(await fault("localhost", end - 5 * DAY_MS), /^warning: .* expires in \d days/);
	});

	test("address: unreachable, something else, a proxy that fails or changes the Host", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		const fault = async (status: number) => {
			const BASE_URL = await startDouble(context, (_, response) => response.writeHead(status).end());
			return findFault("address", { DATA_DIR, BASE_URL });
		};
		assert.match(
			await findFault("address", { DATA_DIR, BASE_URL: await findClosed(context) }),
			/cannot be reached from here/,
		);
		assert.match(await fault(404), /leads to something else \(it answers 404\)/);
		assert.match(await fault(502), /the proxy does not reach the service; start the service/);
		assert.match(await fault(403), /let the proxy pass the Host header unchanged/);
	});

	test("hosts that the settings name: unreachable", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		assert.match(
			await findFault("host", {
				DATA_DIR,
				EMBED_URL: `${await findClosed(context)}/v1`,
				EMBED_MODEL: "m",
				EMBED_API_KEY: CANARY,
			}),
			/^problem: EMBED_URL http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/,
		);
	});

	test("clients: a proxy that keeps paths to itself, or sends another Host", async (context) => {
		const DATA_DIR = join(temporaryFolder(context), "data");
		const partly = await startDouble(context, ({ url }, response) =>
			url === "/healthz" ? answerHealth(response) : response.writeHead(404).end(),
		);
		assert.match(
			await findFault("clients", { DATA_DIR, BASE_URL: partly }),
			/^problem: assistants cannot connect to .*answers 404.*; /,
		);
		const service = await run(context, { DATA_DIR });
		const inner = service.publicUrl.replace("127.0.0.1", "localhost");
		const renaming = await startDouble(context, async ({ url, method = "GET" }, response) => {
			const answer = await fetch(inner + url, { method });
			response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
		});
		assert.match(
			await findFault("clients", { DATA_DIR, BASE_URL: renaming }),
			/^problem: assistants cannot connect to .*http:\/\/localhost:\d+.*; Set MCP_URL to the address that clients use/,
		);
	});
});

const PROGRAM = fileURLToPath(new URL("../src/doctor.ts", import.meta.url));
