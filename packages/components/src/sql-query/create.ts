import type { Json } from "@tripline/contract/json";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";
import { DatabaseProblem, type Databases, type RowBatch } from "@tripline/platform/databases";
import { FolderProblem, type Folders } from "@tripline/platform/folders";
import type { DatabasePlace, RunDatabases } from "../effects.ts";
import { cleanError } from "../outbound/clean-error.ts";
import type { Redactor } from "../outbound/redact.ts";
import { type LoadCredential, UsedCredentials } from "../outbound/used-credentials.ts";
import { AUTH_RECIPES, toDatabase } from "./database.ts";

/** What follows from a credential, which takes longer to compute than a short query. */
const derived = new Map<string, Derived>();
const MAX_DERIVED = 100;

interface Found {
	readonly database: Parameters<Databases["run"]>[0];
	readonly clean: Redactor | null;
}

interface Derived extends Found {
	readonly recipe: AuthRecipe;
}

/** Creates `Effects.databases` for one run. Values of the credential are redacted from rows and errors. */
export function createRunDatabases(
	databases: Databases,
	load: LoadCredential,
	folders: Pick<Folders, "locate"> | null,
): RunDatabases {
	return {
		async run(where, job, signal) {
			let found: Found | null = null;
			try {
				found = await find(where);
				const { database, clean } = found;
				const results = await databases.run(database, job, signal);
				return clean === null ? results : results.map((result) => redactRows(result, clean));
			} catch (error) {
				throw signal.aborted ? signal.reason : cleanError(error, found?.clean ?? null, DatabaseProblem);
			}
		},
		async *read(where, job, signal) {
			let found: Found | null = null;
			try {
				found = await find(where);
				const { database, clean } = found;
				for await (const batch of databases.read(database, job, signal))
					yield clean === null ? batch : redactRows(batch, clean);
			} catch (error) {
				throw signal.aborted ? signal.reason : cleanError(error, found?.clean ?? null, DatabaseProblem);
			}
		},
	};

	/** Its errors contain no secrets. */
	async function find(where: DatabasePlace): Promise<Found> {
		if ("file" in where)
			return { database: { engine: "sqlite", path: await locate(where.file) }, clean: null };
		const loaded = await load(where.credential);
		const known = loaded === null ? undefined : derived.get(loaded.key);
		return known !== undefined && known.recipe === loaded?.recipe ? known : derive(where.credential, loaded);
	}

	async function derive(name: string, loaded: Awaited<ReturnType<LoadCredential>>): Promise<Derived> {
		const used = new UsedCredentials(async () => loaded, AUTH_RECIPES);
		try {
			const credential = await used.load(name);
			const found = { recipe: credential.recipe, database: toDatabase(credential), clean: used.redactor() };
			if (derived.size >= MAX_DERIVED) derived.clear();
			derived.set(credential.key, found);
			return found;
		} catch (error) {
			throw cleanError(error, used.redactor(), DatabaseProblem);
		}
	}

	async function locate(path: string): Promise<string> {
		if (folders === null)
			throw new TerminalError(
				"no folder is open to workflows: name it in ALLOW_FOLDERS of a self-hosted service on Node",
			);
		try {
			return await folders.locate(path);
		} catch (error) {
			throw error instanceof FolderProblem ? new TerminalError(error.message) : error;
		}
	}
}

/** Almost always there is nothing to redact, which one look at all rows tells. */
function redactRows<Rows extends Pick<RowBatch, "rows">>(result: Rows, clean: Redactor): Rows {
	if (clean.find(joinTexts(result.rows)).length === 0) return result;
	return { ...result, rows: result.rows.map((row) => row.map((value) => redactValue(value, clean))) };
}

/** Separated by what is part of no word, because short secrets are found only as words. */
function joinTexts(rows: RowBatch["rows"]): string {
	let text = "";
	for (const row of rows) {
		for (const value of row) {
			if (typeof value === "string") text += `${value}\0`;
			else if (typeof value === "object" && value !== null) text += `${JSON.stringify(value)}\0`;
		}
	}
	return text;
}

function redactValue(value: Json, clean: Redactor): Json {
	if (typeof value === "string") return clean.text(value);
	if (typeof value !== "object" || value === null) return value;
	// Also finds it in the names of fields.
	const text = JSON.stringify(value);
	const redacted = clean.text(text);
	return redacted === text ? value : redacted;
}
