import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { buildNames } from "../../src/cloudflare/plan.ts";
import {
	findSavedSecret,
	getSavedPath,
	readSaved,
	type SavedDeployment,
	writeSaved,
} from "../../src/cloudflare/saved-deployment.ts";
import { findLackingSecrets } from "../../src/cloudflare/secrets.ts";
import type { Io } from "../../src/io.ts";

const home = mkdtempSync(join(tmpdir(), "tripline-secrets-"));
after(() => rmSync(home, { recursive: true }));
const io = { env: {}, home } as unknown as Io;
const NOTHING: SavedDeployment = { base_url: "https://executor.example", secrets: {}, seeded: null };
const ALL = {
	store: ["STORE_INTERNAL_TOKEN"],
	registry: ["SERVICE_ACCESS_TOKEN", "REGISTRY_ADMIN_TOKEN"],
	executor: ["STORE_INTERNAL_TOKEN", "MASTER_KEY", "SERVICE_ACCESS_TOKEN"],
	mcp: ["STORE_INTERNAL_TOKEN", "MCP_OWNER_SECRET"],
};

function findLacking(there: Partial<typeof ALL>, known: SavedDeployment, path: string) {
	const names = buildNames("t");
	const workers: Record<string, readonly string[]> = Object.fromEntries(
		Object.entries(there).map(([role, secrets]) => [`t-${role}`, secrets]),
	);
	const api = { secretNames: async (worker: string) => workers[worker] ?? [] };
	return findLackingSecrets({ api, names, kept: known, keptPath: path });
}

describe("secrets of a deployment", () => {
	test("creates all secrets at first, one value for all workers that share it, in a private file", async () => {
		const path = getSavedPath(io, "account", "first");
		const { lacking: found, kept: now } = await findLacking({}, NOTHING, path);
		assert.equal(found.store.get("STORE_INTERNAL_TOKEN"), found.mcp.get("STORE_INTERNAL_TOKEN"));
		assert.match(found.executor.get("MASTER_KEY") ?? "", /^[A-Za-z0-9+/]{43}=$/);
		assert.equal(Object.keys(now.secrets).length, 5);
		assert.equal(new Set(Object.values(now.secrets)).size, 5);
		assert.ok(Object.values(now.secrets).every((text) => text.length >= 32));
		assert.equal(statSync(path).mode & 0o777, 0o600);
		assert.deepEqual(readSaved(path), now);
	});

	test("keeps existing secrets, even ones unknown to this machine", async () => {
		const path = getSavedPath(io, "account", "other-machine");
		const { lacking: found, kept: now } = await findLacking(ALL, NOTHING, path);
		assert.ok(Object.values(found).every((secrets) => secrets.size === 0));
		assert.deepEqual(now.secrets, {});
		assert.throws(() => readFileSync(path), { code: "ENOENT" });
	});

	test("sets a known secret for workers that lack it", async () => {
		const known = { ...NOTHING, secrets: { STORE_INTERNAL_TOKEN: "the-token-that-is-known" } };
		const there = { ...ALL, mcp: ["MCP_OWNER_SECRET"] };
		const { lacking: found } = await findLacking(there, known, getSavedPath(io, "account", "resumed"));
		assert.deepEqual([...found.mcp], [["STORE_INTERNAL_TOKEN", "the-token-that-is-known"]]);
		assert.equal(found.store.size + found.executor.size, 0);
	});

	test("replaces an unknown secret that only some workers have", async () => {
		const there = { ...ALL, mcp: ["MCP_OWNER_SECRET"] };
		const { lacking: found } = await findLacking(there, NOTHING, getSavedPath(io, "account", "lost"));
		const value = found.mcp.get("STORE_INTERNAL_TOKEN");
		assert.ok(value !== undefined && value.length >= 32);
		assert.equal(found.store.get("STORE_INTERNAL_TOKEN"), value);
		assert.deepEqual([...found.executor.keys()], ["STORE_INTERNAL_TOKEN"]);
	});

	test("uses a token only for its own address", () => {
		writeSaved(getSavedPath(io, "account", "mine"), {
			...NOTHING,
			base_url: "https://mine.example",
			secrets: { SERVICE_ACCESS_TOKEN: "mine" },
		});
		assert.equal(findSavedSecret(io, "https://mine.example", "SERVICE_ACCESS_TOKEN"), "mine");
		assert.equal(findSavedSecret(io, "https://other.example", "SERVICE_ACCESS_TOKEN"), undefined);
	});
});
