import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { S3_KEY, startS3Server } from "../../../test/s3-server.ts";
import { readChunks, writeChunks } from "../src/backup/chunks.ts";
import { readEntries, writeEntries } from "../src/backup/entries.ts";
import { folderPlace, nameBackup, openPlace, type Place } from "../src/backup/places.ts";
import { chooseExpired, deleteExpired } from "../src/backup/retention.ts";
import { parseSettings } from "../src/settings.ts";

const PASSPHRASE = "correct horse battery";
const MIB = 1_048_576;

async function* inPieces(bytes: Buffer, length = 65_000): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> =>
	Buffer.concat(await Array.fromAsync(pieces));
const seal = (content: Buffer, passphrase: string | null) =>
	collect(writeChunks(inPieces(content), passphrase));
const unseal = (archive: Buffer, passphrase: string | null) =>
	collect(readChunks(inPieces(archive), passphrase));

/** The header and each chunk. */
async function sealInParts(content: Buffer, passphrase: string | null): Promise<Buffer[]> {
	return Array.fromAsync(writeChunks(inPieces(content), passphrase));
}

const flip = (bytes: Buffer, at: number): Buffer => {
	const changed = Buffer.from(bytes);
	changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
	return changed;
};

describe("an archive", () => {
	for (const [kind, passphrase] of [
		["without a passphrase", null],
		["with a passphrase", PASSPHRASE],
	] as const) {
		test(`${kind} is read as it was written`, async () => {
			for (const length of passphrase === null ? [0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB] : [2 * MIB + 7]) {
				const content = randomBytes(length);
				assert.ok((await unseal(await seal(content, passphrase), passphrase)).equals(content), `${length}`);
			}
		});

		test(`${kind} is refused if anything is cut off, changed, exchanged, missing or added`, async () => {
			const parts = await sealInParts(Buffer.alloc(2 * MIB + 9, randomBytes(1000)), passphrase);
			const [header, first, second, last] = parts as [Buffer, Buffer, Buffer, Buffer];
			const archive = Buffer.concat(parts);
			const wrong: Record<string, Buffer> = {
				nothing: Buffer.alloc(0),
				"only a header": header,
				"no last chunk": Buffer.concat([header, first, second]),
				"without its last byte": archive.subarray(0, -1),
				"cut anywhere": archive.subarray(0, randomInt(archive.length)),
				"no first chunk": Buffer.concat([header, second, last]),
				"exchanged chunks": Buffer.concat([header, second, first, last]),
				"a chunk twice": Buffer.concat([header, first, first, second, last]),
				"a byte more": Buffer.concat([archive, Buffer.of(0)]),
				"another last chunk": Buffer.concat([header, first, flip(second, 0)]),
				"a changed byte": flip(archive, header.length + randomInt(archive.length - header.length)),
			};
			// Deriving a key is slow on purpose.
			const hasKey = ["no last chunk", "exchanged chunks", "another last chunk", "a changed byte"];
			for (const [what, bytes] of Object.entries(wrong).filter(
				([what]) => passphrase === null || hasKey.includes(what),
			))
				await assert.rejects(unseal(bytes, passphrase), { name: "BackupProblem" }, what);
		});
	}

	test("needs its passphrase, and is refused without encryption where one is set", async () => {
		const encrypted = await seal(Buffer.from("the canary"), PASSPHRASE);
		assert.ok(!encrypted.includes("canary"));
		await assert.rejects(unseal(encrypted, null), /is encrypted: set BACKUP_PASSPHRASE_FILE/);
		await assert.rejects(unseal(encrypted, "wrong horse battery"), /passphrase is wrong/);
		await assert.rejects(unseal(await seal(Buffer.alloc(3), null), PASSPHRASE), /is not encrypted/);
		await assert.rejects(unseal(Buffer.from("SQLite format 3\n"), null), /not a backup/);
	});

	test("cannot name a path outside of what a backup contains", async () => {
		const write = (path: string, size = 2) =>
			collect(
				writeEntries(
					(async function* () {
						yield { path, size, content: inPieces(Buffer.from("ab")) };
					})(),
				),
			);
		for (const path of [
			"../store.db",
			"files/../a",
			"files/a/b/c",
			"/etc/passwd",
			"keys/master.key",
			"files/a/",
		])
			await assert.rejects(Array.fromAsync(readEntries(inPieces(await write(path)))), /something unknown/);
		await assert.rejects(write("store.db", 3), /store\.db has 2 bytes instead of 3/);
		const cut = (await write("store.db")).subarray(0, -1);
		await assert.rejects(async () => {
			for await (const { content } of readEntries(inPieces(cut))) await collect(content);
		}, /store\.db is not complete/);
	});
});

