import { randomToken } from "@tripline/contract/ids";
import type { Clock, FollowingClock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import type { Signals } from "@tripline/platform/signals";
import { SqlUnavailable } from "@tripline/platform/sql";
import { type StoreClient, StoreUnavailable } from "@tripline/store/client";
import { heartbeat } from "./heartbeat.ts";
import { type Settings, StartProblem } from "./settings.ts";

/** One of the processes that serve a deployment together. */
export interface Replica extends Pick<ReturnType<typeof heartbeat>, "watch" | "countOthers"> {
	/** Names this process. */
	readonly holder: string;
	readonly signals: Signals;
	/** Runs tasks of all processes one after another. */
	readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
	/** Others may continue the runs of this process at once. */
	leave(): Promise<void>;
}

/** Null if no other process can serve the deployment, because its data is in files. */
export async function joinDeployment(deps: {
	readonly settings: Pick<Settings, "DATABASE_URL" | "DATABASE_SCHEMA">;
	readonly processes: StoreClient["processes"];
	readonly clock: Clock & Partial<FollowingClock>;
	readonly log: Log;
}): Promise<Replica | null> {
	const { processes, clock, log } = deps;
	const { DATABASE_URL: url, DATABASE_SCHEMA: schema } = deps.settings;
	if (url === undefined) return null;
	// Loaded only here, because most deployments do not need them.
	const { postgresSignals } = await import("@tripline/platform/signals.postgres");
	const { postgresMutex } = await import("@tripline/platform/mutex.postgres");
	const holder = randomToken(12);
	try {
		const signals = await postgresSignals(url, { channel: schema, from: holder, log });
		const { begin, leave, ...beating } = heartbeat({ processes, holder, clock, log, signals });
		await begin().catch(async (error: unknown) => {
			await signals.close();
			throw error;
		});
		return {
			...beating,
			holder,
			signals,
			inTurn: postgresMutex(url, `${schema} registry`),
			async leave() {
				await leave();
				await signals.close();
			},
		};
	} catch (error) {
		if (!(error instanceof StoreUnavailable || error instanceof SqlUnavailable)) throw error;
		throw new StartProblem(`the database of DATABASE_URL cannot be used: ${error.message}`);
	}
}
