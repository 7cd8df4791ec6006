import { readReply } from "@tripline/contract/chat-reply";
import { useEffect, useState } from "react";
import type { Run } from "../run/use-run.ts";
import type { Running } from "../use-running.ts";

interface Turn {
	readonly number: number;
	readonly message: string;
	/** Null if there is none. */
	readonly reply: string | null;
}

export interface Talk {
	/** Those that have ended. */
	readonly turns: readonly Turn[];
	/** The message that is being answered. */
	readonly asked: string | null;
	send(message: string): void;
	/** Begins a new conversation. */
	clear(): void;
}

/** A conversation with the workflow, of this page only. Each message is a run. */
export function useTalk({ run, runWith }: Pick<Running, "run" | "runWith">): Talk {
	const [conversation, setConversation] = useState(createId);
	const [turns, setTurns] = useState<readonly Turn[]>([]);
	/** With the run before its own, which begins later. */
	const [asked, setAsked] = useState<{ readonly message: string; readonly before: Run } | null>(null);
	useEffect(() => {
		if (asked === null || run === asked.before || run.phase !== "ended") return;
		const reply = run.result?.success === true ? readReply(run.result.data) : null;
		setTurns((before) => addTurn(before, asked.message, reply));
		setAsked(null);
	}, [asked, run]);
	return {
		turns,
		asked: asked?.message ?? null,
		send(message) {
			// A run that went on by itself, or was left, has no reply here.
			const ended = asked === null ? turns : addTurn(turns, asked.message, null);
			setTurns(ended);
			setAsked({ message, before: run });
			runWith({ conversation, message, messages: buildMessages(ended, message), files: [] });
		},
		clear() {
			setConversation(createId());
			setTurns([]);
			setAsked(null);
		},
	};
}

const addTurn = (turns: readonly Turn[], message: string, reply: string | null): readonly Turn[] => [
	...turns,
	{ number: turns.length, message, reply },
];

const createId = (): string => `console-${crypto.randomUUID()}`;

/** As the service builds them. */
const buildMessages = (turns: readonly Turn[], message: string) => [
	...turns.flatMap(({ message: content, reply }) => [
		{ role: "user", content },
		// A model expects an answer after every question.
		{ role: "assistant", content: reply === null || reply === "" ? "(no answer)" : reply },
	]),
	{ role: "user", content: message },
];
