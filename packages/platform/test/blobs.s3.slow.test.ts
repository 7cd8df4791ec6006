import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { S3_KEY, type S3Server, startS3Server } from "../../../test/s3-server.ts";
import { bucketBlobs } from "../src/blobs.bucket.ts";
import { s3Bucket } from "../src/blobs.s3.ts";
import type { Blobs } from "../src/blobs.ts";
import { PlatformUnavailable } from "../src/unavailable.ts";
import { blobsContract } from "./contracts/blobs.ts";

const KEY = "acme/someFile";
const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
const MIB = 1024 * 1024;
const SLOW_DOWN = { kind: "status", status: 503, code: "SlowDown" } as const;
const HANG_UP = { kind: "hang up" } as const;

async function* bytes(length: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < length; at += 65_536)
		yield new Uint8Array(Math.min(65_536, length - at)).fill(at >> 16);
}

async function readAll(blobs: Blobs): Promise<number> {
	return (await new Response((await blobs.get(KEY))?.content).bytes()).length;
}

const isUnavailable = (message: RegExp) => (error: unknown) => {
	assert.ok(error instanceof PlatformUnavailable);
	assert.match(error.message, message);
	assert.doesNotMatch(JSON.stringify([error.message, error.stack, error]), /canary|AKID|Signature=/);
	return true;
};

