import { readReply } from "@tripline/contract/chat-reply";
import { useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { ChatTurns } from "../../../api/types.ts";
import { useQuery } from "../../../api/use-query.ts";
import type { Run } from "../run/use-run.ts";
import type { Running } from "../use-running.ts";
import { forgetTalk, loadTalk, saveTalk, type Turn } from "./stored-talk.ts";

export interface Talk {
	/** Those that have ended, or whose runs go on by themselves. */
	readonly turns: readonly Turn[];
	/** The message that is being answered. */
	readonly asked: string | null;
	send(message: string): void;
	/** Begins a new conversation. */
	clear(): void;
}

/** While a run waits. */
const POLL_MS = 5_000;
/** As many as the service keeps. */
const MAX_READ = 200;

/** A conversation with the workflow, of this tab only. Each message is a run. */
export function useTalk(name: string | null, { run, runWith }: Pick<Running, "run" | "runWith">): Talk {
	const [{ conversation, turns }, setTalk] = useState(() => loadTalk(name));
	/** With the run before its own, which begins later. */
	const [asked, setAsked] = useState<{ readonly message: string; readonly before: Run } | null>(null);
	useEffect(() => saveTalk(name, { conversation, turns }), [name, conversation, turns]);
	useEffect(() => {
		if (asked === null || run === asked.before) return;
		if (run.phase !== "ended" && run.phase !== "continuing") return;
		const reply = run.result?.success === true ? readReply(run.result.data) : null;
		const waitsIn = run.phase === "continuing" ? run.executionId : null;
		setTalk((before) => addTurn(before, { message: asked.message, reply, waitsIn }));
		setAsked(null);
	}, [asked, run]);
	const isWaiting = turns.some(({ waitsIn }) => waitsIn !== null);
	const { data } = useQuery(
		name === null || !isWaiting ? null : `talk ${conversation}`,
		(signal) => api.workflows.readChat(name ?? "", conversation, MAX_READ, signal),
		{ everyMs: POLL_MS },
	);
	useEffect(() => {
		if (data?.id === conversation)
			setTalk((before) => ({ ...before, turns: completeTurns(before.turns, data.turns) }));
	}, [data, conversation]);
	return {
		turns,
		asked: asked?.message ?? null,
		send(message) {
			// A run whose connection was lost has no reply here.
			const now = { conversation, turns };
			const ended =
				asked === null ? now : addTurn(now, { message: asked.message, reply: null, waitsIn: null });
			setTalk(ended);
			setAsked({ message, before: run });
			runWith({ conversation, message, messages: buildMessages(ended.turns, message), files: [] });
		},
		clear() {
			forgetTalk(name);
			setTalk(loadTalk(null));
			setAsked(null);
		},
	};
}

const addTurn = <T extends { readonly turns: readonly Turn[] }>(talk: T, turn: Omit<Turn, "number">): T => ({
	...talk,
	turns: [...talk.turns, { ...turn, number: talk.turns.length }],
});

/** Adds the replies of runs that have gone on. What is not known is left as it is. */
const completeTurns = (turns: readonly Turn[], known: ChatTurns["turns"]): readonly Turn[] =>
	turns.map((turn) => {
		const found = known.find(({ execution_id }) => turn.waitsIn !== null && execution_id === turn.waitsIn);
		if (found === undefined) return turn;
		if (found.status === "waiting") return { ...turn, waitsFor: found.waits_for };
		return { ...turn, reply: found.reply, waitsIn: null };
	});

/** As the service builds them. */
const buildMessages = (turns: readonly Turn[], message: string) => [
	...turns.flatMap(({ message: content, reply }) => [
		{ role: "user", content },
		// A model expects an answer after every question.
		{ role: "assistant", content: reply === null || reply === "" ? "(no answer)" : reply },
	]),
	{ role: "user", content: message },
];
