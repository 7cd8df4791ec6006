import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CONSOLE_CHECKS, CONSOLE_FIXTURE } from "../../services/mcp/test/console-checks.ts";
import { type Machine, otherBundles, startMachine } from "./machine.ts";
import { Refusal } from "./stand-in/answer.ts";
import { createAssets } from "./stand-in/assets.ts";

const PER_BUCKET = 3;
const FILES = Object.keys(CONSOLE_FIXTURE).length;

/** Bundles with these files as the console. */
async function bundleConsole(files: Readonly<Record<string, string>>) {
	const env = await otherBundles({});
	const folder = env.TRIPLINE_BUNDLES as string;
	rmSync(join(folder, "console"), { recursive: true });
	mkdirSync(join(folder, "console"));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "console", name), text);
	const path = join(folder, "bundles.json");
	const listing = JSON.parse(readFileSync(path, "utf8"));
	listing.console = Object.fromEntries(
		Object.keys(files).map((name) => [`/console/${name}`, `console/${name}`]),
	);
	writeFileSync(path, JSON.stringify(listing));
	return env;
}

describe("the console of a deployment", () => {
	let machine: Machine;
	let fixture: Awaited<ReturnType<typeof bundleConsole>>;
	before(async () => {
		machine = await startMachine({ maxPerBucket: PER_BUCKET });
		fixture = await bundleConsole(CONSOLE_FIXTURE);
		const { code, err } = await machine.cli(["init"], { env: fixture });
		assert.equal(code, 0, err);
	});

	const ask = (path: string, init?: object) =>
		machine.fetch(new Request(machine.url("mcp") + path, { redirect: "manual", ...init }));
	const listAssetCalls = (since: number) =>
		machine.standIn.calls
			.slice(since)
			.filter(({ path }) => path.includes("assets"))
			.map(({ method, path, status }) => `${method} ${path.replace(/^\/accounts\/[^/]+/, "")} ${status}`);
	const SESSION = "POST /workers/scripts/tripline-mcp/assets-upload-session 200";

	test("is uploaded once, in the requested buckets, and belongs only to the MCP server", () => {
		const buckets = Math.ceil(FILES / PER_BUCKET);
		assert.deepEqual(listAssetCalls(0), [
			SESSION,
			...Array(buckets - 1).fill("POST /workers/assets/upload 202"),
			"POST /workers/assets/upload 201",
		]);
		const { scripts } = machine.standIn.state();
		assert.deepEqual(
			scripts.map(({ name, assets }) => [name, assets.length]),
			[
				["tripline-store", 0],
				["tripline-registry", 0],
				["tripline-executor", 0],
				["tripline-mcp", FILES],
			],
		);
	});

	for (const [what, check] of Object.entries(CONSOLE_CHECKS)) test(what, () => check(ask));

	test("is an allowed redirect target of its own login, and no other page of that origin is", async () => {
		const own = machine.url("mcp");
		const findRegistered = (uri: string) =>
			ask("/register", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ redirect_uris: [uri] }),
			});
		assert.equal((await findRegistered(`${own}/console/callback`)).status, 201);
		assert.equal((await findRegistered(`${own}/console/other`)).status, 400);
		assert.equal((await findRegistered(`${machine.url("executor")}/console/callback`)).status, 400);
	});

	test("is not uploaded again while nothing changes", async () => {
		const calls = machine.standIn.calls.length;
		const { out, code } = await machine.cli(["update"], { env: fixture });
		assert.equal(code, 0);
		assert.match(out, /4 unchanged/);
		assert.deepEqual(listAssetCalls(calls), []);
	});

	test("is deployed again when a file changes, and only that file is sent", async () => {
		const calls = machine.standIn.calls.length;
		const changed = await bundleConsole({ ...CONSOLE_FIXTURE, "index.html": "<!doctype html>\n" });
		const { out } = await machine.cli(["update"], { env: changed });
		assert.match(out, /3 unchanged, 1 deployed/);
		assert.deepEqual(listAssetCalls(calls), [SESSION, "POST /workers/assets/upload 201"]);
		assert.equal(await (await ask("/console")).text(), "<!doctype html>\n");
	});

	test("is not sent again when only the code or a secret changes", async () => {
		const calls = machine.standIn.calls.length;
		const changed = await otherBundles({ mcp: (code) => `${code}\n// changed` }, fixture);
		const { out } = await machine.cli(["update"], { env: changed });
		assert.match(out, /3 unchanged, 1 deployed/);
		assert.deepEqual(listAssetCalls(calls), [SESSION]);
		assert.equal(await (await ask("/console")).text(), CONSOLE_FIXTURE["index.html"]);
		const put = await fetch(
			`${machine.standIn.url}/accounts/${machine.standIn.accountId}/workers/scripts/tripline-mcp/secrets`,
			{
				method: "PUT",
				headers: {
					authorization: `Bearer ${machine.env.CLOUDFLARE_API_TOKEN}`,
					"content-type": "application/json",
				},
				body: JSON.stringify({ name: "ADDED", text: "by hand", type: "secret_text" }),
			},
		);
		assert.equal(put.status, 200);
		assert.equal((await ask("/console")).status, 200);
	});

	test("arrives even if a call, its answer or the session is lost", async () => {
		let files: Record<string, string> = { ...CONSOLE_FIXTURE };
		const arm = [
			() => machine.standIn.cut({ path: "/assets-upload-session" }),
			() => machine.standIn.cut({ path: "/assets/upload", isDone: true }),
			() => machine.standIn.fail({ path: "/assets/upload", status: 401 }),
			() => machine.standIn.cut({ method: "PUT", path: "/scripts/tripline-mcp", isDone: true }),
		];
		for (const [index, fault] of arm.entries()) {
			files = { ...files, "index.html": `<!doctype html><title>${index}</title>\n` };
			const env = await bundleConsole(files);
			fault();
			const { code, err, out } = await machine.cli(["update"], { env });
			assert.equal(code, 0, `${index}: ${err}${out}`);
			assert.equal(await (await ask("/console")).text(), files["index.html"]);
		}
	});

	test("stays as before if the provider refuses the upload, and update continues from there", async () => {
		const before = await (await ask("/console")).text();
		const env = await bundleConsole({
			...CONSOLE_FIXTURE,
			"index.html": "<!doctype html><title>last</title>\n",
		});
		machine.standIn.fail({
			path: "/assets-upload-session",
			status: 400,
			code: 10021,
			message: "no",
			times: 2,
		});
		const failed = await machine.cli(["update"], { env });
		assert.equal(failed.code, 1);
		assert.match(
			failed.err + failed.out,
			/refused to start uploading the files of the worker tripline-mcp: no \(code 10021\)/,
		);
		assert.equal(await (await ask("/console")).text(), before);
		assert.equal((await machine.cli(["update"], { env })).code, 0);
		assert.match(await (await ask("/console")).text(), /last/);
	});
});

