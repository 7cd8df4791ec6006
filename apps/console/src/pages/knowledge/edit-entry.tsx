import { type KeyboardEvent, useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { Entry } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useLeaveGuard } from "../../router.tsx";
import { useKeptWork } from "../../session/unsaved-work.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { focusOnMount } from "../../ui/focus.ts";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { EntryFields } from "./entry-fields.tsx";
import { formatMetadata, isSameMetadata, parseMetadata } from "./metadata.ts";
import { KNOWLEDGE } from "./texts.ts";

interface Props {
	readonly entry: Entry;
	/** Called with the current entry, after a save here or elsewhere. */
	onNow(entry: Entry): void;
	onClose(): void;
}

/** Key under which an edit is kept if the session expires. */
export const EDITED = "entry";

export function EditEntry({ entry, onNow, onClose }: Props) {
	const text = useTexts(KNOWLEDGE);
	const common = useTexts(COMMON);
	// The entry when editing started; the entry itself may be reloaded since.
	const [base, setBase] = useState(entry);
	const [content, setContent] = useState(entry.content);
	const [metadata, setMetadata] = useState(() => formatMetadata(entry.metadata_json));
	const [theirs, setTheirs] = useState<Entry | null>(null);
	const [saved, setSaved] = useState<Entry | null>(null);
	const isChanged = content !== base.content || !isSameMetadata(metadata, base.metadata_json);
	const isValid = parseMetadata(metadata).kind === "object";
	useLeaveGuard(isChanged && saved === null, text.leaveQuestion);
	const before = { baseContent: base.content, baseMetadata: base.metadata_json };
	useKeptWork(EDITED, isChanged ? { content, metadata, ...before } : null, (work) => {
		setBase({ ...entry, content: work.baseContent, metadata_json: work.baseMetadata });
		setContent(work.content);
		setMetadata(work.metadata);
	});

	/** The service has no entry versions, so the current entry is read right before it is replaced. */
	const saving = useAction(async (over: Entry) => {
		const now = await api.entries.get(entry.id);
		if (now.content !== over.content || !isSameMetadata(now.metadata_json, over.metadata_json))
			return setTheirs(now);
		const metadataJson = isSameMetadata(metadata, over.metadata_json) ? over.metadata_json : metadata;
		setSaved(await api.entries.replace(entry.id, content, metadataJson));
	});

	// biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the leave guard is removed.
	useEffect(() => {
		if (saved === null) return;
		toast(common.saved);
		onNow(saved);
		onClose();
	}, [saved]);

	const isGone = saving.problem instanceof ApiProblem && saving.problem.status === 404;
	return (
		<form
			ref={focusOnMount}
			className="entry-form"
			onKeyDown={saveByKey}
			onSubmit={(event) => {
				event.preventDefault();
				save();
			}}
		>
			<EntryFields content={content} metadata={metadata} onContent={setContent} onMetadata={setMetadata} />
			{saving.problem !== null && (
				<Problem error={isGone ? new Error(text.deletedMeanwhile) : saving.problem} />
			)}
			<div className="actions">
				<Button kind="primary" type="submit" isBusy={saving.isBusy} disabled={!isChanged || !isValid}>
					{common.save}
				</Button>
				<Button onClick={cancel}>{common.cancel}</Button>
				<span className="soft">{text.saveHint}</span>
			</div>
			{theirs !== null && (
				<Dialog
					title={text.conflictTitle}
					onClose={() => setTheirs(null)}
					actions={
						<>
							<Button onClick={takeTheirs}>{text.discardMine}</Button>
							<Button kind="primary" onClick={() => keepMine(theirs)}>
								{text.overwrite}
							</Button>
						</>
					}
				>
					<p>{text.conflictLead}</p>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
					<section className="entry-theirs" tabIndex={0} aria-label={text.content}>
						{theirs.content}
					</section>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
					<section className="entry-raw" tabIndex={0} aria-label={text.metadata}>
						<pre>{formatMetadata(theirs.metadata_json)}</pre>
					</section>
				</Dialog>
			)}
		</form>
	);

	function save(): void {
		if (isChanged && isValid && !saving.isBusy) saving.run(base);
	}

	function saveByKey(event: KeyboardEvent): void {
		if (event.key.toLowerCase() !== "s" || !(event.metaKey || event.ctrlKey)) return;
		event.preventDefault();
		save();
	}

	function cancel(): void {
		if (!isChanged || confirm(text.leaveQuestion)) onClose();
	}

	function keepMine(over: Entry): void {
		setTheirs(null);
		setBase(over);
		saving.run(over);
	}

	function takeTheirs(): void {
		if (theirs !== null) onNow(theirs);
		onClose();
	}
}
