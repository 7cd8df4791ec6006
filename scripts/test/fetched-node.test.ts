import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";

interface Pins {
	version: string;
	platforms: Record<string, { package: string; sha256: string }>;
}

const PINS = "scripts/launch/node-pins.json";
const ROOT = dirname(dirname(import.meta.dirname));
const TARGET = `${process.platform}-${process.arch}`;
const readPins = (): Pins => JSON.parse(readFileSync(join(ROOT, PINS), "utf8"));

const FETCH = `
import { ensureNode } from "./scripts/launch/prepare.mjs";
try {
	console.log(await ensureNode(import.meta.dirname, "Node is too old"));
} catch (error) {
	console.error(error.message);
	process.exitCode = error.outcome.code;
}
`;

describe("the fetched Node", () => {
	it("is pinned for every platform", () => {
		const { version, platforms } = readPins();
		assert.match(version, /^\d+\.\d+\.\d+$/);
		assert.deepEqual(Object.keys(platforms).sort(), [
			"darwin-arm64",
			"darwin-x64",
			"linux-arm64",
			"linux-x64",
			"win32-x64",
		]);
		const hashes = Object.values(platforms).map(({ sha256 }) => sha256);
		for (const hash of hashes) assert.match(hash, /^[0-9a-f]{64}$/);
		assert.equal(new Set(hashes).size, hashes.length);
	});

	it("is rejected and never run if its hash is not the pinned one", async (context) => {
		const { project, registry, marks } = await createProject(context);
		const { code, stdout, stderr } = await fetchNode(project, registry);
		assert.equal(code, 2, stderr);
		assert.equal(stdout, "");
		assert.match(stderr, /the fetched Node is not the pinned one \(SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}\)/);
		assert.match(stderr, /: do not run it; .*or install Node 24 or newer/);
		assert.ok(!existsSync(marks.run), "it was run");
		assert.ok(!existsSync(join(project, ".node", readPins().version)), "it was kept");
		assert.ok(!existsSync(join(project, ".node", "fetch")), "it was left behind");
	});

	it("is run if its hash is the pinned one; its install script never is", async (context) => {
		const { project, registry, marks, sha256 } = await createProject(context);
		const changed = readPins();
		(changed.platforms[TARGET] as { sha256: string }).sha256 = sha256;
		writeFileSync(join(project, PINS), JSON.stringify(changed));
		const { code, stdout, stderr } = await fetchNode(project, registry);
		assert.equal(code, 0, stderr);
		assert.equal(stdout.trim(), join(project, ".node", changed.version, TARGET, "node"));
		assert.ok(existsSync(marks.run));
		assert.ok(!existsSync(marks.installed));
	});
});

/** A launcher whose registry serves a shell script under Node's name. */
async function createProject(context: TestContext) {
	const project = mkdtempSync(join(tmpdir(), "tripline-fetch-"));
	context.after(() => rmSync(project, { recursive: true, force: true }));
	cpSync(join(ROOT, "scripts/launch"), join(project, "scripts/launch"), { recursive: true });
	writeFileSync(join(project, "fetch.mjs"), FETCH);
	const marks = { run: join(project, "was-run"), installed: join(project, "was-installed") };
	const { version, platforms } = readPins();
	const name = platforms[TARGET]?.package ?? "";
	const script = `#!/bin/sh\necho >> ${marks.run}\necho v${version}\n`;
	const manifest = { name, version, scripts: { install: `echo > ${marks.installed}` } };
	const folder = join(project, "package");
	mkdirSync(join(folder, "bin"), { recursive: true });
	writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
	writeFileSync(join(folder, "LICENSE"), "");
	writeFileSync(join(folder, "bin/node"), script);
	chmodSync(join(folder, "bin/node"), 0o755);
	const tarball = execFileSync("tar", ["-czf", "-", "package"], { cwd: project });
	const registry = await serve(context, manifest, tarball);
	return { project, registry, marks, sha256: createHash("sha256").update(script).digest("hex") };
}

async function serve(
	context: TestContext,
	manifest: { name: string; version: string },
	tarball: Buffer,
): Promise<string> {
	const { name, version } = manifest;
	const server = createServer((request, response) => {
		if (request.url === "/tarball.tgz") return void response.end(tarball);
		if (request.url !== `/${name}`) return void response.writeHead(404).end("{}");
		const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
		const dist = { tarball: `${url}/tarball.tgz`, integrity };
		const versions = { [version]: { ...manifest, hasInstallScript: true, dist } };
		response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return url;
}

async function fetchNode(project: string, registry: string) {
	const child = spawn(process.execPath, ["fetch.mjs"], {
		cwd: project,
		env: {
			PATH: process.env.PATH,
			HOME: project,
			npm_config_registry: registry,
			npm_config_cache: join(project, "npm-cache"),
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (chunk) => {
		stdout += chunk;
	});
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const [code] = await once(child, "close");
	return { code, stdout, stderr };
}