describe("the real console", () => {
	test("is built with the bundles and deployed with every file that its page refers to", async (context) => {
		const machine = await startMachine();
		const { code, err } = await machine.cli(["init"]);
		assert.equal(code, 0, err);
		const page = await (await machine.fetch(new Request(`${machine.url("mcp")}/console`))).text();
		const named = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path as string);
		assert.ok(named.length >= 2, page);
		for (const path of named) {
			const answer = await machine.fetch(new Request(machine.url("mcp") + path));
			assert.equal(answer.status, 200, path);
			assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
			await answer.body?.cancel();
		}
		const folder = join(machine.env.TRIPLINE_BUNDLES ?? "", "console");
		const files = readdirSync(folder);
		const bytes = files.reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0);
		context.diagnostic(`${files.length} files, ${(bytes / 1024).toFixed(0)} KiB`);
	});
});

describe("the packed service", () => {
	test("serves the console from the package without building it", async (context) => {
		const root = mkdtempSync(join(tmpdir(), "tripline-packed-console-"));
		context.after(() => rmSync(root, { recursive: true, force: true }));
		const quiet = "--disable-warning=ExperimentalWarning";
		const bundler = fileURLToPath(new URL("../../scripts/bundle.ts", import.meta.url));
		await promisify(execFile)(process.execPath, [quiet, bundler, "--out", join(root, "package")]);
		const child = spawn(process.execPath, [quiet, join(root, "package/service/main.js")], {
			cwd: root,
			env: { PORT: "0", STORE_PORT: "0" },
			stdio: ["ignore", "pipe", "inherit"],
		});
		context.after(() => child.kill("SIGKILL"));
		let said = "";
		for await (const chunk of child.stdout) {
			said += chunk;
			if (said.includes("Try it:")) break;
		}
		const url = /console +(\S+)/.exec(said)?.[1] ?? "";
		const page = await fetch(url);
		assert.equal(page.status, 200);
		const packed = readFileSync(join(root, "package/console/index.html"), "utf8");
		assert.equal(await page.text(), packed);
	});
});

