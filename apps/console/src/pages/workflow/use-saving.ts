import { useState } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { Diagnostic, SavedWorkflow } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { toast } from "../../ui/toasts.tsx";
import { findName } from "./text/places.ts";
import type { Autosave } from "./text/use-autosave.ts";
import type { Draft } from "./text/use-draft.ts";
import { WORKFLOW } from "./texts.ts";

/** A save under another name, which needs confirmation. */
interface Asked {
	readonly to: string;
	/** A workflow with that name exists and would be replaced. */
	readonly isTaken: boolean;
	readonly then: Then | undefined;
}
type Then = (name: string) => void;

export interface Saving {
	readonly isBusy: boolean;
	readonly problem: Error | null;
	/** Diagnostics of a rejected save. */
	readonly diagnostics: readonly Diagnostic[];
	readonly asked: Asked | null;
	/** Counts the comparisons with a version that someone else published; null while none is shown. */
	readonly comparison: number | null;
	/** Creates a new workflow, or publishes the draft. `then` is called with the name afterwards. */
	save(then?: Then): void;
	confirm(): void;
	compare(): void;
	/** Publishes the text on top of their version. */
	keepMine(theirs: number): void;
	/** Closes what is asked or compared. */
	cancel(): void;
	/** Clears the error, because the text has changed. */
	clear(): void;
}

interface Given {
	/** The workflow of the page; null for a new one. */
	readonly name: string | null;
	readonly draft: Draft;
	readonly autosave: Autosave;
	onSaved(name: string): void;
}

export function useSaving({ name, draft, autosave, onSaved }: Given): Saving {
	const text = useTexts(WORKFLOW);
	const [asked, setAsked] = useState<Asked | null>(null);
	const [shown, setShown] = useState({ count: 0, isOpen: false });
	const compare = () => setShown(({ count }) => ({ count: count + 1, isOpen: true }));

	const create = useAction(async ({ to, isTaken, then }: Asked) => {
		const written = draft.text;
		try {
			const saved = await api.workflows.save(to, written, isTaken ? undefined : "none");
			// The draft has become the new workflow, whether or not it can be discarded now.
			if (name !== null) await autosave.inTurn(() => api.drafts.discard(name)).catch(() => {});
			finish(written, saved, text.saved(saved.name), then);
		} catch (error) {
			if (isTaken || !isStatus(error, 412)) throw error;
			setAsked({ to, isTaken: true, then });
		}
	});
	const keep = useAction(async (of: string, base: number) => {
		try {
			await autosave.inTurn(async () => {
				const mine = draft.getState().text;
				draft.markStored(mine, await api.drafts.save(of, mine, base));
				await publishStored(of, undefined);
			});
			setShown((now) => ({ ...now, isOpen: false }));
		} catch (error) {
			if (!isStatus(error, 412)) throw error;
			compare();
		}
	});
	const publish = useAction(async (of: string, then: Then | undefined) => {
		try {
			await autosave.withStored(() => publishStored(of, then));
		} catch (error) {
			if (isStatus(error, 412)) compare();
			else if (!isStatus(error, 404)) throw error;
			// Its draft was discarded elsewhere, or it was deleted itself: then saving creates it again.
			else if (await isNameTaken(of)) await keep.run(of, draft.getState().base ?? 1);
			else await create.run({ to: of, isTaken: false, then });
		}
	});
	const begin = useAction(async (then: Then | undefined) => {
		const to = findName(draft.text) ?? name;
		if (to === null) throw new Error(text.noName);
		if (to === name) return void (await publish.run(to, then));
		const isTaken = await isNameTaken(to);
		if (name !== null || isTaken) setAsked({ to, isTaken, then });
		else await create.run({ to, isTaken, then });
	});
	const actions = [create, publish, begin, keep];
	const problem = actions.find((each) => each.problem !== null)?.problem ?? null;
	const isBusy = actions.some((each) => each.isBusy);
	return {
		isBusy,
		problem,
		diagnostics: readDiagnostics(problem),
		asked,
		comparison: shown.isOpen ? shown.count : null,
		save(then) {
			if (isBusy || (!draft.isUnsaved && then === undefined)) return;
			clear();
			void begin.run(then);
		},
		confirm() {
			if (asked === null) return;
			setAsked(null);
			void create.run(asked);
		},
		compare,
		keepMine(theirs) {
			if (name !== null) void keep.run(name, theirs);
		},
		cancel() {
			setAsked(null);
			setShown((now) => ({ ...now, isOpen: false }));
		},
		clear,
	};

	function clear(): void {
		for (const each of actions) each.clear();
	}

	async function publishStored(of: string, then: Then | undefined): Promise<void> {
		const { stored } = draft.getState();
		const saved = await api.drafts.publish(of);
		finish(stored, saved, text.published(saved.version_number), then);
	}

	function finish(written: string, saved: SavedWorkflow, told: string, then: Then | undefined): void {
		draft.markPublished({ text: written, version: saved.version_number });
		toast(told);
		onSaved(saved.name);
		then?.(saved.name);
	}
}

const isStatus = (error: unknown, status: number): boolean =>
	error instanceof ApiProblem && error.status === status;

function readDiagnostics(problem: Error | null): readonly Diagnostic[] {
	const found = problem instanceof ApiProblem ? problem.answer.diagnostics : undefined;
	return Array.isArray(found) ? (found as Diagnostic[]) : [];
}

async function isNameTaken(name: string): Promise<boolean> {
	return (await api.workflows.list()).some((each) => each.name === name);
}
