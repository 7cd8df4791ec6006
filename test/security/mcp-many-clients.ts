import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { ERAS, type Era, type Fields } from "../mcp/wire.ts";
import { type Client, createClient } from "./client.ts";
import { ask, type McpAnswer } from "./mcp-client.ts";
import { OWNER_SECRET } from "./mcp-login.ts";
import type { Shared } from "./mcp-shared.ts";
import { tally } from "./tally.ts";

const TENANTS = 10;
const CLIENTS_PER_TENANT = 5;

interface Tenant {
	readonly namespace: string;
	/** Appears in all of the tenant's data and nowhere else. */
	readonly marker: string;
	readonly client: Client;
	/** Ids that other tenants may try to read. */
	readonly executions: string[];
}

/** Many concurrent clients with their own data and equal ids. */
export function manyClients(shared: Shared): void {
	describe("many clients at once", () => {
		let tenants: readonly Tenant[];

		before(async () => {
			await shared.target.restart({ MCP_OWNER_SECRET: OWNER_SECRET, ALLOW_PLAINTEXT_NAMESPACE: "true" });
			tenants = Array.from({ length: TENANTS }, (_, nth) => ({
				namespace: `tenant-${nth}`,
				marker: `marker-${randomBytes(8).toString("hex")}`,
				client: createClient(() => shared.target.publicUrl),
				executions: [],
			}));
			for (const tenant of tenants) {
				const told = await call(tenant, ERAS[0], "save_workflow", { document: buildEcho(tenant.marker) });
				assert.equal(getStructured(told).saved, true, told.text);
			}
		});

		after(() => {
			for (const { client } of tenants) client.close();
		});

		test("with equal ids and progress tokens get only their own answers, progress and held outputs", async (t) => {
			const clients = tenants.flatMap((tenant) =>
				Array.from({ length: CLIENTS_PER_TENANT }, (_, nth) => ({ tenant, era: ERAS[nth % 2] as Era })),
			);
			assert.equal(clients.length, 50);
			await tally(t, `${clients.length} clients of ${TENANTS} tenants`, async (count) => {
				await Promise.all(
					clients.map(({ tenant, era }, nth) => runRound(tenant, era, `nonce-${nth}-of-50`, count)),
				);
			});
			const errors = (await shared.target.lines()).filter(({ level }) => level === "error");
			assert.deepEqual(errors, []);
		});

		async function runRound(
			tenant: Tenant,
			era: Era,
			nonce: string,
			count: (isRefused: boolean, about: string) => void,
		): Promise<void> {
			const { marker } = tenant;
			const isOwn = (told: McpAnswer, about: string) => {
				const shown = JSON.stringify([told.result, told.notifications, told.headers]);
				const others = [...shown.matchAll(/marker-[0-9a-f]{16}/g)].filter(([each]) => each !== marker);
				const nonces = [...shown.matchAll(/nonce-[\d-]+of-50/g)].filter(([each]) => each !== nonce);
				count(
					others.length === 0 && nonces.length === 0,
					`${about} ${marker} ${nonce}: ${shown.slice(0, 300)}`,
				);
				count(told.id === 1 && told.status === 200, `${about}: ${told.status} ${told.text.slice(0, 300)}`);
			};

			const ran = await call(tenant, era, "run_workflow", {
				name: marker,
				input: { nonce },
				max_chars: 2_000,
			});
			isOwn(ran, "run");
			const { data, execution_id, truncated } = getStructured(ran);
			const { marker: said, nonce: echoed } = data as Fields;
			count(
				said === marker && echoed === nonce && truncated === true,
				`run: ${JSON.stringify(data).slice(0, 200)}`,
			);
			const progress = ran.notifications.map(({ params }) => params ?? {});
			count(progress.length === 2, `progress: ${JSON.stringify(progress)}`);
			for (const { progressToken, message } of progress)
				count(
					progressToken === 1 && (!/Running/.test(String(message)) || message === `Running ${marker}`),
					String(message),
				);
			tenant.executions.push(String(execution_id));

			const own = { execution_id, select: "tail", offset: 0 };
			const held = await call(tenant, era, "get_execution", own);
			isOwn(held, "held output");
			count(getStructured(held).output === `${marker} ${nonce}`, held.text.slice(0, 300));

			const exposed = await call(tenant, era, `run_${marker}`, { nonce });
			isOwn(exposed, "exposed tool");
			count(exposed.text.includes(marker) && exposed.text.includes(nonce), exposed.text.slice(0, 200));

			const tools = await ask(tenant.client, tenant.namespace, "tools/list", {}, { era });
			isOwn(tools, "tools");
			count(tools.text.includes(`run_${marker}`), "its own tool is not listed");

			const foreign = tenants
				.filter((each) => each !== tenant)
				.flatMap(({ executions }) => executions.slice(-1));
			for (const execution_id of foreign.slice(0, 2)) {
				const denied = await call(tenant, era, "get_execution", { ...own, execution_id });
				isOwn(denied, "another's output");
				count(denied.result?.isError === true, denied.text.slice(0, 200));
			}
		}

		const call = (tenant: Tenant, era: Era, name: string, args: Fields): Promise<McpAnswer> =>
			ask(
				tenant.client,
				tenant.namespace,
				"tools/call",
				{ name, arguments: args },
				{
					era,
					meta: { progressToken: 1 },
				},
			);
	});
}

const getStructured = ({ result = {} }: McpAnswer): Fields => (result.structuredContent ?? {}) as Fields;

/** Echoes its owner and input after a delay, in an output long enough to be held. */
const buildEcho = (marker: string) => ({
	name: marker,
	description: `of ${marker}`,
	version: "1",
	triplets: ["input >> ON_SUCCESS >> pause", "pause >> ON_SUCCESS >> out"],
	config: {
		pause: { component: "wait", ms: 20 },
		out: {
			component: "set",
			values: {
				marker,
				nonce: "{{input.nonce}}",
				pad: `${marker} `.repeat(200),
				tail: `${marker} {{input.nonce}}`,
			},
		},
	},
	options: { expose: true },
});
