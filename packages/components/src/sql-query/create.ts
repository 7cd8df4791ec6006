import type { Json } from "@tripline/contract/json";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Database, DatabaseProblem, type Databases, type RowBatch } from "@tripline/platform/databases";
import { FolderProblem, type Folders } from "@tripline/platform/folders";
import type { DatabasePlace, RunDatabases } from "../effects.ts";
import { cleanError } from "../outbound/clean-error.ts";
import type { Redactor } from "../outbound/redact.ts";
import { type LoadCredential, UsedCredentials } from "../outbound/used-credentials.ts";
import { AUTH_RECIPES, toDatabase } from "./database.ts";

/** What follows from a credential, which takes longer to compute than a short query. */
const derived = new Map<string, Derived>();
const MAX_DERIVED = 100;

interface Derived {
	readonly recipe: AuthRecipe;
	readonly database: Database;
	readonly clean: Redactor | null;
}

/** Creates `Effects.databases` for one run. Values of the credential are redacted from rows and errors. */
export function createRunDatabases(
	databases: Databases,
	load: LoadCredential,
	folders: Pick<Folders, "locate"> | null,
): RunDatabases {
	return {
		async run(where, job, signal) {
			const used = new UsedCredentials(load, AUTH_RECIPES);
			try {
				const { database, clean } = await find(where, used);
				const results = await databases.run(database, job, signal);
				return clean === null ? results : results.map((result) => redactRows(result, clean));
			} catch (error) {
				throw signal.aborted ? signal.reason : cleanError(error, used.redactor(), DatabaseProblem);
			}
		},
		async *read(where, job, signal) {
			const used = new UsedCredentials(load, AUTH_RECIPES);
			try {
				const { database, clean } = await find(where, used);
				for await (const batch of databases.read(database, job, signal))
					yield clean === null ? batch : redactRows(batch, clean);
			} catch (error) {
				throw signal.aborted ? signal.reason : cleanError(error, used.redactor(), DatabaseProblem);
			}
		},
	};

	async function find(where: DatabasePlace, used: UsedCredentials) {
		if ("file" in where)
			return { database: { engine: "sqlite", path: await locate(where.file) } as const, clean: null };
		const credential = await used.load(where.credential);
		const known = derived.get(credential.key);
		if (known?.recipe === credential.recipe) return known;
		const found = { recipe: credential.recipe, database: toDatabase(credential), clean: used.redactor() };
		if (derived.size >= MAX_DERIVED) derived.clear();
		derived.set(credential.key, found);
		return found;
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
	if (clean.find(JSON.stringify(result.rows)).length === 0) return result;
	return { ...result, rows: result.rows.map((row) => row.map((value) => redactValue(value, clean))) };
}

function redactValue(value: Json, clean: Redactor): Json {
	if (typeof value === "string") return clean.text(value);
	if (typeof value !== "object" || value === null) return value;
	// Also finds it in the names of fields.
	const text = JSON.stringify(value);
	const redacted = clean.text(text);
	return redacted === text ? value : redacted;
}