describe("the stand-in's uploads of assets", () => {
	const HASH = "0123456789abcdef0123456789abcdef";
	const OTHER = "f".repeat(32);
	const MANIFEST = { "/a.txt": { hash: HASH, size: 5 }, "/b.txt": { hash: HASH, size: 5 } };

	const sendParts = (jwt: string, parts: Readonly<Record<string, string>>, query = "?base64=true") => {
		const body = new FormData();
		for (const [hash, text] of Object.entries(parts))
			body.set(hash, new File([text], hash, { type: "text/plain" }));
		const url = `http://api/accounts/a/workers/assets/upload${query}`;
		return new Request(url, { method: "POST", headers: { authorization: `Bearer ${jwt}` }, body });
	};
	const refusal = (message: RegExp) => (error: unknown) =>
		error instanceof Refusal && message.test(error.message);
	const HELLO = { [HASH]: "aGVsbG8=" };
	const readJwt = async (response: Response) =>
		((await response.json()) as { result: { jwt: string } }).result.jwt;

	test("accept announced files once, and skip existing ones in the next session", async () => {
		const assets = createAssets();
		const { jwt, buckets } = assets.begin("one", MANIFEST);
		assert.deepEqual(buckets, [[HASH]]);
		const answer = await assets.receive(sendParts(jwt, HELLO));
		assert.equal(answer.status, 201);
		const files = assets.completed(await readJwt(answer), "one");
		assert.deepEqual([...files.keys()], ["/a.txt", "/b.txt"]);
		assert.equal(String(Buffer.from(files.get("/a.txt")?.content ?? [])), "hello");
		await assert.rejects(assets.receive(sendParts(jwt, HELLO)), refusal(/not valid/));
		const again = assets.begin("two", { "/c.txt": { hash: HASH, size: 5 } });
		assert.deepEqual(again.buckets, []);
		assert.deepEqual([...assets.completed(again.jwt, "two").keys()], ["/c.txt"]);
		assert.throws(() => assets.completed(again.jwt, "one"), refusal(/another script/));
	});

	test("refuse files that differ from their announcement", async () => {
		const assets = createAssets();
		const { jwt } = assets.begin("one", { ...MANIFEST, "/c.txt": { hash: OTHER, size: 3 } });
		for (const [request, message] of [
			[sendParts(jwt, { [HASH]: "aGVsbG8h" }), /not as long/],
			[sendParts(jwt, { [HASH]: "hello" }), /not base64/],
			[sendParts(jwt, { ["e".repeat(32)]: "aGVsbG8=" }), /was asked for/],
			[sendParts(jwt, {}), /no file/],
			[sendParts(jwt, HELLO, ""), /base64=true/],
			[sendParts("another", HELLO), /not valid/],
		] as const)
			await assert.rejects(assets.receive(request), refusal(message));
		assert.equal((await assets.receive(sendParts(jwt, HELLO))).status, 202);
		assert.throws(() => assets.completed(jwt, "one"), refusal(/not valid/));
		assert.equal((await assets.receive(sendParts(jwt, { [OTHER]: "YWJj" }))).status, 201);
	});

	test("are valid for an hour", async () => {
		let time = Date.now();
		const assets = createAssets({ now: () => time });
		const early = assets.begin("one", MANIFEST).jwt;
		const done = await readJwt(await assets.receive(sendParts(assets.begin("one", MANIFEST).jwt, HELLO)));
		time += 60 * 60_000;
		await assert.rejects(assets.receive(sendParts(early, HELLO)), refusal(/not any more/));
		assert.throws(() => assets.completed(done, "one"), refusal(/not any more/));
	});

	test("need the permission to write scripts, a hash, a path and a size", async () => {
		const { standIn } = await startMachine();
		const beginUpload = async (manifest: object, permission = "Workers Scripts Write") => {
			const path = `/accounts/${standIn.accountId}/workers/scripts/one/assets-upload-session`;
			const headers = {
				authorization: `Bearer ${standIn.token([permission])}`,
				"content-type": "application/json",
			};
			return (
				await fetch(standIn.url + path, { method: "POST", headers, body: JSON.stringify({ manifest }) })
			).status;
		};
		assert.equal(await beginUpload(MANIFEST), 200);
		assert.equal(await beginUpload(MANIFEST, "Workers Scripts Read"), 403);
		assert.equal(await beginUpload({ "a.txt": { hash: HASH, size: 5 } }), 400);
		assert.equal(await beginUpload({ "/a.txt": { hash: "abc", size: 5 } }), 400);
		assert.equal(await beginUpload({ "/a.txt": { hash: HASH, size: 26 * 1024 * 1024 } }), 400);
		assert.equal(await beginUpload({ "/a.txt": { hash: HASH } }), 400);
	});
});
