import { formatCount } from "../moving/format-count.ts";
import { ownerSecretPath } from "../owner-secret.ts";
import type { Settings } from "../settings.ts";
import type { Created } from "./create.ts";
import type { Manifest } from "./manifest.ts";
import type { Place, StoredBackup } from "./places.ts";
import type { Restored } from "./restore.ts";

interface Outcome {
	readonly json: unknown;
	readonly text: string;
}

export function renderCreated(
	place: Place,
	{ name, bytes, pausedMs, isEncrypted, manifest }: Created,
	deleted: readonly string[],
): Outcome {
	const lines = [
		`${name} is in ${place.name}: ${formatCount(bytes)} bytes, ${isEncrypted ? "encrypted" : "not encrypted"}.`,
		`It has ${describe(manifest)}.`,
		...listMissing(manifest),
		...(deleted.length > 0 ? [`Deleted by BACKUP_KEEP and BACKUP_KEEP_DAYS: ${deleted.join(", ")}`] : []),
		"Keys are not in it. Keep a copy of the master key elsewhere: without it no credential can be opened.",
	];
	return {
		json: {
			...{ name, place: place.name, at: manifest.at, bytes, encrypted: isEncrypted },
			paused_ms: Math.round(pausedMs * 10) / 10,
			...summarize(manifest),
			deleted,
		},
		text: toText(lines),
	};
}

export function renderList(backups: readonly StoredBackup[]): Outcome {
	return {
		json: backups.map(({ name, at, bytes }) => ({ name, at: at.toISOString(), bytes })),
		text:
			backups.length === 0
				? "no backups\n"
				: toText(backups.map(({ name, bytes }) => `${name}  ${formatCount(bytes).padStart(15)} bytes`)),
	};
}

export function renderVerified(name: string, manifest: Manifest): Outcome {
	return {
		json: { name, at: manifest.at, version: manifest.version, ...summarize(manifest) },
		text: toText([
			`${name} is complete and undamaged: made on ${manifest.at} by version ${manifest.version}.`,
			`It has ${describe(manifest)}.`,
			...listMissing(manifest),
		]),
	};
}

export function renderRestored(
	settings: Settings,
	name: string,
	{ folder, manifest, movedTo, missingKey }: Restored,
): Outcome {
	const next = [
		...(missingKey === null ? [] : [`Put the master key back to ${missingKey}, readable by this user only.`]),
		...(settings.MCP_OWNER_SECRET === undefined
			? [`Put the owner's secret back to ${ownerSecretPath(folder)}, or a new one is created there.`]
			: []),
		...(manifest.files === null
			? ["Files were left out of this backup: their bytes must be where FILES_DIR or FILES_S3_URL says."]
			: []),
		`Start the service with DATA_DIR=${folder}.`,
	];
	return {
		json: { name, at: manifest.at, to: folder, moved_to: movedTo, ...summarize(manifest), next },
		text: `${toText([
			`${name} of ${manifest.at} was restored to ${folder} and checked: ${describe(manifest)}.`,
			...listMissing(manifest),
			...(movedTo === null ? [] : [`What was there is in ${movedTo}.`]),
		])}\nNext:\n${toText(next.map((line, nth) => `${nth + 1}. ${line}`))}`,
	};
}

const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const countAll = ({ databases }: Manifest): number =>
	Object.values(databases)
		.flatMap(({ tables }) => Object.values(tables))
		.reduce((sum, rows) => sum + rows, 0);

function describe(manifest: Manifest): string {
	const { databases, files } = manifest;
	const data = `${formatCount(countAll(manifest))} rows in ${Object.keys(databases).length} databases`;
	return files === null
		? `${data}, and no files`
		: `${data} and ${formatCount(files.count)} file${files.count === 1 ? "" : "s"} of ${formatCount(files.bytes)} bytes`;
}

const listMissing = ({ files }: Manifest): string[] =>
	files === null || files.missing.length === 0
		? []
		: [`The bytes of ${formatCount(files.missing.length)} files were missing in the service already.`];

const summarize = (manifest: Manifest) => ({
	rows: countAll(manifest),
	databases: manifest.databases,
	files: manifest.files,
});
