import type { WorkflowDetail } from "../../../api/types.ts";

/** A published text; its version is null before the first save and in the legacy store. */
export interface Published {
	readonly text: string;
	readonly version: number | null;
}

export interface DraftState {
	/** As it is in the editor. */
	readonly text: string;
	/** The published version as last seen. */
	readonly published: Published;
	/** The version that the text is based on. */
	readonly base: number | null;
	/** The text that the service has for this editor: its draft, else the published text. */
	readonly stored: string;
	/** The version that the service's draft is based on; null if it has no draft. */
	readonly draftBase: number | null;
}

type Seen = Pick<WorkflowDetail, "text" | "draft"> & {
	readonly workflow: Pick<WorkflowDetail["workflow"], "version_number">;
};

export function createDraftState(detail: Seen | null, initial: string): DraftState {
	if (detail !== null) return readDetail(detail);
	return { text: initial, published: { text: "", version: null }, base: null, stored: "", draftBase: null };
}

/** An unchanged text follows the service. A text with changes that are not stored yet stays. */
export function followDetail(now: DraftState, detail: Seen): DraftState {
	const seen = readDetail(detail);
	const { text } = now;
	if (!isToStore(now)) return seen;
	// The user has returned to the published version, and the draft is about to be discarded.
	if (text === now.published.text)
		return { ...seen, text: seen.published.text, base: seen.published.version };
	return { ...seen, text, base: text === seen.published.text ? seen.published.version : now.base };
}

/** Whether the service has another draft than the text, or one that is not needed. */
export function isToStore({ text, stored, base, draftBase, published }: DraftState): boolean {
	if (text !== stored) return true;
	return draftBase !== null && (text === published.text || (base !== null && base !== draftBase));
}

/** Whether someone else published a version that the text does not contain. */
export const isStale = ({ text, base, published }: DraftState): boolean =>
	text !== published.text && base !== null && published.version !== null && base !== published.version;

function readDetail({ text, draft, workflow }: Seen): DraftState {
	const stored = draft?.text ?? text;
	const version = workflow.version_number;
	return {
		text: stored,
		published: { text, version },
		base: draft?.base ?? version,
		stored,
		draftBase: draft?.base ?? null,
	};
}
