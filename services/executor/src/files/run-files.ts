import type { FileCall, Files, OpenFile } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import type { FileValue, StoredFile } from "@tripline/contract/files";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Turns } from "@tripline/platform/turns";
import { StoreRefused } from "@tripline/store/client";
import { collectFileIds } from "./collect.ts";
import type { FileLinks } from "./links.ts";
import type { FileRights } from "./rights.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface RunFilesDeps {
	readonly stored: StoredFiles;
	readonly links: FileLinks;
	readonly turns: Turns;
	/** Of one file. */
	readonly maxFileBytes: number;
}

interface FilesRun {
	/** The namespace, or the owner of everything that has none. */
	readonly owner: string;
	/** Throws if the run has no namespace. */
	requireNamespace(): string;
	readonly executionId: string;
	readonly rights: FileRights;
	/** Throws if it is unknown. */
	getBaseUrl(): string;
}

/** The files of one run. */
export function createRunFiles(deps: RunFilesDeps, run: FilesRun): Files {
	const { stored, links, turns } = deps;
	const { owner, rights } = run;
	/** Calls of the store take turns with those of other namespaces. */
	const ask = <T>({ signal }: FileCall, work: () => Promise<T>): Promise<T> =>
		turns.call(owner, signal, () => toTerminal(work()));

	return {
		async open(file, call) {
			assertMayOpen(file.$file, call);
			const open = await ask(call, () => stored.open(owner, file.$file));
			if (open === null) throw notFound();
			return { ...open, read: (range) => readTerminal(open, range) };
		},

		async create({ name, type }, content, call) {
			call.signal.throwIfAborted();
			const { executionId } = run;
			const value = await toTerminal(
				stored.write(owner, { name, type, executionId }, untilAborted(content, call.signal), {
					maxBytes: deps.maxFileBytes,
				}),
			);
			rights.gain(value.$file);
			return value;
		},

		async keep({ $file }, name, call) {
			const namespace = run.requireNamespace();
			assertMayOpen($file, call);
			const file = await ask(call, () => stored.keep(namespace, $file, name));
			if (file === null) throw notFound();
			return toValue(file);
		},

		async listKept({ cursor, ...query }, call) {
			const namespace = run.requireNamespace();
			const page = await ask(call, () =>
				stored.listKept(namespace, { ...query, ...(cursor != null && { cursor }) }),
			);
			const files = page.files.map((file) => {
				rights.gain(file.id);
				return { kept_as: file.kept_as, kept_at: file.kept_at, file: toValue(file) };
			});
			return { files, next_cursor: page.next_cursor };
		},

		deleteKept: (name, call) => {
			const namespace = run.requireNamespace();
			return ask(call, () => stored.deleteKept(namespace, name));
		},

		async link({ $file }, minutes, call) {
			assertMayOpen($file, call);
			if ((await ask(call, () => stored.find(owner, $file))) === null) throw notFound();
			return links.create(run.getBaseUrl(), $file, minutes);
		},

		async findUnkept(value, call) {
			if (!rights.mayHaveFiles) return null;
			const ids = [...collectFileIds(value, call.meter)].filter((id) => rights.mayOpen(id, call.meter));
			const file = ids.length === 0 ? null : await ask(call, () => stored.findUnkept(owner, ids));
			return file === null ? null : toValue(file);
		},
	};

	function assertMayOpen(id: string, { meter }: FileCall): void {
		if (!rights.mayOpen(id, meter)) throw notFound();
	}
}

/** The same for a file that does not exist and one that the run may not open. */
const notFound = (): TerminalError => new TerminalError("file not found");

const toValue = ({ id, name, type, size }: StoredFile): FileValue => ({ $file: id, name, type, size });

async function* untilAborted(
	content: AsyncIterable<Uint8Array>,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	for await (const piece of content) {
		signal.throwIfAborted();
		yield piece;
	}
	signal.throwIfAborted();
}

async function* readTerminal(
	file: OpenFile,
	range: Parameters<OpenFile["read"]>[0],
): AsyncGenerator<Uint8Array> {
	try {
		yield* file.read(range);
	} catch (error) {
		throw error instanceof Failed && error.failure.kind === "not_found" ? notFound() : error;
	}
}

/** What would fail in the same way again must not be retried. */
async function toTerminal<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		const mayWorkLater = error instanceof Failed && error.failure.kind === "unavailable";
		if (!mayWorkLater && (error instanceof Failed || error instanceof StoreRefused))
			throw new TerminalError(error.message);
		throw error;
	}
}
