import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { CliProblem } from "../command.ts";
import { requireSetting } from "../config.ts";
import type { Io } from "../io.ts";
import { findProjectFolder } from "../project.ts";
import { replaceFile } from "../replace-file.ts";
import { isSecret } from "../settings.ts";
import { WORKFLOW_EXTENSION } from "../workflow-files.ts";

/** What was last pulled or pushed of a workflow. */
export interface Base {
	readonly version: number;
	/** Of the text of its file. */
	readonly sha256: string;
	/** Relative to the project's folder, with slashes; null if the file is elsewhere. */
	readonly file: string | null;
}

type Stored = Record<string, Record<string, Base>>;

const STATE_FOLDER = ".tripline";
const STATE_FILE = "versions.json";

export type Bases = ReturnType<typeof readBases>;

/**
 * The bases of the workflows of the configured service. Like git's remote-tracking branches they belong to one working
 * copy, so the folder has a `.gitignore` that excludes itself.
 */
export function readBases(io: Io) {
	const project = findProjectFolder(io);
	const path = join(project, STATE_FOLDER, STATE_FILE);
	const service = identifyService(io);
	let isReported = false;
	const bases = new Map(Object.entries(readStored(path)[service] ?? {}));

	return {
		find: (name: string): Base | undefined => bases.get(name),

		/** The file that was pulled or pushed last, if it is still there and in the project. */
		findFile(name: string): string | null {
			const file = bases.get(name)?.file;
			if (typeof file !== "string" || !WORKFLOW_EXTENSION.test(file)) return null;
			const absolute = resolve(project, file);
			return toProjectPath(absolute) !== null && existsSync(absolute) ? absolute : null;
		},

		names: (): string[] => [...bases.keys()],

		/** A service of an older version answers without one. */
		keep(
			name: string,
			{ version, path: file, text }: { version: number | undefined; path: string; text: string },
		): void {
			if (version === undefined) return;
			write(() => bases.set(name, { version, sha256: hashText(text), file: toProjectPath(file) }));
		},

		forget(name: string): void {
			if (bases.has(name)) write(() => bases.delete(name));
		},

		/** After a rename the file still has the old text, so its base stays the old version. */
		move(from: string, to: string): boolean {
			const base = bases.get(from);
			if (base === undefined) return false;
			write(() => {
				bases.delete(from);
				bases.set(to, base);
			});
			return true;
		},
	};

	/** What was done at the service is done, so a failure to record it is only reported. */
	function write(change: () => unknown): void {
		change();
		const sorted = Object.fromEntries([...bases].sort(([one], [other]) => (one < other ? -1 : 1)));
		try {
			const ignored = join(project, STATE_FOLDER, ".gitignore");
			if (!existsSync(ignored)) replaceFile(ignored, "*\n");
			// Read again, because other services in the file may have changed meanwhile.
			replaceFile(path, `${JSON.stringify({ ...readStored(path), [service]: sorted }, null, "\t")}\n`);
		} catch (error) {
			if (!(error instanceof CliProblem)) throw error;
			if (!isReported) io.err(`${error.message}: versions are not recorded\n`);
			isReported = true;
		}
	}

	/** Null outside the project: a file that came with a repository must not name a path elsewhere. */
	function toProjectPath(absolute: string): string | null {
		const inside = relative(project, absolute);
		if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return null;
		return inside.split(sep).join("/");
	}
}

export const hashText = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A partner key is a secret, so its hash stands for it. */
function identifyService(io: Io): string {
	const namespace = requireSetting(io, "namespace");
	const tenant = isSecret(namespace) ? `key:${hashText(namespace).slice(0, 16)}` : namespace;
	return `${requireSetting(io, "base_url")} ${tenant}`;
}

function readStored(path: string): Stored {
	if (!existsSync(path)) return {};
	try {
		const value: unknown = JSON.parse(readFileSync(path, "utf8"));
		if (isObject(value) && Object.values(value).every(isBases)) return value as Stored;
	} catch {
		// Reported below.
	}
	throw new CliProblem(`${path} cannot be read`, {
		hint: "delete it; tripline pull then records the versions anew",
	});
}

const isBases = (value: unknown): boolean =>
	isObject(value) &&
	Object.values(value).every(
		(base) => isObject(base) && typeof base.version === "number" && typeof base.sha256 === "string",
	);

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
