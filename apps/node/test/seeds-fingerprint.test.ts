import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readSeedsFingerprint, SEEDS_FOLDER, SHARED_WITH_SEEDS } from "../src/seeds-fingerprint.ts";

const IMPORT = /^import (?!type )[^"]*"([^"]+)";$/gm;

describe("the fingerprint of the bundled recipes", () => {
	test("changes with a file that they are made of", async (context) => {
		const root = mkdtempSync(join(tmpdir(), "seeds-"));
		context.after(() => rmSync(root, { recursive: true }));
		cpSync(fileURLToPath(SEEDS_FOLDER), join(root, "seeds"), { recursive: true });
		const shared = fileURLToPath(new URL("../schema-words.ts", SEEDS_FOLDER));
		cpSync(shared, join(root, "schema-words.ts"));
		const folder = pathToFileURL(`${join(root, "seeds")}/`);
		const before = await readSeedsFingerprint(folder);
		assert.equal(before, await readSeedsFingerprint());
		for (const file of ["seeds/slack.ts", "seeds/new.ts", "schema-words.ts"]) {
			const last = await readSeedsFingerprint(folder);
			writeFileSync(join(root, file), "// changed\n");
			assert.notEqual(await readSeedsFingerprint(folder), last, file);
		}
	});

	test("covers everything that they import", () => {
		const imports = readdirSync(SEEDS_FOLDER).flatMap((name) =>
			[...readFileSync(new URL(name, SEEDS_FOLDER), "utf8").matchAll(IMPORT)].map(([, path]) => path),
		);
		const others = new Set(imports.filter((path) => !/^\.\/[\w-]+\.ts$/.test(path ?? "")));
		assert.deepEqual([...others], SHARED_WITH_SEEDS);
	});
});
