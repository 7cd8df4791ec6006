import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import { isMigrated } from "@tripline/platform/migrations";
import type { Sql } from "@tripline/platform/sql";
import { type App, createApp } from "@tripline/web/app";
import { authenticator } from "./http/authenticate.ts";
import type { StoreParts } from "./http/deps.ts";
import { entryRoutes } from "./http/entries.ts";
import { executionLogRoutes } from "./http/execution-log.ts";
import { graphRoutes } from "./http/graph.ts";
import { partnerKeyRoutes } from "./http/partner-keys.ts";
import { recordRoutes } from "./http/records.ts";
import { templateRoutes } from "./http/templates.ts";
import { tripletRoutes } from "./http/triplets.ts";
import type { StoreSettings } from "./settings.ts";
import { entryStorage } from "./storage/entries.ts";
import { executionLogStorage } from "./storage/execution-log.ts";
import { graphStorage } from "./storage/graph.ts";
import { storeMigrations } from "./storage/migrations.ts";
import { partnerKeyStorage } from "./storage/partner-keys.ts";
import { recordStorage } from "./storage/records.ts";
import { templateStorage } from "./storage/templates.ts";
import { tripletStorage } from "./storage/triplets.ts";

export interface StoreDeps {
	readonly sql: Sql;
	readonly clock: Clock;
	readonly log: Log;
	readonly version: string;
	readonly settings: StoreSettings;
}

export interface Store extends App {
	/** Deletes execution records past their retention, a bounded number at a time. */
	tick(): Promise<void>;
}

const DELETES_PER_TICK = 20;
const DAY = 24 * 60 * 60;

export function createStore({ sql, clock, log, version, settings }: StoreDeps): Store {
	const entries = entryStorage(sql);
	const parts: StoreParts = {
		entries,
		templates: templateStorage(sql),
		records: recordStorage(sql),
		executionLog: executionLogStorage(sql),
		partnerKeys: partnerKeyStorage(sql, entries),
		triplets: tripletStorage(sql),
		graph: graphStorage(sql),
		clock,
		settings,
		fetch: (url, init) => fetch(url, init),
	};
	const app = createApp({
		title: "Tripline knowledge store",
		version,
		routes: [
			...entryRoutes(parts),
			...templateRoutes(parts),
			...recordRoutes(parts),
			...executionLogRoutes(parts),
			...tripletRoutes(parts),
			...graphRoutes(parts),
			...partnerKeyRoutes(parts),
		],
		authenticate: authenticator({
			internalToken: settings.internalToken,
			partnerKeys: parts.partnerKeys,
		}),
		ready: () => isMigrated(sql, storeMigrations),
		clock,
		log,
		maxBodyBytes: settings.maxBodyBytes,
	});
	return {
		...app,
		async tick() {
			const cutoff = Math.floor(clock.now() / 1000) - settings.retentionDays * DAY;
			let deleted = 0;
			for (let round = 0; round < DELETES_PER_TICK; round++) {
				const gone = await parts.executionLog.deleteBefore(cutoff);
				deleted += gone;
				if (gone === 0) break;
			}
			if (deleted === 0) return;
			await sql.compact();
			log("info", "old execution records deleted", { deleted });
		},
	};
}
