import type { FileValue } from "@tripline/contract/files";
import { FILE_ID_BYTES } from "@tripline/contract/files";
import { randomToken } from "@tripline/contract/ids";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { FileCall, Files } from "../src/effects.ts";

interface MemoryFiles {
	readonly files: Files;
	/** Adds a file that nodes may open. */
	add(name: string, type: string, bytes: Uint8Array | string, id?: string): FileValue;
	/** The bytes of a file that a node made. */
	bytes(file: FileValue): Uint8Array;
}

/** For calls of `Files` that no node makes. */
export const FAKE_CALL: FileCall = { meter: new Meter(MAX_NODE_UNITS), signal: new AbortController().signal };

/** How many bytes `read` yields at a time: few, so that readers meet every place where a piece can end. */
const PIECE_BYTES = 1000;
const KEPT_AT = "2026-11-16T12:00:00.000Z";

/** Files for tests of one node. Whether a run may open a file is tested with the real executor. */
export function memoryFiles(pieceBytes = PIECE_BYTES): MemoryFiles {
	const contents = new Map<string, { value: FileValue; bytes: Uint8Array }>();
	const kept = new Map<string, string>();
	return {
		add,
		bytes: ({ $file }) => contents.get($file)?.bytes ?? assertNever($file),
		files: {
			async open({ $file }) {
				const found = contents.get($file);
				if (found === undefined) throw new TerminalError("file not found");
				const { value, bytes } = found;
				return {
					value,
					async *read({ start = 0, end = bytes.length } = {}) {
						for (let at = start; at < end; at += pieceBytes)
							yield bytes.slice(at, Math.min(at + pieceBytes, end));
					},
				};
			},
			async create({ name, type }, content) {
				const pieces: Uint8Array[] = [];
				for await (const piece of content) pieces.push(new Uint8Array(piece));
				return add(name, type, Buffer.concat(pieces));
			},
			async keep({ $file }, name) {
				const found = contents.get($file);
				if (found === undefined) throw new TerminalError("file not found");
				kept.set(name, $file);
				return found.value;
			},
			async listKept({ name, prefix = "", limit }) {
				const names = [...kept.keys()].filter((each) => each === (name ?? each) && each.startsWith(prefix));
				const files = names.sort().slice(0, limit);
				return {
					files: files.map((kept_as) => ({ kept_as, kept_at: KEPT_AT, file: get(kept.get(kept_as) ?? "") })),
					next_cursor: null,
				};
			},
			deleteKept: async (name) => kept.delete(name),
			async link({ $file }) {
				if (!contents.has($file)) throw new TerminalError("file not found");
				return { url: `https://files.example/${$file}`, expires_at: KEPT_AT };
			},
			async findUnkept(value) {
				const text = JSON.stringify(value);
				const isUnkept = (id: string) => text.includes(`"$file":"${id}"`) && ![...kept.values()].includes(id);
				const id = [...contents.keys()].find(isUnkept);
				return id === undefined ? null : get(id);
			},
		},
	};

	function get(id: string): FileValue {
		return contents.get(id)?.value ?? assertNever(id);
	}

	function add(
		name: string,
		type: string,
		content: Uint8Array | string,
		$file = randomToken(FILE_ID_BYTES),
	): FileValue {
		const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
		const value = { $file, name, type, size: bytes.length };
		contents.set(value.$file, { value, bytes });
		return value;
	}
}

function assertNever(id: string): never {
	throw new Error(`no file ${id}`);
}
