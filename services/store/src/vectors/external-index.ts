import { sha256Hex } from "@tripline/contract/ids";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { VectorIndex } from "@tripline/platform/vectors";
import type { VectorStorage } from "../storage/vectors.ts";
import { restore } from "./quantise.ts";

/** Syncs an external index with the database. The index may fail at any time; unsent changes stay recorded. */
export function externalIndex(deps: {
	readonly storage: VectorStorage;
	readonly index: VectorIndex;
	readonly clock: Clock;
	readonly log: Log;
}) {
	const { storage, index, clock, log } = deps;
	const logFailure = (message: string, error: unknown) =>
		log("warn", message, { index: index.name, ...toErrorFields(error) });
	return {
		/** Whether anything was sent. */
		async sendUnsent(): Promise<boolean> {
			const unsent = await storage.listUnsent(index.batchSize);
			if (unsent.length === 0) return false;
			try {
				await index.upsert(
					await Promise.all(
						unsent.map(async ({ external_id, owner_id, entry_type, vector }) => ({
							id: external_id,
							partition: await buildPartition(owner_id, entry_type),
							vector: restore(vector),
						})),
					),
				);
			} catch (error) {
				logFailure("vectors not sent to the index", error);
				return false;
			}
			await storage.markSent(unsent, unixSeconds(clock) + index.delaySeconds);
			return true;
		},

		async deleteRemoved(): Promise<void> {
			const ids = await storage.listRemovals(index.batchSize);
			if (ids.length === 0) return;
			try {
				await index.remove(ids);
			} catch (error) {
				logFailure("vectors not removed from the index", error);
				return;
			}
			await storage.deleteRemovals(ids);
		},

		/** Searches one owner and type; empty if the index fails. */
		async query(owner: string, entryType: string, vector: Float32Array, limit: number) {
			try {
				return await index.query(await buildPartition(owner, entryType), vector, limit);
			} catch (error) {
				logFailure("vector index query failed", error);
				return [];
			}
		},
	};
}

export type ExternalIndex = ReturnType<typeof externalIndex>;

/** One partition per owner and type, so that many notes do not crowd out a few workflows. */
const buildPartition = async (owner: string, entryType: string): Promise<string> =>
	(await sha256Hex(`${owner}\n${entryType}`)).slice(0, 32);
