import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { S3_KEY, type S3Server, startS3Server } from "../../../test/s3-server.ts";
import { type Service, startService } from "../src/service.ts";
import { parseSettings, StartProblem } from "../src/settings.ts";

const HEADERS = { "x-service-api-key": "default" };

describe("the place of files", () => {
	let root: string;
	let server: S3Server;
	let services: Service[];
	let lines: string[];
	beforeEach(async () => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "tripline-files-")));
		server = await startS3Server();
		services = [];
		lines = [];
	});
	afterEach(async () => {
		for (const service of services) await service.close();
		server.close();
		rmSync(root, { recursive: true });
	});

	async function start(variables: Readonly<Record<string, string>>) {
		const service = await startService({
			settings: parseSettings({ PORT: "0", STORE_PORT: "0", DATA_DIR: join(root, "data"), ...variables }),
			clock: systemClock,
			log: jsonLog({ level: "info", clock: systemClock, write: (line) => lines.push(line) }),
			version: "0.0.0-test",
		});
		services.push(service);
		const call = (method: string, path: string, init: RequestInit = {}) =>
			fetch(service.publicUrl + path, { method, ...init, headers: { ...HEADERS, ...init.headers } });
		return {
			call,
			upload: (content: string) =>
				call("POST", "/files?name=a.txt", { body: content, headers: { "content-type": "text/plain" } }),
		};
	}

	const bucketSettings = () => ({
		FILES_S3_URL: `${server.url}/deployment`,
		FILES_S3_REGION: S3_KEY.region,
		FILES_S3_ACCESS_KEY_ID: S3_KEY.accessKeyId,
		FILES_S3_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
	});

	const hasFiles = (folder: string) =>
		existsSync(folder) &&
		readdirSync(folder, { recursive: true, withFileTypes: true }).some((each) => each.isFile());

	test("with FILES_S3_* a file is uploaded, downloaded and deleted in the bucket", async () => {
		const { call, upload } = await start(bucketSettings());
		assert.equal((await call("GET", "/readyz")).status, 200);
		assert.deepEqual(server.received, [], "a start calls no bucket");
		const content = "0123456789".repeat(700_000);
		const answer = await upload(content);
		assert.equal(answer.status, 201);
		const { id } = (await answer.json()) as { id: string };
		assert.deepEqual([...server.objects.keys()], [`deployment/default/${id}`]);
		assert.equal(hasFiles(join(root, "data", "files")), false);
		const path = `/files/${id}/content`;
		assert.equal((await (await call("GET", path)).text()) === content, true);
		const part = await call("GET", path, { headers: { range: "bytes=6000003-6000005" } });
		assert.deepEqual([part.status, await part.text()], [206, "345"]);
		assert.equal((await call("DELETE", `/files/${id}`)).status, 200);
		assert.equal(server.objects.size, 0);
		assert.equal((await call("GET", path)).status, 404);
	});

	test("a bucket that refuses gives 503, and neither the answer nor the log has the secret", async () => {
		const settings = { ...bucketSettings(), FILES_S3_SECRET_ACCESS_KEY: "another-canary-secret" };
		const { upload } = await start(settings);
		const answer = await upload("some bytes");
		const text = await answer.text();
		assert.equal(answer.status, 503);
		assert.match(text, /the bucket that keeps files answered 403 SignatureDoesNotMatch/);
		assert.doesNotMatch(text + lines.join(""), /canary|AKID|Signature=/);
	});

	test("a bucket that cannot be reached gives 503, and works again later", async () => {
		const { call, upload } = await start(bucketSettings());
		const { id } = (await (await upload("some bytes")).json()) as { id: string };
		const down = { kind: "hang up" } as const;
		server.fail(/^GET/, down, down, down, down);
		const answer = await call("GET", `/files/${id}/content`);
		assert.deepEqual([answer.status, answer.headers.has("retry-after")], [503, true]);
		assert.match(await answer.text(), /the bucket that keeps files cannot be reached/);
		assert.equal(await (await call("GET", `/files/${id}/content`)).text(), "some bytes");
	});

	test("with FILES_DIR files are in that folder", async () => {
		const folder = join(root, "shared", "files");
		const { call, upload } = await start({ FILES_DIR: folder });
		const { id } = (await (await upload("some bytes")).json()) as { id: string };
		assert.deepEqual([hasFiles(folder), hasFiles(join(root, "data", "files"))], [true, false]);
		assert.equal(await (await call("GET", `/files/${id}/content`)).text(), "some bytes");
	});

	test("a FILES_DIR that cannot be used stops the start", async () => {
		writeFileSync(join(root, "file"), "");
		await assert.rejects(
			start({ FILES_DIR: join(root, "file") }),
			(error) => error instanceof StartProblem && /^FILES_DIR .* cannot be written/.test(error.message),
		);
	});

	test("workflows cannot be allowed to use FILES_DIR", async () => {
		const folder = join(root, "files");
		await assert.rejects(
			start({ FILES_DIR: folder, ALLOW_FOLDERS: root }),
			/ALLOW_FOLDERS contains .* overlaps with DATA_DIR/,
		);
		await assert.rejects(start({ FILES_DIR: folder, ALLOW_FOLDERS: folder }), /overlaps with FILES_DIR/);
	});
});
