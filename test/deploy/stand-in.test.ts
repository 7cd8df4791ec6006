import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type StandIn, startStandIn } from "./stand-in/stand-in.ts";

/** Fields of most answers. */
interface Made {
	readonly id: string;
	readonly uuid: string;
	readonly name: string;
	readonly status: string;
}

type Rows = readonly { readonly results: readonly object[] }[];

/** An answer of the control plane with its envelope. */
interface Answer<Result = Made> {
	readonly status: number;
	readonly headers: Headers;
	readonly success: boolean;
	readonly errors: readonly { readonly code: number; readonly message: string }[];
	readonly result_info?: { readonly total_count: number; readonly count: number; readonly cursor?: string };
	readonly result: Result;
}

const ALL = { "main.mjs": ["application/javascript+module", ""] };

function createClient(standIn: StandIn, token = standIn.token(), account = standIn.accountId) {
	async function call<Result = Made>(method: string, path: string, body?: unknown): Promise<Answer<Result>> {
		const isForm = body instanceof FormData;
		const response = await fetch(`${standIn.url}/accounts/${account}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${token}`,
				...(body !== undefined && !isForm && { "content-type": "application/json" }),
			},
			...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
		});
		return {
			status: response.status,
			headers: response.headers,
			...((await response.json()) as object),
		} as Answer<Result>;
	}
	const upload = (name: string, code: string, metadata: object = {}, files: typeof ALL = ALL) => {
		const form = new FormData();
		const all = { main_module: "main.mjs", compatibility_date: "2026-07-01", ...metadata };
		form.set("metadata", new Blob([JSON.stringify(all)], { type: "application/json" }));
		for (const [path, [type = "", text = ""]] of Object.entries(files)) {
			form.set(path, new File([path === "main.mjs" ? code : text], path, { type }));
		}
		return call("PUT", `/workers/scripts/${name}`, form);
	};
	const query = (database: string, body: object) =>
		call<Rows>("POST", `/d1/database/${database}/query`, body);
	const publish = (name: string) => call("POST", `/workers/scripts/${name}/subdomain`, { enabled: true });
	return { call, upload, query, publish };
}

const renderWorker = (text: string) =>
	`export default { fetch: () => new Response(${JSON.stringify(text)}) };`;
const listCodes = ({ errors }: Answer<unknown>) => errors.map(({ code }) => code);

