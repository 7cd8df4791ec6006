import type { TokenUse } from "@tripline/components/effects";
import { estimateTokens } from "@tripline/components/llm/estimate-tokens";
import type { ChatTurn } from "@tripline/contract/chat";
import type { FileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { Graph, JsonObject } from "@tripline/contract/workflows";

/** What is stored of a turn; times are milliseconds. */
export interface StoredTurn {
	/** From 1. */
	readonly number: number;
	readonly at: number;
	readonly message: string;
	readonly files: readonly FileValue[];
	readonly reply: string | null;
	/** That of a run that goes on by itself is `unfinished` here too. */
	readonly status: Exclude<ChatTurn["status"], "waiting">;
	/** Absent in turns of earlier versions. */
	readonly execution_id?: string;
}

/** Of the turns before a message, in characters. */
const MAX_RECENT_LENGTH = 200_000;

/** The turns before a message that a workflow gets, oldest first. */
export function chooseRecent(turns: readonly StoredTurn[]): readonly StoredTurn[] {
	let left = MAX_RECENT_LENGTH;
	const first = turns.findLastIndex(({ message, reply }) => {
		left -= message.length + (reply ?? "").length;
		return left < 0;
	});
	return turns.slice(first + 1);
}

/** As `llm_chat` and `agent` take them. `isOpen` says whether a file is still there. */
export function buildMessages(
	turns: readonly Pick<StoredTurn, "message" | "files" | "reply">[],
	isOpen: (file: FileValue) => boolean,
): JsonObject[] {
	return turns.flatMap(({ message, files, reply }) => [
		{ role: "user", content: buildContent(message, files, isOpen) },
		// A model expects an answer after every question.
		{ role: "assistant", content: reply === null || reply === "" ? "(no answer)" : reply },
	]);
}

export function buildContent(
	message: string,
	files: readonly FileValue[],
	isOpen: (file: FileValue) => boolean = () => true,
): Json {
	if (files.length === 0) return message;
	const parts = files.map((file) =>
		isOpen(file)
			? { type: "file", file: { ...file } }
			: { type: "text", text: `(file ${file.name}, deleted)` },
	);
	return message === "" ? parts : [{ type: "text", text: message }, ...parts];
}

/** The nodes whose text, while they write it, is the reply: those that give the run's data. */
export function listWriters({ nodes, edges, result }: Graph): ReadonlySet<string> {
	const going = new Set(edges.map(({ from }) => from));
	const named =
		result === undefined
			? null
			: new Set([...JSON.stringify(result).matchAll(/\{\{\s*([\p{L}\p{N}_-]+)/gu)].map(([, id]) => id));
	const ids = nodes.map(({ id }) => id).filter((id) => (named === null ? !going.has(id) : named.has(id)));
	return new Set(ids.flatMap((id) => [id, `${id}/model`]));
}

/** What has to follow a text that was streamed, so that the reply is complete. */
export function completeText(streamed: string, reply: string): string {
	if (reply.startsWith(streamed)) return reply.slice(streamed.length);
	// Before its answer an agent may have said what it is going to do.
	return streamed.endsWith(reply) ? "" : `\n\n${reply}`;
}

/** Adds up what models use in a run. */
export class TokenCount {
	input = 0;
	output = 0;
	isEstimate = false;
	#calls = 0;

	add({ input, output, isEstimate }: TokenUse): void {
		this.input += input;
		this.output += output;
		this.isEstimate ||= isEstimate;
		this.#calls++;
	}

	/** A workflow may ask a model in ways that nobody counts. */
	total(read: number, written: number): number {
		return this.#calls > 0 ? this.input + this.output : estimateTokens(read + written);
	}

	get isKnown(): boolean {
		return this.#calls > 0 && !this.isEstimate;
	}
}
