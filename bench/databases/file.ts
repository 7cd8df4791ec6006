import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { readPeakMb, readResidentMb } from "../child.ts";
import type { Row } from "../report.ts";
import { type Service, startService } from "../service.ts";

const ROWS = 100_000;
const SETTLE_MS = 3_000;
const MAX_MB = 32;
const TENANT = { "x-service-api-key": "bench", "content-type": "application/json" };

/** How much the service needs to write many rows into a file. */
export async function measureFile(
	url: string,
	folder: string,
	onProgress: (what: string) => void,
): Promise<Row[]> {
	onProgress(`${ROWS} rows into a file`);
	await using service = await startService(folder, { env: { ALLOW_PRIVATE_HOSTS: "127.0.0.1" } });
	const fields = {
		host: new URL(url).host,
		...{ database: "postgres", user: "postgres", password: "not needed", tls: "off" },
	};
	await call(service, "PUT", "/credentials/shop", { auth_recipe: "postgresql", fields });
	const rows: Row[] = [];
	for (const name of ["orders.csv", "orders.jsonl"]) {
		const { token } = await call(service, "POST", "/webhooks", buildWorkflow(name));
		await wait(SETTLE_MS);
		const idle = readResidentMb(service);
		// Otherwise the peak would be that of the start.
		writeFileSync(`/proc/${service.pid}/clear_refs`, "5");
		const { data } = await call(service, "POST", `/webhooks/${token}/trigger`, {});
		const { count } = data as { count: number };
		if (count !== ROWS) throw new Error(`${count} of ${ROWS} rows are in the file`);
		rows.push({
			what: `${ROWS} rows into ${name}, more than the ${idle.toFixed(0)} MB before`,
			unit: "MB",
			ours: readPeakMb(service) - idle,
			bar: { on: "ours", most: MAX_MB },
		});
	}
	return rows;
}

const buildWorkflow = (into: string): object => ({
	triplets: ["input >> then >> orders"],
	config: {
		orders: {
			component: "sql_query",
			credential: "shop",
			sql: `select n as id, 'order ' || n as name, n * 1.5 as total, timestamptz '2026-03-04' as placed_at, repeat('x', 200) as note from generate_series(1, ${ROWS}) as n`,
			read_only: true,
			into,
		},
	},
});

async function call(
	{ publicUrl }: Service,
	method: string,
	path: string,
	body: object,
): Promise<Record<string, unknown>> {
	const response = await fetch(publicUrl + path, { method, headers: TENANT, body: JSON.stringify(body) });
	const text = await response.text();
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
	return JSON.parse(text) as Record<string, unknown>;
}
