import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startWorker } from "../../../test/workerd.ts";
import { market } from "../src/market/market.ts";
import { REQUIRED_KV_NAMESPACES } from "../src/settings.ts";
import { doublingManifest } from "./manifests.ts";
import { ADMIN, TOKEN } from "./open-registry.ts";

/** What the tests read of any response. */
interface Body {
	readonly id?: string;
	readonly sha256?: string;
	readonly components?: readonly unknown[];
	readonly submissions?: readonly unknown[];
	readonly issues?: readonly { readonly path: string }[];
	readonly totals?: { readonly installs: number };
	readonly days?: readonly { readonly installs: number }[];
}

const entry = fileURLToPath(new URL("../src/cloudflare.ts", import.meta.url));

async function startRegistryWorker(context: TestContext, bindings: Record<string, string> = {}) {
	const { miniflare, url } = await startWorker({ entry, bindings, kv: REQUIRED_KV_NAMESPACES });
	context.after(() => miniflare.dispose());
	return {
		async listKeys(binding: string): Promise<string[]> {
			// Miniflare's own type needs a package of ambient types that would conflict with Node's.
			const namespace = (await miniflare.getKVNamespace(binding)) as unknown as {
				list(): Promise<{ keys: { name: string }[] }>;
			};
			return (await namespace.list()).keys.map(({ name }) => name);
		},
		async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
			const sent = body === undefined ? null : JSON.stringify(body);
			const response = await fetch(url + path, { method, body: sent, headers });
			return { status: response.status, body: (await response.json()) as Body };
		},
	};
}

const admin = { authorization: `Bearer ${ADMIN}`, "x-publisher-token": TOKEN };

describe("the registry's worker", () => {
	test("serves the market, runs submissions in the sandbox, and counts installs", async (context) => {
		const { call, listKeys } = await startRegistryWorker(context, { REGISTRY_ADMIN_TOKEN: ADMIN });
		assert.equal((await call("GET", "/readyz")).status, 200);
		assert.equal((await call("GET", "/components?limit=100")).body.components?.length, market.length);

		const hanging = await call(
			"POST",
			"/submissions",
			{ manifest: doublingManifest({ code: "for (;;);" }) },
			admin,
		);
		assert.equal(hanging.status, 422);
		assert.equal(hanging.body.issues?.[0]?.path, "trial");
		const submitted = await call("POST", "/submissions", { manifest: doublingManifest() }, admin);
		assert.equal(submitted.status, 201, JSON.stringify(submitted.body));
		const { id } = submitted.body;
		assert.equal((await call("POST", "/submissions", { manifest: doublingManifest() }, admin)).status, 409);
		assert.equal((await call("GET", "/submissions", undefined, admin)).body.submissions?.length, 1);
		const path = `/submissions/${id}/review`;
		assert.equal((await call("POST", path, { decision: "approve" }, admin)).status, 200);
		assert.equal((await call("POST", path, { decision: "approve" }, admin)).status, 409);
		const component = (await call("GET", "/components/number-doubler")).body;
		assert.equal(component.sha256, submitted.body.sha256);

		for (let nth = 0; nth < 3; nth++) {
			const counted = await call("POST", "/components/number-doubler/installs", { version: "1.0.0" });
			assert.equal(counted.status, 202);
		}
		const { totals, days } = (await call("GET", "/stats")).body;
		assert.deepEqual([totals?.installs, days?.[0]?.installs], [3, 3]);
		assert.ok((await listKeys("STATS_KV")).includes("totals"));
		const kept = (await listKeys("SUBMISSIONS_KV")).map((key) => key.split(":")[0]);
		assert.deepEqual(kept.sort(), ["publisher", "submission"]);
	});

	test("accepts no submissions and no reviews if no tokens are set", async (context) => {
		const { call } = await startRegistryWorker(context);
		for (const authorization of ["", "Bearer undefined", "Bearer null", "Bearer "]) {
			assert.equal(
				(await call("POST", "/submissions", { manifest: doublingManifest() }, { authorization })).status,
				401,
			);
			const path = "/submissions/0192f0c1-0000-7000-8000-000000000000/review";
			assert.equal((await call("POST", path, { decision: "approve" }, { authorization })).status, 503);
		}
		assert.equal((await call("GET", "/components")).status, 200);
	});

	test("lists the key-value namespaces it requires", () => {
		assert.deepEqual(REQUIRED_KV_NAMESPACES, ["COMPONENTS_KV", "SUBMISSIONS_KV", "STATS_KV"]);
	});
});