describe("deployed workers", () => {
	let standIn: StandIn;
	let api: ReturnType<typeof createClient>;
	before(async () => {
		standIn = await startStandIn({ subdomain: "acme" });
		api = createClient(standIn);
	});
	after(() => standIn.close());
	const readText = async (script: string, path = "/") =>
		(await standIn.fetch(new Request(`https://${script}.acme.workers.dev${path}`))).text();

	test("four workers call each other in a cycle, once all of them exist", async () => {
		const names = ["north", "east", "south", "west"];
		const next = (name: string) => names[(names.indexOf(name) + 1) % names.length] ?? "";
		const code = (name: string) => `
			import { WorkerEntrypoint } from "cloudflare:workers";
			export class Hop extends WorkerEntrypoint {
				async hop(left) { return left === 0 ? ["${name}"] : ["${name}", ...(await this.env.NEXT.hop(left - 1))]; }
			}
			export default { fetch: async (request, env) => Response.json(await env.NEXT.hop(3)) };`;
		const binding = (name: string) => ({
			type: "service",
			name: "NEXT",
			service: next(name),
			entrypoint: "Hop",
		});
		const early = await api.upload("north", code("north"), { bindings: [binding("north")] });
		assert.deepEqual([early.status, listCodes(early)], [400, [10143]]);
		for (const name of names) assert.equal((await api.upload(name, code(name))).success, true);
		for (const name of names) {
			assert.equal((await api.upload(name, code(name), { bindings: [binding(name)] })).success, true);
		}
		await api.publish("north");
		assert.equal(await readText("north"), JSON.stringify(["east", "south", "west", "north"]));
	});

	test("a worker is private until it is published, on its own address too", async () => {
		await api.upload("private", renderWorker("seen"));
		const url = await standIn.getUrl("private");
		assert.equal((await fetch(url)).status, 404);
		assert.match(await readText("private"), /nothing here/);
		await api.publish("private");
		assert.equal(await (await fetch(url)).text(), "seen");
		assert.equal(await readText("private"), "seen");
	});

	test("a worker sees the address, method and body of the request", async () => {
		const code = `export default { fetch: async (request) =>
			new Response([request.method, request.url, await request.text()].join(" "), { status: 201 }) };`;
		await api.upload("echo", code);
		await api.publish("echo");
		const address = "https://echo.acme.workers.dev/path?x=1";
		const answer = await standIn.fetch(new Request(address, { method: "POST", body: "hello" }));
		assert.equal(answer.status, 201);
		assert.equal(await answer.text(), `POST ${address} hello`);
	});

	test("a worker cannot fetch another one of its zone, nor a host outside", async () => {
		const code = `export default { fetch: async (request) => {
			const answer = await fetch("https://" + new URL(request.url).pathname.slice(1));
			return new Response(answer.status + " " + (await answer.text()));
		} };`;
		await api.upload("caller", code);
		await api.publish("caller");
		assert.equal(await readText("caller", "/caller.acme.workers.dev"), "404 error code: 1042");
		assert.equal(await readText("caller", "/example.com"), "530 error code: 1016");
	});

	test("a version that crashes at startup is refused, and the old one stays active", async () => {
		await api.upload("steady", renderWorker("old"), { tags: ["fp:1"] });
		await api.publish("steady");
		const crash = await api.upload("steady", "throw new Error('boom');", { tags: ["fp:2"] });
		assert.deepEqual([crash.status, listCodes(crash)], [400, [10021]]);
		assert.match(crash.errors[0]?.message ?? "", /^Uncaught Error: boom/);
		assert.equal(await readText("steady"), "old");
		const { result } = await api.call<{ id: string; tags: string[] }[]>("GET", "/workers/scripts");
		assert.deepEqual(result.find(({ id }) => id === "steady")?.tags, ["fp:1"]);
	});

	test("code without a handler is refused", async () => {
		assert.deepEqual(listCodes(await api.upload("empty", "export default {};")), [10068]);
	});

	test("a module of WebAssembly, a text and a variable reach the code", async () => {
		const wasm = "\0asm\x01\0\0\0";
		const code = `import module from "./empty.wasm"; import text from "./note.txt";
			export default { fetch: (_, env) => new Response([module instanceof WebAssembly.Module, text, env.NAME].join()) };`;
		const files = {
			...ALL,
			"empty.wasm": ["application/wasm", wasm],
			"note.txt": ["text/plain", "noted"],
		};
		const bindings = [{ type: "plain_text", name: "NAME", text: "acme" }];
		assert.equal((await api.upload("modules", code, { bindings }, files)).success, true);
		await api.publish("modules");
		assert.equal(await readText("modules"), "true,noted,acme");
	});

	test("an upload removes secrets unless it keeps them", async () => {
		const code = "export default { fetch: (_, env) => new Response(String(env.KEY)) };";
		await api.upload("secretive", code);
		await api.publish("secretive");
		const secret = { name: "KEY", text: "s3cret", type: "secret_text" };
		const put = await api.call("PUT", "/workers/scripts/secretive/secrets", secret);
		assert.deepEqual(put.result, { name: "KEY", type: "secret_text" });
		await api.upload("secretive", code, { keep_bindings: ["secret_text", "secret_key"] });
		assert.equal(await readText("secretive"), "s3cret");
		await api.upload("secretive", code);
		assert.equal(await readText("secretive"), "undefined");
	});

	test("a rollback restores the old code, but not the old tags", async () => {
		await api.upload("rolled", renderWorker("one"), { tags: ["fp:1"] });
		await api.upload("rolled", renderWorker("two"), { tags: ["fp:2"] });
		await api.publish("rolled");
		const { result } = await api.call<{ items: Made[] }>("GET", "/workers/scripts/rolled/versions");
		const versions = [{ version_id: result.items[1]?.id, percentage: 100 }];
		await api.call("POST", "/workers/scripts/rolled/deployments", { strategy: "percentage", versions });
		assert.equal(await readText("rolled"), "one");
		const script = standIn.state().scripts.find(({ name }) => name === "rolled");
		assert.deepEqual([script?.servingVersion, script?.tags], [1, ["fp:2"]]);
		const secret = { name: "KEY", text: "x", type: "secret_text" };
		assert.deepEqual(listCodes(await api.call("PUT", "/workers/scripts/rolled/secrets", secret)), [10215]);
	});

	test("a cron trigger fires, and writes to KV and D1 that the API reads", async () => {
		const { result: kv } = await api.call("POST", "/storage/kv/namespaces", { title: "ticks" });
		const { result: d1 } = await api.call("POST", "/d1/database", { name: "ticks" });
		await api.query(d1.uuid, { sql: "CREATE TABLE ticks (cron TEXT)" });
		const code = `export default { async scheduled({ cron }, env) {
			await env.KV.put("last", cron);
			await env.DB.prepare("INSERT INTO ticks VALUES (?)").bind(cron).run();
		} };`;
		const bindings = [
			{ type: "kv_namespace", name: "KV", namespace_id: kv.id },
			{ type: "d1", name: "DB", id: d1.uuid },
		];
		await api.upload("ticking", code, { bindings });
		await assert.rejects(standIn.cron("ticking"), /no cron trigger/);
		await api.call("PUT", "/workers/scripts/ticking/schedules", [{ cron: "* * * * *" }]);
		await standIn.cron("ticking");
		const { result } = await api.query(d1.uuid, { sql: "SELECT * FROM ticks" });
		assert.deepEqual(result[0]?.results, [{ cron: "* * * * *" }]);
		const { result: keys } = await api.call("GET", `/storage/kv/namespaces/${kv.id}/keys`);
		assert.deepEqual(keys, [{ name: "last" }]);
	});

	test("a bucket keeps what a worker writes, over deployments", async () => {
		await api.call("POST", "/r2/buckets", { name: "things" });
		const bindings = [{ type: "r2_bucket", name: "THINGS", bucket_name: "things" }];
		const code = `export default { async fetch(_, env) {
			const text = (await (await env.THINGS.get("text"))?.text()) ?? "";
			await env.THINGS.put("text", text + "x");
			return new Response(text);
		} };`;
		await api.upload("keeping", code, { bindings });
		await api.publish("keeping");
		assert.equal(await readText("keeping"), "");
		await api.upload("keeping", `${code}// again`, { bindings });
		assert.equal(await readText("keeping"), "x");
	});

	test("AI and Vectorize answer a worker", async () => {
		const config = { dimensions: 1024, metric: "cosine" };
		await api.call("POST", "/vectorize/v2/indexes", { name: "words", config });
		const code = `export default { async fetch(_, env) {
			const { data } = await env.AI.run("@cf/baai/bge-m3", { text: ["red fox", "blue sky", "a red fox"] });
			await env.INDEX.upsert(data.slice(0, 2).map((values, id) => ({ id: String(id), namespace: "n", values })));
			const { matches } = await env.INDEX.query(data[2], { topK: 1, namespace: "n" });
			return Response.json(matches.map(({ id }) => id));
		} };`;
		const bindings = [
			{ type: "ai", name: "AI" },
			{ type: "vectorize", name: "INDEX", index_name: "words" },
		];
		await api.upload("near", code, { bindings });
		await api.publish("near");
		assert.equal(await readText("near"), '["0"]');
	});
});

