import { nodeBackground } from "@tripline/platform/background.node";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import { isMigrated } from "@tripline/platform/migrations";
import { createStore } from "@tripline/store/app";
import { embedSettings, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { createApp } from "@tripline/web/app";
import { openDatabase, prepareDataFolder } from "./databases.ts";
import { embedderOf } from "./embedder.ts";
import { guardBrowsers } from "./guard.ts";
import { type Listener, listen } from "./listen.ts";
import { isLoopback, type Settings } from "./settings.ts";

const TICK_MS = 60_000;

export interface Service {
	readonly publicUrl: string;
	readonly storeUrl: string;
	readonly dataFolder: string;
	/** What the timer does every minute. */
	tick(): Promise<void>;
	/** Finishes requests, flushes background work, closes the databases. */
	close(): Promise<void>;
}

/** The whole service in one process: the public listener, and the store on its own. */
export async function startService(deps: {
	settings: Settings;
	clock: Clock;
	log: Log;
	version: string;
}): Promise<Service> {
	const { settings, clock, log, version } = deps;
	const dataFolder = prepareDataFolder(settings.DATA_DIR);
	const sql = await openDatabase(dataFolder, "store.db", storeMigrations);
	const background = nodeBackground((work, error) =>
		log("error", "background work failed", { work, ...errorFields(error) }),
	);
	const store = createStore({
		sql,
		clock,
		log,
		version,
		settings: storeSettings(settings),
		background,
		embedder: embedderOf(embedSettings(settings)),
	});
	const publicApp = createApp<undefined>({
		title: "Tripline",
		version,
		routes: [],
		authenticate: () => undefined,
		ready: () => isMigrated(sql, storeMigrations),
		clock,
		log,
		maxBodyBytes: settings.MAX_BODY_BYTES,
	});

	const listeners: Listener[] = [];
	try {
		const publicListener = await listen({
			fetch: guardBrowsers(publicApp.fetch, {
				host: settings.HOST,
				urls: [settings.BASE_URL, settings.MCP_URL],
				clock,
				log,
			}),
			host: settings.HOST,
			port: settings.PORT,
			portSetting: "PORT",
		});
		listeners.push(publicListener);
		const storeListener = await listen({
			fetch: guardBrowsers(store.fetch, {
				host: settings.STORE_HOST,
				// Listening on every address asks for a token, and other machines name this one by its address.
				anyAddress: !isLoopback(settings.STORE_HOST),
				clock,
				log,
			}),
			host: settings.STORE_HOST,
			port: settings.STORE_PORT,
			portSetting: "STORE_PORT",
		});
		listeners.push(storeListener);
		const ticker = setInterval(() => background.run("store tick", store.tick), TICK_MS);
		return {
			publicUrl: publicListener.url,
			storeUrl: storeListener.url,
			dataFolder,
			tick: store.tick,
			async close() {
				clearInterval(ticker);
				await release();
			},
		};
	} catch (error) {
		await release();
		throw error;
	}

	async function release(): Promise<void> {
		await Promise.all(listeners.map((listener) => listener.close()));
		store.stop();
		await background.flush();
		sql.close();
	}
}