describe("blobs in an S3 bucket", () => {
	let server: S3Server;
	beforeEach(async () => {
		server = await startS3Server();
	});
	afterEach(() => server.close());
	const open = (options: Partial<Parameters<typeof s3Bucket>[0]> = {}) =>
		bucketBlobs(s3Bucket({ url: server.url, ...S3_KEY, ...options }));

	for (const { name, run } of blobsContract) test(name, () => run(open()));

	test("nothing is called before a blob is used", () => {
		open();
		assert.deepEqual(server.received, []);
	});

	test("keys are kept below the prefix of the address", async () => {
		await open({ url: `${server.url}/team-1/files` }).put(KEY, bytes(3), NO_LIMIT);
		await open({ url: `${server.url}/` }).put(KEY, bytes(4), NO_LIMIT);
		assert.deepEqual([...server.objects.keys()], [`team-1/files/${KEY}`, KEY]);
	});

	test("a wrong secret gives a clear error without it", async () => {
		const blobs = open({ secretAccessKey: "another-canary-secret" });
		const isRefused = isUnavailable(/answered 403 SignatureDoesNotMatch: check the keys in FILES_S3_\*/);
		for (const size of [3, 6 * MIB]) await assert.rejects(blobs.put(KEY, bytes(size), NO_LIMIT), isRefused);
		await assert.rejects(blobs.get(KEY), isRefused);
		// The answer to HEAD has no body that would say why.
		await assert.rejects(blobs.delete(KEY), isUnavailable(/answered 403: check the keys/));
		assert.equal(server.received.length, 4, "what cannot succeed is not tried again");
	});

	test("a wrong region and a bucket that does not exist give a clear error", async () => {
		await assert.rejects(
			open({ region: "us-east-1" }).get(KEY),
			isUnavailable(/answered 403 AuthorizationHeaderMalformed/),
		);
		const elsewhere = open({ url: server.url.replace("/bucket", "/other") });
		const isMissing = isUnavailable(/answered 404 NoSuchBucket: check FILES_S3_URL/);
		await assert.rejects(elsewhere.get(KEY), isMissing);
		await assert.rejects(elsewhere.put(KEY, bytes(3), NO_LIMIT), isMissing);
	});

	test("a redirect is not followed", async () => {
		server.fail(/./, { kind: "status", status: 301, code: "PermanentRedirect" });
		await assert.rejects(
			open().get(KEY),
			isUnavailable(/answered 301 PermanentRedirect: check FILES_S3_URL/),
		);
	});

	test("what fails twice and then works has worked", async () => {
		const blobs = open();
		for (const [method, fault] of [
			["PUT", SLOW_DOWN],
			["GET", HANG_UP],
			["HEAD", { kind: "status", status: 429, code: "TooManyRequests" }],
			["DELETE", { kind: "status", status: 400, code: "RequestTimeout" }],
		] as const)
			server.fail(new RegExp(`^${method}`), fault, fault);
		await blobs.put(KEY, bytes(3), NO_LIMIT);
		assert.equal(await readAll(blobs), 3);
		await blobs.delete(KEY);
		assert.equal(server.objects.size, 0);
		assert.equal(server.received.length, 12);
	});

	test("every step of an upload in parts is tried again", async () => {
		server.fail(/^POST .*uploads=/, SLOW_DOWN, { kind: "cut the answer" });
		server.fail(/partNumber=1/, HANG_UP, { kind: "lose the answer" });
		server.fail(/partNumber=2/, SLOW_DOWN, SLOW_DOWN);
		server.fail(/^POST .*uploadId=/, { kind: "status", status: 200, code: "InternalError" }, HANG_UP);
		const blobs = open();
		assert.deepEqual(await blobs.put(KEY, bytes(7 * MIB), NO_LIMIT), { size: 7 * MIB });
		assert.equal(await readAll(blobs), 7 * MIB);
	});

	test("an upload that is complete although the answer was lost has worked", async () => {
		server.fail(/^POST .*uploadId=/, { kind: "lose the answer" });
		const blobs = open();
		assert.deepEqual(await blobs.put(KEY, bytes(6 * MIB), NO_LIMIT), { size: 6 * MIB });
		assert.equal(await readAll(blobs), 6 * MIB);
	});

	test("a server that keeps failing is given up, and is unavailable", async () => {
		server.fail(/./, SLOW_DOWN, SLOW_DOWN, SLOW_DOWN, SLOW_DOWN);
		await assert.rejects(open().get(KEY), isUnavailable(/answered 503 SlowDown$/));
		assert.equal(server.received.length, 4);
	});

	test("a server that is down is unavailable", async () => {
		server.close();
		const blobs = open();
		const isDown = isUnavailable(/cannot be reached: ECONNREFUSED$/);
		await Promise.all([
			assert.rejects(blobs.put(KEY, bytes(3), NO_LIMIT), isDown),
			assert.rejects(blobs.get(KEY, { start: 1 }), isDown),
			assert.rejects(blobs.delete(KEY), isDown),
		]);
	});

	test("a server that does not answer is unavailable", async () => {
		server.fail(/./, { kind: "silence" }, { kind: "silence" }, { kind: "silence" }, { kind: "silence" });
		await assert.rejects(
			open({ timeoutMs: 50 }).get(KEY),
			isUnavailable(/cannot be reached: no answer in time/),
		);
	});

	test("an answer that is cut fails its reader", async () => {
		const blobs = open();
		await blobs.put(KEY, bytes(MIB), NO_LIMIT);
		server.fail(/^GET/, { kind: "cut the answer" });
		await assert.rejects(readAll(blobs), isUnavailable(/cannot be reached/));
	});

	test("content that fails leaves neither an object nor an upload", async () => {
		const failure = new Error("the sender left");
		async function* failing() {
			yield* bytes(11 * MIB);
			assert.equal(server.uploads.size, 1);
			throw failure;
		}
		await assert.rejects(open().put(KEY, failing(), NO_LIMIT), (error) => error === failure);
		assert.deepEqual([server.objects.size, server.uploads.size], [0, 0]);
	});

	test("a part that is refused leaves neither an object nor an upload", async () => {
		server.fail(/partNumber=2/, { kind: "status", status: 403, code: "QuotaExceeded" });
		await assert.rejects(
			open().put(KEY, bytes(11 * MIB), NO_LIMIT),
			isUnavailable(/answered 403 QuotaExceeded/),
		);
		assert.deepEqual([server.objects.size, server.uploads.size], [0, 0]);
	});

	test("deleting a key ends the upload that a process left when it was killed, and no other", async () => {
		const bucket = s3Bucket({ url: `${server.url}/prefix`, ...S3_KEY });
		for (const key of [KEY, `${KEY}2`]) {
			const upload = await bucket.createMultipartUpload(key);
			await upload.uploadPart(1, new Uint8Array(3));
		}
		await bucketBlobs(bucket).delete(KEY);
		assert.deepEqual(
			[...server.uploads.values()].map(({ name }) => name),
			[`prefix/${KEY}2`],
		);
	});

	test("a server without a list of uploads deletes blobs all the same", async () => {
		server.fail(/^GET .*uploads=/, { kind: "status", status: 501, code: "NotImplemented" });
		await open().delete(KEY);
		assert.equal(server.received.length, 3);
	});

	test("an upload whose key is deleted meanwhile fails and leaves nothing", async () => {
		const blobs = open();
		async function* deleting() {
			yield* bytes(6 * MIB);
			await blobs.delete(KEY);
			yield* bytes(6 * MIB);
		}
		await assert.rejects(blobs.put(KEY, deleting(), NO_LIMIT), isUnavailable(/answered 404 NoSuchUpload/));
		assert.deepEqual([server.objects.size, server.uploads.size], [0, 0]);
	});
});