describe("the place of backups", () => {
	function createFolder(context: TestContext): string {
		const folder = mkdtempSync(join(tmpdir(), "tripline-backups-"));
		context.after(() => rmSync(folder, { recursive: true }));
		return folder;
	}

	async function checkPlace(place: Place): Promise<void> {
		assert.deepEqual(await place.list(), []);
		const days = [3, 1, 2, 4].map((day) => new Date(Date.UTC(2027, 0, day, 3, 4, 5, 678)));
		for (const [nth, at] of days.entries())
			assert.equal(await place.write(nameBackup(at), inPieces(Buffer.alloc(nth + 10))), nth + 10);
		const listed = await place.list();
		assert.deepEqual(
			listed.map(({ name }) => name),
			[1, 2, 3, 4].map((day) => `tripline-2027-01-0${day}T03-04-05-678Z`),
		);
		assert.deepEqual(listed[0], { name: nameBackup(days[1] as Date), at: days[1], bytes: 11 });
		assert.equal((await collect(await place.read(listed[3]?.name ?? ""))).length, 13);
		const now = new Date(Date.UTC(2027, 0, 4, 12));
		assert.deepEqual(await deleteExpired(place, { count: 3, days: 2 }, now), [
			"tripline-2027-01-01T03-04-05-678Z",
			"tripline-2027-01-02T03-04-05-678Z",
		]);
		assert.equal((await place.list()).length, 2);
	}

	test("in a folder, what is not a backup is left alone, and a failed one leaves nothing", async (context) => {
		const folder = createFolder(context);
		const others = ["notes.txt", "tripline-2027-01-01.backup", "tripline-2027-13-01T03-04-05-678Z.backup"];
		for (const other of others) writeFileSync(join(folder, other), "mine");
		mkdirSync(join(folder, "tripline"));
		const place = folderPlace(folder);
		await checkPlace(place);
		const failing = (async function* () {
			yield Buffer.alloc(5);
			throw new Error("the disk is full");
		})();
		await assert.rejects(place.write(nameBackup(new Date()), failing), /disk is full/);
		const left = readdirSync(folder);
		assert.equal(left.length, others.length + 1 + 2);
		assert.ok(others.every((other) => left.includes(other)));
	});

	test("in a bucket, with messages that name its own settings", async (context) => {
		const server = await startS3Server();
		context.after(() => server.close());
		const variables = {
			BACKUP_TO: `${server.url}/deployment`,
			BACKUP_S3_REGION: S3_KEY.region,
			BACKUP_S3_ACCESS_KEY_ID: S3_KEY.accessKeyId,
			BACKUP_S3_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
		};
		server.objects.set("deployment/backups/other", Buffer.alloc(1));
		const place = openPlace(parseSettings(variables));
		await checkPlace(place);
		assert.ok(server.objects.has("deployment/backups/tripline-2027-01-04T03-04-05-678Z"));
		assert.ok(server.objects.has("deployment/backups/other"));
		await place.write(nameBackup(new Date()), inPieces(Buffer.alloc(17 * MIB), MIB));
		assert.equal(server.received.filter((line) => line.includes("partNumber")).length, 2);
		const secret = "another-canary-secret";
		const refused = openPlace(parseSettings({ ...variables, BACKUP_S3_SECRET_ACCESS_KEY: secret }));
		await assert.rejects(refused.list(), {
			name: "BackupProblem",
			message:
				"the bucket of BACKUP_TO answered 403 SignatureDoesNotMatch: check the keys in BACKUP_S3_* and what they are allowed to do",
		});
	});
});

test("old backups are chosen by count and age, and never the newest", () => {
	const now = new Date(Date.UTC(2027, 0, 31));
	const backups = [1, 10, 20, 30].map((day) => ({
		name: String(day),
		at: new Date(Date.UTC(2027, 0, day)),
		bytes: 1,
	}));
	for (const [count, days, expected] of [
		[10, null, []],
		[2, null, ["1", "10"]],
		[10, 15, ["1", "10"]],
		[1, 15, ["1", "10", "20"]],
		[3, 1000, ["1"]],
	] as const)
		assert.deepEqual(
			chooseExpired(backups, { count, days }, now).map(({ name }) => name),
			expected,
		);
	const late = new Date(Date.UTC(2029, 0, 1));
	assert.equal(chooseExpired(backups, { count: 10, days: 1 }, late).length, 3);
	assert.deepEqual(chooseExpired([], { count: 1, days: 1 }, now), []);
});
