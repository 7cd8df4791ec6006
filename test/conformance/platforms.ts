import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { jsonLog } from "@tripline/platform/log";
import { startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { applyMigrationFile, startWorker } from "../workerd.ts";

export type Environment = Readonly<Record<string, string>>;

/** A running service, however it is hosted. */
export interface Target {
	readonly storeUrl: string;
	/** Puts the service's clock to a time in milliseconds; null lets it run again. */
	setNow(time: number | null): Promise<void>;
	/** What the platform's timer does. */
	tick(): Promise<void>;
	/** Stops the service and starts it on the same data with other settings. */
	restart(environment: Environment): Promise<void>;
	close(): Promise<void>;
}

export interface Platform {
	readonly name: string;
	start(environment: Environment): Promise<Target>;
}

/** The one process on SQLite, over its real listeners. */
const node: Platform = {
	name: "Node + SQLite",
	async start(environment) {
		const folder = mkdtempSync(join(tmpdir(), "tripline-conformance-"));
		const clock = settableClock();
		const started = (settings: Environment) =>
			startService({
				settings: parseSettings({ PORT: "0", STORE_PORT: "0", DATA_DIR: folder, ...settings }),
				clock,
				log: jsonLog({ level: "silent", clock, write: () => {} }),
				version: "0.0.0-test",
			});
		let service = await started(environment);
		return {
			get storeUrl() {
				return service.storeUrl;
			},
			async setNow(time) {
				clock.set(time);
			},
			tick: () => service.tick(),
			async restart(settings) {
				await service.close();
				service = await started(settings);
			},
			async close() {
				await service.close();
				rmSync(folder, { recursive: true });
			},
		};
	},
};

/** The same store in real workerd on D1, its schema brought up from the emitted files. */
const workerd: Platform = {
	name: "workerd + D1",
	async start(environment) {
		const { miniflare, url } = await startWorker({
			entry: fileURLToPath(new URL("store.worker.ts", import.meta.url)),
			bindings: { MULTI_TENANT: "false", ...environment },
			d1: ["STORE_DB"],
		});
		const migrations = fileURLToPath(new URL("../../services/store/migrations/", import.meta.url));
		for (const file of readdirSync(migrations).sort()) {
			await applyMigrationFile(miniflare, "STORE_DB", readFileSync(join(migrations, file), "utf8"));
		}
		const control = async (path: string, body?: Environment) => {
			const response = await fetch(`${url}/test-control/${path}`, {
				method: "POST",
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
		};
		return {
			storeUrl: url,
			setNow: (time) => control(`now/${time ?? ""}`),
			tick: () => control("tick"),
			restart: (settings) => control("restart", { MULTI_TENANT: "false", ...settings }),
			close: () => miniflare.dispose(),
		};
	},
};

export const platforms: readonly Platform[] = [node, workerd];

function settableClock() {
	let fixed: number | null = null;
	return {
		now: () => fixed ?? Date.now(),
		set(time: number | null) {
			fixed = time;
		},
	};
}
