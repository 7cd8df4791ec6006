import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Log } from "@tripline/platform/log";
import { openConsole } from "../../../apps/node/src/console.ts";
import { loadConsoleFiles } from "../../../apps/node/src/console-build.ts";
import { readFolder } from "../../../apps/node/src/console-folder.ts";
import { type Service, startService } from "../../../apps/node/src/service.ts";
import { parseSettings } from "../../../apps/node/src/settings.ts";
import type { ConsoleFiles } from "../src/http/console-files.ts";
import { CONSOLE_CHECKS, CONSOLE_FIXTURE } from "./console-checks.ts";

const root = mkdtempSync(join(tmpdir(), "tripline-console-test-"));
const services: Service[] = [];
after(async () => {
	for (const service of services) await service.close();
	rmSync(root, { recursive: true, force: true });
});

function writeFiles(folder: string): string {
	mkdirSync(folder, { recursive: true });
	for (const [name, text] of Object.entries(CONSOLE_FIXTURE)) writeFileSync(join(folder, name), text);
	writeFileSync(join(folder, ".stamp"), "no file of the console");
	return folder;
}

async function serveFiles(files?: ConsoleFiles) {
	const service = await startService({
		settings: parseSettings({ PORT: "0", STORE_PORT: "0", DATA_DIR: mkdtempSync(join(root, "data-")) }),
		clock: { now: Date.now },
		log: () => {},
		version: "0.0.0-test",
		...(files !== undefined && { console: files }),
	});
	services.push(service);
	return service.publicUrl;
}

interface Raw {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: Buffer;
}

/** Sends the path unchanged and does not decompress the response. */
async function requestRaw(url: string, path: string, headers: Record<string, string> = {}): Promise<Raw> {
	const { hostname, port } = new URL(url);
	const { promise, resolve, reject } = Promise.withResolvers<Raw>();
	const asked = request({ hostname, port, path, headers }, (answer) => {
		const chunks: Buffer[] = [];
		answer.on("data", (chunk: Buffer) => chunks.push(chunk));
		answer.on("end", () =>
			resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
		);
	});
	asked.on("error", reject).end();
	return promise;
}

describe("the console of the one process", () => {
	let url: string;
	before(async () => {
		url = await serveFiles(readFolder(writeFiles(join(root, "files"))));
	});

	for (const [what, check] of Object.entries(CONSOLE_CHECKS))
		test(what, () => check((path, init) => fetch(url + path, { redirect: "manual", ...init })));

	test("serves nothing outside its folder, however a path is written", async () => {
		for (const path of [
			"/console/../package.json",
			"/console/./index.html",
			"/console/..",
			"/console/..\\index.html",
			"/console/\\index.html",
			"/console/workflows/../../healthz",
			"/console/%2e%2e",
			"/console/workflows/%2E%2e/x",
		]) {
			const { status, body } = await requestRaw(url, path);
			assert.deepEqual([status, String(body)], [404, '{"error":"not found"}'], path);
		}
	});

	test("is compressed as the browser accepts, if that is shorter", async () => {
		const path = "/console/main-AB12CD34.js";
		const plain = CONSOLE_FIXTURE["main-AB12CD34.js"] as string;
		for (const [accepted, encoding, read] of [
			["gzip, deflate, br, zstd", "br", brotliDecompressSync],
			["gzip", "gzip", gunzipSync],
			["br;q=0, gzip;q=0.5", "gzip", gunzipSync],
			["identity", undefined, (body: Buffer) => body],
			["br;q=0.0", undefined, (body: Buffer) => body],
		] as const) {
			const { headers, body } = await requestRaw(url, path, { "accept-encoding": accepted });
			assert.equal(headers["content-encoding"], encoding, accepted);
			assert.equal(headers["content-length"], String(body.length));
			assert.equal(headers.vary, "accept-encoding");
			assert.equal(String(read(body)), plain);
		}
		const short = await requestRaw(url, "/console/icon.svg", { "accept-encoding": "br" });
		assert.equal(short.headers["content-encoding"], undefined);
	});

	test("is documented and needs no credential", async () => {
		const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
			readonly paths: Record<
				string,
				{ readonly get?: { readonly operationId: string; readonly security: object[] } }
			>;
		};
		const described = Object.keys(paths).filter((path) => path === "/" || path.startsWith("/console"));
		assert.deepEqual(described, [
			"/",
			"/console",
			"/console/{page}",
			"/console/{page}/{name}",
			"/console/{page}/{name}/{part}",
			"/console/{page}/{name}/{part}/{id}",
		]);
		const ids = described.map((path) => paths[path]?.get?.operationId);
		assert.equal(new Set(ids).size, described.length);
		for (const path of described) assert.deepEqual(paths[path]?.get?.security, []);
	});
});

