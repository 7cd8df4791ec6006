import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Module } from "../../src/cloudflare/api.ts";
import { buildNames, ROLES, type Role, WORKERS } from "../../src/cloudflare/plan.ts";
import { buildUpload, omitBindings, type Resources } from "../../src/cloudflare/upload.ts";

const names = buildNames("tripline");
const resources: Resources = {
	names,
	namespace: "default",
	namespaces: new Map(
		ROLES.flatMap((role) => WORKERS[role].kv).map((binding) => [binding, `id of ${binding}`]),
	),
	databases: new Map([
		["store", "the database"],
		["executor", "the executor's database"],
	]),
	vectorIndex: "the index",
	bucket: "the bucket",
	subdomain: "acme",
};
const modules = (text: string): Module[] => [
	{ name: "worker.mjs", type: "application/javascript+module", content: new TextEncoder().encode(text) },
];
const upload = (role: Role, changes: Partial<Resources> = {}, text = "export default {}", schema = 6) =>
	buildUpload(role, modules(text), { ...resources, ...changes }, schema);

describe("what is uploaded", () => {
	test("includes the executor's bindings to itself and to other workers", () => {
		assert.deepEqual(upload("executor").metadata.bindings, [
			{ type: "kv_namespace", name: "WORKFLOWS_KV", namespace_id: "id of WORKFLOWS_KV" },
			{ type: "d1", name: "EXECUTOR_DB", id: "the executor's database" },
			{ type: "r2_bucket", name: "FILES", bucket_name: "the bucket" },
			{ type: "service", name: "STORE", service: "tripline-store" },
			{ type: "service", name: "REGISTRY", service: "tripline-registry" },
			{ type: "service", name: "RUNS", service: "tripline-executor", entrypoint: "Runs" },
			{ type: "plain_text", name: "MULTI_TENANT", text: "false" },
			{ type: "plain_text", name: "BASE_URL", text: "https://tripline-executor.acme.workers.dev" },
		]);
	});

	test("without a vector index the store has no AI binding either", () => {
		const kinds = (index: string | null) =>
			upload("store", { vectorIndex: index }).metadata.bindings.map(({ type }) => type);
		assert.ok(kinds("the index").includes("vectorize") && kinds("the index").includes("ai"));
		assert.ok(!kinds(null).includes("vectorize") && !kinds(null).includes("ai"));
	});

	test("without a bucket the executor has no binding for files", () => {
		const { bindings } = upload("executor", { bucket: null }).metadata;
		assert.ok(!bindings.some(({ name }) => name === "FILES"));
	});

	test("can omit bindings to workers that do not exist yet", () => {
		const { bindings } = omitBindings(upload("executor"), (worker) => worker === "tripline-store");
		assert.deepEqual(
			bindings.flatMap((binding) => (binding.type === "service" ? [binding.name] : [])),
			["STORE"],
		);
	});

	test("the fingerprint covers code, bindings, variables and schema", () => {
		const { fingerprint } = upload("store");
		assert.match(fingerprint, /^[0-9a-f]{32}$/);
		assert.equal(upload("store").fingerprint, fingerprint);
		const others = [
			upload("store", {}, "export default { }"),
			upload("store", { databases: new Map([["store" as const, "another"]]) }),
			upload("store", { namespace: "another" }),
			upload("store", {}, undefined, 7),
		];
		assert.equal(new Set([fingerprint, ...others.map((other) => other.fingerprint)]).size, 5);
	});

	test("a binding of another worker does not change the fingerprint", () => {
		assert.equal(
			upload("mcp").fingerprint,
			upload("mcp", { databases: new Map([["store" as const, "another"]]) }).fingerprint,
		);
	});
});