describe("the control plane", () => {
	let standIn: StandIn;
	let api: ReturnType<typeof createClient>;
	before(async () => {
		standIn = await startStandIn({ mostPerPage: 10, takenSubdomains: ["taken"] });
		api = createClient(standIn);
	});
	after(() => standIn.close());

	test("runs a migration whose trigger has a ; inside, all or nothing", async () => {
		const { result } = await api.call("POST", "/d1/database", { name: "store" });
		const sql = `CREATE TABLE one (a TEXT); -- not the end;
			CREATE TABLE two (a TEXT);
			CREATE TRIGGER copied AFTER INSERT ON one BEGIN
				INSERT INTO two VALUES (CASE new.a WHEN 'x;' THEN 'ex' ELSE new.a END);
				INSERT INTO two VALUES ('end;');
			END;
			INSERT INTO one VALUES ('x;');`;
		const migrated = await api.query(result.uuid, { sql });
		assert.equal(migrated.result.length, 4);
		const batch = [
			{ sql: "SELECT a FROM two", params: [] },
			{ sql: "SELECT a FROM one WHERE a = ?", params: ["x;"] },
		];
		const read = await api.query(result.uuid, { batch });
		const rows = read.result.map(({ results }) => results);
		assert.deepEqual(rows, [[{ a: "ex" }, { a: "end;" }], [{ a: "x;" }]]);
		const broken = await api.query(result.uuid, { sql: "CREATE TABLE three (a); CREATE TABLE one (a);" });
		assert.deepEqual([broken.status, listCodes(broken)], [400, [7500]]);
		assert.match(broken.errors[0]?.message ?? "", /^table one already exists/);
		const tables = await api.query(result.uuid, {
			sql: "SELECT name FROM sqlite_master WHERE name = 'three'",
		});
		assert.deepEqual(tables.result[0]?.results, []);
	});

	test("pages its lists", async () => {
		const titles = Array.from({ length: 12 }, (_, index) => `namespace ${index}`);
		for (const title of titles) await api.call("POST", "/storage/kv/namespaces", { title });
		const seen: string[] = [];
		for (const page of [1, 2]) {
			const path = `/storage/kv/namespaces?page=${page}&per_page=100`;
			const { result, result_info } = await api.call<{ title: string }[]>("GET", path);
			assert.equal(result_info?.total_count, 12);
			seen.push(...result.map(({ title }) => title));
		}
		assert.deepEqual(seen, titles);
		assert.deepEqual((await api.call("GET", "/storage/kv/namespaces?page=3")).result, []);
	});

	test("pages a namespace's keys by a cursor", async () => {
		const { result: namespace } = await api.call("POST", "/storage/kv/namespaces", { title: "keys" });
		const path = `/storage/kv/namespaces/${namespace.id}`;
		const headers = { authorization: `Bearer ${standIn.token()}` };
		for (let index = 10; index < 25; index++) {
			const url = `${standIn.url}/accounts/${standIn.accountId}${path}/values/key%2F${index}`;
			await fetch(url, { method: "PUT", headers, body: `value ${index}` });
		}
		const first = await api.call<Made[]>("GET", `${path}/keys?limit=10`);
		const cursor = first.result_info?.cursor ?? "";
		const second = await api.call<Made[]>(
			"GET",
			`${path}/keys?limit=10&cursor=${encodeURIComponent(cursor)}`,
		);
		const names = [...first.result, ...second.result].map(({ name }) => name);
		assert.deepEqual([first.result.length, names.length, names.at(-1)], [10, 15, "key/24"]);
		assert.equal(second.result_info?.cursor, "");
	});

	test("reports existing and missing resources", async () => {
		const name = "twice";
		const config = { dimensions: 3, metric: "cosine" };
		const twice = async (path: string, body: object) => {
			await api.call("POST", path, body);
			return listCodes(await api.call("POST", path, body));
		};
		assert.deepEqual(await twice("/storage/kv/namespaces", { title: name }), [10014]);
		assert.deepEqual(await twice("/d1/database", { name }), [7502]);
		assert.deepEqual(await twice("/vectorize/v2/indexes", { name, config }), [3002]);
		assert.deepEqual(await twice("/r2/buckets", { name }), [10004]);
		assert.deepEqual(listCodes(await api.call("GET", "/r2/buckets/none")), [10006]);
		const uuid = "00000000-0000-0000-0000-000000000000";
		assert.deepEqual(listCodes(await api.query(uuid, { sql: "SELECT 1" })), [7404]);
		assert.deepEqual(listCodes(await api.call("GET", "/workers/scripts/none/secrets")), [10007]);
		assert.deepEqual(listCodes(await api.call("GET", "/nothing")), [7003, 7000]);
		const uploadWithBinding = async (binding: object) =>
			listCodes(await api.upload("x", renderWorker(""), { bindings: [binding] }));
		assert.deepEqual(
			await uploadWithBinding({ type: "kv_namespace", name: "KV", namespace_id: "0" }),
			[10041],
		);
		assert.deepEqual(await uploadWithBinding({ type: "d1", name: "DB", id: uuid }), [10181]);
		assert.deepEqual(await uploadWithBinding({ type: "vectorize", name: "V", index_name: "none" }), [10159]);
		assert.deepEqual(await uploadWithBinding({ type: "r2_bucket", name: "B", bucket_name: "none" }), [10085]);
		assert.deepEqual(standIn.state().scripts, []);
	});

	test("refuses malformed calls", async () => {
		const upload = async (metadata: object, files?: typeof ALL) =>
			listCodes(await api.upload("shape", renderWorker(""), metadata, files));
		assert.deepEqual(await upload({ main_modul: "main.mjs" }), [10026]);
		assert.deepEqual(await upload({ main_module: "other.mjs" }), [10021]);
		assert.deepEqual(await upload({ compatibility_date: "2999-01-01" }), [10021]);
		assert.deepEqual(await upload({ compatibility_flags: ["no_such_flag"] }), [10021]);
		assert.deepEqual(await upload({ tags: ["a,b"] }), [10026]);
		assert.deepEqual(await upload({ bindings: [{ type: "kv_namespace", name: "KV" }] }), [10026]);
		assert.deepEqual(await upload({}, { "main.mjs": ["text/html", ""] }), [10021]);
		assert.deepEqual(listCodes(await api.call("PUT", "/workers/scripts/shape", {})), [10001]);
		assert.deepEqual(listCodes(await api.call("POST", "/d1/database", { title: "x" })), [7400]);
		assert.equal((await api.call("DELETE", "/workers/subdomain")).status, 405);
	});

	test("limits cron triggers to five per account", async () => {
		await api.upload("crons", renderWorker(""));
		const put = async (crons: readonly string[]) =>
			listCodes(
				await api.call(
					"PUT",
					"/workers/scripts/crons/schedules",
					crons.map((cron) => ({ cron })),
				),
			);
		assert.deepEqual(await put(["every minute"]), [10100]);
		assert.deepEqual(await put(Array(6).fill("* * * * *")), [10072]);
		assert.deepEqual(await put(["*/5 * * * *"]), []);
	});

	test("gives a fresh account its subdomain once", async () => {
		await api.upload("sub", renderWorker(""));
		assert.deepEqual(listCodes(await api.call("GET", "/workers/subdomain")), [10007]);
		assert.deepEqual(listCodes(await api.publish("sub")), [10063]);
		const register = (subdomain: string) => api.call("PUT", "/workers/subdomain", { subdomain });
		assert.deepEqual(listCodes(await register("taken")), [10031]);
		assert.deepEqual((await register("acme")).result, { subdomain: "acme" });
		assert.deepEqual(listCodes(await register("other")), [10036]);
		assert.equal((await api.publish("sub")).success, true);
	});
});