describe("a server without a console", () => {
	let url: string;
	before(async () => {
		url = await serveFiles();
	});

	test("says how to get one", async () => {
		for (const path of ["/console", "/console/workflows", "/console/main-AB12CD34.js"]) {
			const answer = await fetch(url + path);
			assert.equal(answer.status, 503);
			assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
			assert.equal(answer.headers.get("refresh"), null);
			assert.match(await answer.text(), /This server has no console\.[\s\S]*tripline update/);
		}
	});
});

describe("a console that is built when the service starts", () => {
	const { promise: built, resolve: finish } = Promise.withResolvers<ConsoleFiles>();
	const failing = Promise.withResolvers<ConsoleFiles>();
	failing.promise.catch(() => {});
	const lines: string[] = [];
	const log: Log = (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
	let url: string;
	let other: string;
	before(async () => {
		url = await serveFiles(openConsole({ log, open: () => built, patienceMs: 20 }));
		other = await serveFiles(openConsole({ log, open: () => failing.promise, patienceMs: 20 }));
	});

	test("is awaited for a while; then a page says so and reloads itself until the build is done", async () => {
		const early = await fetch(`${url}/console`);
		assert.deepEqual([early.status, early.headers.get("refresh")], [503, "2"]);
		assert.match(await early.text(), /being built/);
		const waiting = fetch(`${url}/console`);
		finish(readFolder(writeFiles(join(root, "late"))));
		await waiting;
		assert.equal((await fetch(`${url}/console`)).status, 200);
	});

	test("logs a failed build and shows no details; everything else works", async () => {
		const asked = fetch(`${other}/console`);
		failing.reject(new Error("no such file: secret-folder"));
		await asked;
		const answer = await fetch(`${other}/console`);
		assert.equal(answer.status, 503);
		const text = await answer.text();
		assert.match(text, /could not be built/);
		assert.ok(!text.includes("secret-folder"));
		assert.match(lines.join("\n"), /^error the console cannot be shown .*secret-folder/m);
		assert.equal((await fetch(`${other}/healthz`)).status, 200);
	});
});

describe("a checkout", () => {
	const checkout = join(root, "checkout");
	const source = join(checkout, "apps/console/src/main.ts");
	let builds = 0;
	const build = async (folder: string) => {
		builds += 1;
		writeFiles(folder);
	};
	const startConsole = async () => {
		const files = await loadConsoleFiles(() => {}, { root: checkout, build });
		return (await files.file("index.html", []))?.body;
	};

	test("is built once, and again after a source has changed", async () => {
		mkdirSync(join(source, ".."), { recursive: true });
		writeFileSync(source, "1");
		for (const expected of [1, 1]) {
			assert.deepEqual(
				String(Buffer.from((await startConsole()) as Uint8Array)),
				CONSOLE_FIXTURE["index.html"],
			);
			assert.equal(builds, expected);
		}
		utimesSync(source, new Date(), new Date(Date.now() + 5000));
		await startConsole();
		assert.equal(builds, 2);
	});

	test("is built again after an interrupted build, and leaves nothing behind", async () => {
		rmSync(join(checkout, "dist/console/.stamp"));
		// Other tests use the folder at the same time.
		const listLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith("tripline-console-"));
		const before = listLeft();
		await startConsole();
		assert.equal(builds, 3);
		assert.deepEqual(listLeft(), before);
		const failing = async () => {
			throw new Error("no");
		};
		rmSync(join(checkout, "dist"), { recursive: true });
		await assert.rejects(
			loadConsoleFiles(() => {}, { root: checkout, build: failing }),
			/no/,
		);
		assert.equal(builds, 3);
	});
});
