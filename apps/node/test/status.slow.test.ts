import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GuiStatus, ServiceStatus } from "@tripline/contract/status";
import { systemClock } from "@tripline/platform/clock";
import { type Service, startService } from "../src/service.ts";
import { parseSettings } from "../src/settings.ts";

const INTERNAL = randomBytes(16).toString("hex");
const STATIC = randomBytes(16).toString("hex");

describe("the status of a deployment that several tenants share", () => {
	let service: Service;
	let partnerKey: string;
	const folder = mkdtempSync(join(tmpdir(), "tripline-status-"));
	before(async () => {
		service = await startService({
			settings: parseSettings({
				...{ PORT: "0", STORE_PORT: "0", DATA_DIR: folder, MULTI_TENANT: "true" },
				...{ STORE_INTERNAL_TOKEN: INTERNAL, MCP_STATIC_TOKEN: STATIC, MCP_URL: "http://localhost:8484" },
			}),
			clock: systemClock,
			log: () => {},
			version: "test",
			readDisk: async () => ({ free_bytes: 100 * 2 ** 20, total_bytes: 2 ** 40 }),
		});
		const made = await fetch(`${service.storeUrl}/partner-keys`, {
			method: "POST",
			headers: { authorization: `Bearer ${INTERNAL}`, "content-type": "application/json" },
			body: JSON.stringify({ namespace: "acme" }),
		});
		partnerKey = ((await made.json()) as { key: string }).key;
	});
	after(async () => {
		await service.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const readGui = async (bearer: string) => {
		const response = await fetch(`${service.publicUrl}/gui/status`, {
			headers: { authorization: `Bearer ${bearer}` },
		});
		return GuiStatus.parse(await response.json());
	};

	test("the owner sees what needs the operator in the console, a partner does not", async () => {
		const { attention, address } = await readGui(STATIC);
		assert.deepEqual(
			attention.map(({ code, level, subject }) => [code, level, subject]),
			[["disk", "problem", String(100 * 2 ** 20)]],
		);
		assert.equal(address, "http://localhost:8484");
		assert.deepEqual(await readGui(partnerKey), { attention: [], address: null });
	});

	test("a partner key does not see the deployment, an internal caller does", async () => {
		const read = async (headers: Record<string, string>) =>
			ServiceStatus.parse(await (await fetch(`${service.publicUrl}/status`, { headers })).json());
		const partner = await read({ "x-service-api-key": partnerKey });
		assert.deepEqual([partner.deployment, partner.attention], [null, []]);
		const operator = await read({ "x-service-api-key": "acme", authorization: `Bearer ${INTERNAL}` });
		assert.equal(operator.deployment?.database.kind, "sqlite");
		assert.ok((operator.deployment?.database.size_bytes ?? 0) > 0);
		assert.equal(operator.attention[0]?.code, "disk");
	});
});
