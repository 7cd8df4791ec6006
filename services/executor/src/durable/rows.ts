import type { JsonObject } from "@tripline/contract/workflows";
import type { JournalRow } from "@tripline/engine/run/journal";
import type { Cipher } from "@tripline/platform/cipher";
import type { RecordedRun } from "@tripline/platform/journal";
import type { Address } from "../domain/address.ts";

/** How a run, or a called workflow, began. It stays so in every process that resumes it. */
export interface RunStart {
	/** Of the record that a called workflow leaves. */
	readonly id?: string | undefined;
	/** In milliseconds. */
	readonly started_at: number;
	/** Undefined if the workflow has no versions. */
	readonly version_number?: number | undefined;
}

export interface StoredRow extends JournalRow {
	/** Files that the run gained with the step, or shortly before. */
	readonly files?: readonly string[];
	/** In the first row of a called workflow. */
	readonly start?: RunStart;
}

/** What a run began with. */
export interface Beginning {
	readonly input: JsonObject;
	readonly request: JsonObject | undefined;
	readonly files: readonly string[] | undefined;
	readonly workflow: string;
	readonly address: Address;
	readonly stepPrefix: string;
}

/** A run that has failed, and can be repeated. */
export interface RetainedRun extends Beginning {
	readonly start: RunStart;
	list(line: string): Promise<readonly StoredRow[]>;
}

export async function openRows<Row>(run: RecordedRun, cipher: Cipher, line: string): Promise<Row[]> {
	const rows: Row[] = [];
	for (const batch of run.list(line)) {
		const text = cipher.open(batch);
		for (const row of JSON.parse(typeof text === "string" ? text : await text)) rows.push(row);
	}
	return rows;
}
