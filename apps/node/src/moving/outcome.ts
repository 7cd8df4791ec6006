import { masterKeyPath } from "../master-key.ts";
import { ownerSecretPath } from "../owner-secret.ts";
import type { Settings } from "../settings.ts";
import type { countMove, Moved } from "./deployment.ts";
import { formatCount } from "./format-count.ts";
import type { Place } from "./places.ts";

interface Outcome {
	readonly json: unknown;
	readonly text: string;
}

export function renderCount({ from, to, tables }: Awaited<ReturnType<typeof countMove>>): Outcome {
	const width = Math.max(...tables.map(({ database, table }) => database.length + table.length + 1));
	const lines = tables.map(
		({ database, table, rows }) =>
			`${`${database}.${table}`.padEnd(width)}  ${formatCount(rows).padStart(12)}`,
	);
	return {
		json: { from: from.name, to: to.name, tables },
		text: `${lines.join("\n")}\n\nA dry run: nothing was copied from ${from.name} to ${to.name}.\n`,
	};
}

export function renderMoved(settings: Settings, { from, to, tables }: Moved): Outcome {
	const rows = tables.reduce((sum, table) => sum + table.rows, 0);
	const files = tables.find(({ table }) => table === "files")?.rows;
	const next =
		to.kind === "postgres" ? listNextInPostgres(settings, from, files) : listNextInFolder(to, files);
	const summary =
		tables.length === 0
			? `Everything from ${from.name} was in ${to.name} already, and compared.`
			: `${formatCount(rows)} rows of ${tables.length} tables were copied from ${from.name} to ${to.name} and compared.`;
	return {
		json: { from: from.name, to: to.name, tables, next },
		text: `${summary}\n\nNext:\n${next.map((line, nth) => `${nth + 1}. ${line}\n`).join("")}`,
	};
}

function listNextInPostgres(settings: Settings, from: Place, files: number | undefined): string[] {
	const [key, secret] = [masterKeyPath(settings, from.name), ownerSecretPath(from.name)];
	return [
		"Set DATABASE_URL to the URL of the database, for every process.",
		settings.MASTER_KEY === undefined
			? `Set MASTER_KEY to the content of ${key}: without it no credential can be opened.`
			: "Keep MASTER_KEY as it is.",
		settings.MCP_OWNER_SECRET === undefined
			? `Set MCP_OWNER_SECRET to the content of ${secret}.`
			: "Keep MCP_OWNER_SECRET as it is.",
		`${describeFiles(files)} but in ${from.name}/files: give all processes that folder (FILES_DIR), or copy it to a bucket (FILES_S3_URL).`,
		`Start the service. It does not start with DATA_DIR=${from.name} alone any more, until you delete the file moved-to there; delete the folder's databases when you no longer need them.`,
	];
}

const listNextInFolder = (to: Place, files: number | undefined): string[] => [
	`Set DATA_DIR to ${to.name} and leave DATABASE_URL unset.`,
	"Keep MASTER_KEY and MCP_OWNER_SECRET as they are.",
	`${describeFiles(files)}: copy them from where the service has kept them to ${to.name}/files.`,
	"Start the service, as one process. It no longer starts on the PostgreSQL database.",
];

const describeFiles = (files: number | undefined): string =>
	`The bytes of files${files === undefined ? "" : ` (there are ${formatCount(files)})`} are not in a database`;
