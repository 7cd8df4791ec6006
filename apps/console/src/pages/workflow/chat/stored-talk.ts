import type { ChatTurns } from "../../../api/types.ts";

export interface Turn {
	readonly number: number;
	readonly message: string;
	/** Null if there is none, or not yet. */
	readonly reply: string | null;
	/** The run that goes on by itself, and then gives the reply. */
	readonly waitsIn: string | null;
	/** What it waits for, if that is known. */
	readonly waitsFor?: ChatTurns["turns"][number]["waits_for"];
}

interface StoredTalk {
	readonly conversation: string;
	readonly turns: readonly Turn[];
}

const KEY = "tripline.talk.";
const MAX_TURNS = 50;
const ID_BYTES = 18;

/** What was said in this tab to the workflow, also before a reload; otherwise a new conversation. */
export function loadTalk(workflow: string | null): StoredTalk {
	const fresh = { conversation: createId(), turns: [] };
	if (workflow === null) return fresh;
	try {
		const known = JSON.parse(sessionStorage.getItem(KEY + workflow) ?? "null") as StoredTalk | null;
		return known !== null && Array.isArray(known.turns) ? known : fresh;
	} catch {
		return fresh;
	}
}

export function saveTalk(workflow: string | null, { conversation, turns }: StoredTalk): void {
	if (workflow === null || turns.length === 0) return;
	try {
		const kept = { conversation, turns: turns.slice(-MAX_TURNS) };
		sessionStorage.setItem(KEY + workflow, JSON.stringify(kept));
	} catch {
		// Storage is full or blocked: the conversation lasts until the page is closed.
	}
}

export const forgetTalk = (workflow: string | null): void => sessionStorage.removeItem(KEY + workflow);

export function forgetAllTalks(): void {
	for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEY)) sessionStorage.removeItem(key);
}

/** As the service makes them: 144 random bits. */
const createId = (): string =>
	btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(ID_BYTES))))
		.replaceAll("+", "-")
		.replaceAll("/", "_");
