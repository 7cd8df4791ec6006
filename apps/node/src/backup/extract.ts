import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { readChunks } from "./chunks.ts";
import { checkIntegrity, countRows, listFiles, withDatabase } from "./database-file.ts";
import { readEntries } from "./entries.ts";
import { BACKED_UP, type BackedUp, MANIFEST_PATH, type Manifest } from "./manifest.ts";
import { BackupProblem } from "./problem.ts";

const MAX_MANIFEST_BYTES = 67_108_864;

/** Extracts the databases into a folder, passes files on, and compares all of it with the manifest. */
export async function extract(deps: {
	archive: AsyncIterable<Uint8Array>;
	passphrase: string | null;
	/** An empty folder. */
	folder: string;
	onFile: (key: string, size: number, content: AsyncIterable<Uint8Array>) => Promise<void>;
	report: (what: string) => void;
}): Promise<Manifest> {
	const { folder, onFile, report } = deps;
	const hashes = new Map<string, string>();
	/** Files that the store lists and that have not come yet. */
	let expected: Map<string, number> | null = null;
	let [count, bytes] = [0, 0];
	let manifest: Manifest | null = null;
	for await (const { path, size, content } of readEntries(readChunks(deps.archive, deps.passphrase))) {
		if (manifest !== null || hashes.has(path)) throw damaged(`${path} is out of place`);
		if (path === MANIFEST_PATH) manifest = await readManifest(size, content);
		else if (path.startsWith("files/")) {
			const key = path.slice("files/".length);
			expected ??= readExpected(join(folder, "store.db"));
			if (expected.get(key) !== size) throw damaged(`${path} is not a file that store.db lists`);
			expected.delete(key);
			if (count++ === 0) report("reading files");
			bytes += size;
			await onFile(key, size, content);
		} else {
			report(`reading ${path}`);
			hashes.set(path, await writeFile(join(folder, path), content));
		}
	}
	if (manifest === null) throw damaged("its manifest is missing");
	const { databases, files } = manifest;
	const names = BACKED_UP.filter((name) => databases[name] !== undefined);
	if (!names.includes("store") || names.length !== hashes.size) throw damaged("a database is missing");
	for (const name of names) {
		report(`checking ${name}.db`);
		if (databases[name]?.sha256 !== hashes.get(`${name}.db`)) throw damaged(`${name}.db was changed`);
		checkDatabase(folder, name, databases[name]?.tables ?? {});
	}
	if (files !== null) {
		expected ??= readExpected(join(folder, "store.db"));
		for (const key of files.missing) expected.delete(key);
		const [absent] = expected.keys();
		if (absent !== undefined) throw damaged(`files/${absent} is missing`);
		if (count !== files.count || bytes !== files.bytes) throw damaged("the number of files is wrong");
	}
	return manifest;
}

const damaged = (what: string) => new BackupProblem(`the backup is damaged: ${what}`);

async function readManifest(size: number, content: AsyncIterable<Uint8Array>): Promise<Manifest> {
	if (size > MAX_MANIFEST_BYTES) throw damaged("its manifest is too large");
	const pieces = await Array.fromAsync(content);
	return JSON.parse(Buffer.concat(pieces).toString()) as Manifest;
}

const readExpected = (path: string): Map<string, number> =>
	new Map(withDatabase(path, (store) => [...listFiles(store)].map(({ key, size }) => [key, size])));

/** Returns the hash. */
async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
	const hash = createHash("sha256");
	const handle = await open(path, "wx", 0o600);
	try {
		for await (const piece of content) {
			hash.update(piece);
			await handle.writeFile(piece);
		}
		await handle.sync();
	} finally {
		await handle.close();
	}
	return hash.digest("hex");
}

function checkDatabase(folder: string, name: BackedUp, tables: Readonly<Record<string, number>>): void {
	withDatabase(join(folder, `${name}.db`), (database) => {
		checkIntegrity(database, name);
		const counted = countRows(database);
		for (const table of Object.keys({ ...tables, ...counted }))
			if (counted[table] !== tables[table])
				throw damaged(`${name}.${table} has ${counted[table]} rows instead of ${tables[table]}`);
	});
}
