import { readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { DocumentSource } from "@tripline/executor/client";
import { CliProblem } from "./command.ts";
import type { Io } from "./io.ts";
import { readTextFile } from "./text-file.ts";

export interface WorkflowFile {
	/** Relative to the working folder. */
	readonly path: string;
	readonly absolute: string;
	readonly text: string;
	readonly source: DocumentSource;
	/** Why the file cannot be read; it is then not compiled. */
	readonly problem?: string;
}

export type Skipped = "unreadable" | "not a workflow document";

export const WORKFLOW_EXTENSION = /\.(?:ya?ml|json)$/i;
const WORKFLOW_FIELDS = ["triplets", "flow", "graph", "nodes"];
const WORKFLOW_FIELD_LINE = new RegExp(`^["']?(?:${WORKFLOW_FIELDS.join("|")})["']?[ \\t]*:`, "m");
/** The limit for YAML. JSON up to this length is read as YAML too, because that gives line numbers. */
export const MAX_YAML_LENGTH = 256 * 1024;

/** Reads the given files, and the workflow documents in the given folders. */
export function readWorkflowFiles(
	io: Io,
	paths: readonly string[],
	skipped: (path: string, why: Skipped) => void,
): WorkflowFile[] {
	const found = findWorkflowFiles(io, paths, skipped);
	if (found.length > 0) return found;
	throw new CliProblem(`no workflow document in ${paths.join(", ")}`, {
		hint: "a workflow document is YAML or JSON with name, description, version and triplets",
	});
}

/** Like `readWorkflowFiles`, but there may be none. */
export function findWorkflowFiles(
	io: Io,
	paths: readonly string[],
	skipped: (path: string, why: Skipped) => void,
): WorkflowFile[] {
	const found = new Map<string, WorkflowFile>();
	for (const path of paths) {
		const absolute = resolve(io.cwd, path);
		const files = isFolder(absolute, path) ? listFiles(absolute) : null;
		for (const file of files ?? [absolute]) {
			if (found.has(file)) continue;
			const shown = relative(io.cwd, file) || file;
			const text = files === null ? readTextFile(file, shown) : tryReadText(file, shown);
			if (text === null) skipped(shown, "unreadable");
			else if (files !== null && !looksLikeWorkflow(file, text)) skipped(shown, "not a workflow document");
			else found.set(file, { path: shown, absolute: file, text, ...toSource(file, text) });
		}
	}
	return [...found.values()];
}

/** Reads a single file. */
export function readWorkflowFile(io: Io, path: string): WorkflowFile {
	if (isFolder(resolve(io.cwd, path), path))
		throw new CliProblem(`${path} is a folder`, { code: 2, hint: "name one file" });
	return readWorkflowFiles(io, [path], () => {})[0] as WorkflowFile;
}

function isFolder(absolute: string, path: string): boolean {
	const found = statSync(absolute, { throwIfNoEntry: false });
	if (found === undefined) throw new CliProblem(`${path} does not exist`, { code: 2 });
	return found.isDirectory();
}

function listFiles(folder: string): string[] {
	const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
		one.name < other.name ? -1 : 1,
	);
	return entries.flatMap((entry) => {
		if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return listFiles(path);
		return entry.isFile() && WORKFLOW_EXTENSION.test(entry.name) ? [path] : [];
	});
}

/** Null if the file cannot be read, because a folder may hold any kind of file. */
function tryReadText(file: string, shown: string): string | null {
	try {
		return readTextFile(file, shown);
	} catch {
		return null;
	}
}

/** A folder has other files too. A malformed file with workflow fields still counts, so that its error is shown. */
function looksLikeWorkflow(file: string, text: string): boolean {
	if (!isJson(file)) return WORKFLOW_FIELD_LINE.test(text) || text.trimStart().startsWith("{");
	try {
		const value: unknown = JSON.parse(text);
		return (
			typeof value === "object" && value !== null && WORKFLOW_FIELDS.some((way) => Object.hasOwn(value, way))
		);
	} catch {
		return WORKFLOW_FIELDS.some((way) => text.includes(`"${way}"`));
	}
}

function toSource(file: string, text: string): Pick<WorkflowFile, "source" | "problem"> {
	if (!isJson(file)) return { source: { yaml: text } };
	try {
		const json = JSON.parse(text);
		return { source: text.length > MAX_YAML_LENGTH ? { json } : { yaml: text } };
	} catch (error) {
		return { source: { yaml: text }, problem: `not JSON: ${(error as Error).message}` };
	}
}

const isJson = (file: string): boolean => /\.json$/i.test(file);