describe("tokens and faults", () => {
	let standIn: StandIn;
	before(async () => {
		standIn = await startStandIn();
	});
	after(() => standIn.close());

	const verify = async (token: string, path = "/user/tokens/verify") => {
		const response = await fetch(`${standIn.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
		const { errors, result } = (await response.json()) as Answer;
		return [response.status, errors[0]?.code ?? result.status];
	};

	test("verifies tokens of users and of accounts, each at its endpoint", async () => {
		const ofAccount = standIn.token(undefined, { owner: "account" });
		assert.deepEqual(await verify(standIn.token()), [200, "active"]);
		assert.deepEqual(await verify(standIn.token(undefined, { status: "expired" })), [200, "expired"]);
		assert.deepEqual(await verify(ofAccount), [401, 1000]);
		assert.deepEqual(await verify(ofAccount, `/accounts/${standIn.accountId}/tokens/verify`), [
			200,
			"active",
		]);
		assert.deepEqual(await verify("x".repeat(40)), [401, 1000]);
		assert.deepEqual(await verify("short"), [400, 6003]);
	});

	test("refuses a wrong token, and another account", async () => {
		const path = "/storage/kv/namespaces";
		const wrong = await createClient(standIn, "x".repeat(40)).call("GET", path);
		assert.deepEqual([wrong.status, listCodes(wrong)], [401, [10000]]);
		const other = createClient(standIn, standIn.token(), "0".repeat(32));
		assert.deepEqual(listCodes(await other.call("GET", path)), [10000]);
		assert.deepEqual(listCodes(await other.call("GET", "/d1/database")), [7403]);
		const malformed = await createClient(standIn, standIn.token(), "not-an-id").call("GET", path);
		assert.deepEqual([malformed.status, listCodes(malformed)], [404, [7003, 7000]]);
	});

	test("checks the permission of each endpoint", async () => {
		const lists = {
			"Workers Scripts": "/workers/scripts",
			"Workers KV Storage": "/storage/kv/namespaces",
			D1: "/d1/database",
			Vectorize: "/vectorize/v2/indexes",
			"Workers R2 Storage": "/r2/buckets",
		};
		for (const [missing, path] of Object.entries(lists)) {
			const others = Object.keys(lists).filter((group) => group !== missing);
			const api = createClient(standIn, standIn.token(others.map((group) => `${group} Write`)));
			for (const [group, list] of Object.entries(lists)) {
				assert.equal(
					(await api.call("GET", list)).status,
					group === missing ? 403 : 200,
					`${missing}: ${list}`,
				);
			}
			const reader = createClient(standIn, standIn.token([`${missing} Read`]));
			assert.equal((await reader.call("GET", path)).status, 200);
		}
		const reader = createClient(standIn, standIn.token(["Workers KV Storage Read"]));
		const refused = await reader.call("POST", "/storage/kv/namespaces", { title: "x" });
		assert.deepEqual([refused.status, listCodes(refused)], [403, [10000]]);
	});

	test("fails as configured, and as often", async () => {
		const api = createClient(standIn);
		standIn.fail({ method: "GET", path: "/d1/database", times: 2, status: 429, retryAfter: 3 });
		for (const expected of [429, 429, 200]) {
			const answer = await api.call("GET", "/d1/database");
			assert.equal(answer.status, expected);
			assert.equal(answer.headers.get("retry-after"), expected === 429 ? "3" : null);
		}
		standIn.fail({ path: /scripts$/, status: 500, skip: 1 });
		assert.equal((await api.call("GET", "/workers/scripts")).status, 200);
		assert.deepEqual(listCodes(await api.call("GET", "/workers/scripts")), [10013]);
	});

	test("drops connections before and after a call", async () => {
		const api = createClient(standIn);
		const titles = () => standIn.state().namespaces.map(({ title }) => title);
		standIn.cut({ method: "POST" });
		await assert.rejects(api.call("POST", "/storage/kv/namespaces", { title: "lost" }), TypeError);
		assert.deepEqual(titles(), []);
		standIn.cut({ method: "POST", isDone: true });
		await assert.rejects(api.call("POST", "/storage/kv/namespaces", { title: "done" }), TypeError);
		assert.deepEqual(titles(), ["done"]);
		assert.equal(standIn.calls.at(-1)?.status, 0);
	});

	test("notifies a listener of each call, which may cut the connection", async () => {
		const api = createClient(standIn);
		const seen: string[] = [];
		let first = 0;
		const stop = standIn.onCall(({ number, method, path, phase }) => {
			first ||= number;
			seen.push(`${number - first} ${phase} ${method} ${path.split("/").at(-1)}`);
			return number - first === 1 ? "cut" : undefined;
		});
		await api.call("GET", "/workers/scripts");
		await assert.rejects(api.call("GET", "/d1/database"), TypeError);
		stop();
		assert.equal((await api.call("GET", "/d1/database")).status, 200);
		assert.deepEqual(seen, ["0 before GET scripts", "0 after GET scripts", "1 before GET database"]);
	});
});
