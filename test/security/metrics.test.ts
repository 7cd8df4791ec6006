import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { node, type Target } from "../conformance/platforms.ts";
import { CANARIES, useService } from "../metrics-world.ts";
import { type Loopback, loopback } from "./loopback.ts";

const METRICS = "canary-metrics-token-1";
const INTERNAL = "canary-internal-token-1";

describe("a scrape", () => {
	let outside: Loopback;
	let target: Target;
	const settings = (more: Record<string, string> = {}) => ({
		...{ METRICS_TOKEN: METRICS, STORE_INTERNAL_TOKEN: INTERNAL, ALLOW_PRIVATE_HOSTS: outside.host, ...more },
	});
	const scrape = async (url: string, bearer: string | null, accept = "text/plain") => {
		const headers = { accept, ...(bearer !== null && { authorization: `Bearer ${bearer}` }) };
		const response = await fetch(`${url}/metrics`, { headers });
		return { status: response.status, text: await response.text() };
	};

	before(async () => {
		outside = await loopback((_, response) =>
			response.setHeader("content-type", "application/json").end("{}"),
		);
		target = await node.start(settings());
	});
	after(async () => {
		await target?.close();
		await outside?.close();
	});

	test("contains no secret, no path, no host, and no name of a tenant or workflow", async () => {
		const made = await useService(target.publicUrl, outside.url);
		await scrape(target.publicUrl, CANARIES.secret);
		for (const accept of ["text/plain", "application/openmetrics-text"]) {
			const { status, text } = await scrape(target.storeUrl, METRICS, accept);
			assert.equal(status, 200);
			for (const secret of [...Object.values(CANARIES), ...made, METRICS, INTERNAL])
				assert.ok(!text.includes(secret), secret);
			assert.doesNotMatch(text, /canary|127\.0\.0\.1|10\.1\.2\.3/);
			for (const counted of [
				/^tripline_runs_total\{trigger="named",status="success"\} 2$/m,
				/^tripline_runs_total\{trigger="event",status="success"\} 1$/m,
				/^tripline_runs_total\{trigger="webhook",status="failed"\} [34]$/m,
				/^tripline_sandbox_calls_total\{result="threw"\} 1$/m,
				/^tripline_sandbox_calls_total\{result="memory"\} 1$/m,
				/^tripline_outbound_requests_total\{host_class="loopback",result="2xx"\} 3$/m,
				/^tripline_outbound_requests_total\{host_class="private",result="refused"\} 1$/m,
				/^tripline_journal_writes_total\{operation="step"\} [1-9]/m,
				/^tripline_files 1$/m,
				/^tripline_runs_stored\{state="parked"\} 1$/m,
				/^tripline_http_requests_total\{.*route="none",status="4xx"\} [1-9]/m,
			])
				assert.match(text, counted);
		}
	});

	test("needs a token that is for it, on both ports", async () => {
		for (const [url, bearer, status] of [
			[target.storeUrl, METRICS, 200],
			[target.storeUrl, INTERNAL, 200],
			[target.storeUrl, null, 401],
			[target.storeUrl, `${METRICS}x`, 401],
			[target.publicUrl, METRICS, 200],
			// It opens everything else, and is not for the public port.
			[target.publicUrl, INTERNAL, 401],
			[target.publicUrl, null, 401],
			[target.publicUrl, CANARIES.tenant, 401],
		] as const)
			assert.equal((await scrape(url, bearer)).status, status, `${url} ${bearer}`);
	});

	test("opens nothing else with its token", async () => {
		for (const [url, path] of [
			[target.storeUrl, "/entries"],
			[target.storeUrl, "/partner-keys"],
			[target.publicUrl, "/mcp"],
			[target.publicUrl, "/gui/workflows"],
		] as const) {
			const response = await fetch(url + path, {
				method: path === "/mcp" ? "POST" : "GET",
				headers: { authorization: `Bearer ${METRICS}` },
			});
			assert.ok([401, 405].includes(response.status), `${path}: ${response.status}`);
		}
	});

	test("is not for tenants, and names namespaces only if a setting asks for it", async () => {
		await target.restart(settings({ MULTI_TENANT: "true", METRICS_NAMESPACES: "true" }));
		const made = await fetch(`${target.storeUrl}/partner-keys`, {
			method: "POST",
			headers: { authorization: `Bearer ${INTERNAL}`, "content-type": "application/json" },
			body: JSON.stringify({ namespace: CANARIES.tenant }),
		});
		const { key } = CreatedPartnerKey.parse(await made.json());
		for (const url of [target.storeUrl, target.publicUrl]) assert.equal((await scrape(url, key)).status, 401);
		const headers = { "x-service-api-key": key, "content-type": "application/json" };
		const document = { triplets: ["input >> then >> a"], config: { a: { component: "set", values: {} } } };
		const created = await fetch(`${target.publicUrl}/webhooks`, {
			...{ method: "POST", headers, body: JSON.stringify(document) },
		});
		const { token } = (await created.json()) as { token: string };
		await fetch(`${target.publicUrl}/webhooks/${token}/trigger`, { method: "POST" });
		const { text } = await scrape(target.storeUrl, METRICS);
		const named = text.split("\n").filter((line) => line.includes(CANARIES.tenant));
		assert.ok(
			named.includes(
				`tripline_runs_total{namespace="${CANARIES.tenant}",trigger="webhook",status="success"} 1`,
			),
		);
		for (const line of named) assert.match(line, /^tripline_runs?_/);
		assert.ok(!text.includes(key) && !text.includes(token));
	});
});
