import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { TenantExecutor } from "@tripline/executor/client";
import { toLocalName } from "../files/local-name.ts";
import type { Io } from "../io.ts";
import { readTextFile } from "../text-file.ts";
import { compareTexts } from "../versions/compare.ts";
import type { Described } from "../versions/find.ts";
import { findWorkflowFiles } from "../workflow-files.ts";
import { buildPortableDocument } from "../workflows/document.ts";
import { type Base, type Bases, hashText } from "./bases.ts";
import { isJson, readDeployed } from "./deployed.ts";

export interface PlannedPull {
	readonly name: string;
	/** Null in the legacy store. */
	readonly version: number | null;
	/** What the file has afterwards. */
	readonly text: string;
	readonly absolute: string;
	/** Relative to the working folder. */
	readonly file: string;
	readonly change: "create" | "update" | "unchanged" | "keep" | "conflict";
	/** From the file to the deployed text. */
	readonly hunks: WorkflowDiff["hunks"];
	/** Why it is a conflict. */
	readonly reason?: string;
}

interface Place {
	/** For workflows that have no file yet. */
	readonly folder: string;
	/** Whether the caller chose the folder, so that files elsewhere do not count. */
	readonly isGiven: boolean;
}

/** What pulling these workflows would do to the files. */
export async function planPull(
	io: Io,
	executor: TenantExecutor,
	workflows: readonly Described[],
	{ place, bases, isForced }: { readonly place: Place; readonly bases: Bases; readonly isForced: boolean },
): Promise<PlannedPull[]> {
	const findFile = createFinder(io, place, bases);
	const planned: PlannedPull[] = [];
	for (const { name, version_number } of workflows) {
		// A service of an older version has no versions.
		const version = version_number ?? null;
		const text = await readDeployed(executor, name, version);
		if (text === null) continue;
		const absolute = findFile(name, text);
		const file = relative(io.cwd, absolute);
		const about = { name, version, text, absolute, file };
		planned.push({ ...about, ...compareWithFile(about, bases.find(name), isForced) });
	}
	return planned;
}

function compareWithFile(
	{ absolute, file, text, version }: Pick<PlannedPull, "absolute" | "file" | "text" | "version">,
	base: Base | undefined,
	isForced: boolean,
): Pick<PlannedPull, "change" | "hunks" | "reason"> & Partial<Pick<PlannedPull, "text">> {
	if (!existsSync(absolute)) return { change: "create", hunks: [] };
	const local = readTextFile(absolute, file);
	const isBase = base !== undefined && base.version === version && base.sha256 === hashText(local);
	// The service keeps no original text of large documents, so the pushed file may differ from what it answers.
	if (local === text || (isBase && !isForced)) return { change: "unchanged", hunks: [], text: local };
	const { hunks } = compareTexts(local, text);
	if (/\.json$/i.test(absolute) && !isJson(text))
		return { change: "conflict", hunks, reason: "the deployed text is not JSON: delete or rename the file" };
	if (isForced || base?.sha256 === hashText(local)) return { change: "update", hunks };
	if (base !== undefined && base.version === version) return { change: "keep", hunks: [] };
	return { change: "conflict", hunks, reason: "it has local changes" };
}

/** Finds the file of a workflow: the one with its document, or a new one with its name. */
function createFinder(io: Io, { folder, isGiven }: Place, bases: Bases) {
	const files = existsSync(folder) ? findWorkflowFiles(io, [folder], () => {}) : [];
	const nameByPath = new Map(
		files.map(({ absolute, source }) => [absolute, buildPortableDocument(source, { named: true })?.name]),
	);
	const pathByName = new Map([...nameByPath].map(([path, name]) => [name, path]));
	const taken = new Set<string>();

	return (name: string, text: string): string => {
		const known = (isGiven ? null : bases.findFile(name)) ?? pathByName.get(name);
		const path = known ?? findFree(name, isJson(text) ? ".json" : ".yaml");
		taken.add(path.toLowerCase());
		return path;
	};

	/** Some file systems do not distinguish upper and lower case. */
	function findFree(name: string, extension: string): string {
		const stem = toLocalName(`${name}${extension}`).slice(0, -extension.length);
		for (let count = 1; ; count++) {
			const path = join(folder, `${stem}${count === 1 ? "" : `-${count}`}${extension}`);
			// A file without a readable name may be a broken document of this workflow, which is not overwritten either.
			const isOther = existsSync(path) && typeof nameByPath.get(path) === "string";
			if (!isOther && !taken.has(path.toLowerCase())) return path;
		}
	}
}
