import type { WorkflowDetail } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { TIMES } from "../../times.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EnabledSwitch } from "../workflows/enabled-switch.tsx";
import { WORKFLOW } from "./texts.ts";

interface Props {
	/** Null for a new workflow. */
	readonly name: string | null;
	readonly detail: WorkflowDetail | null;
	readonly isUnsaved: boolean;
	readonly isSaving: boolean;
	/** Whether the draft could not be stored. */
	readonly isDraftLost: boolean;
	onSave(): void;
	onDiscard(): void;
	onRename(): void;
	onDelete(): void;
	onSwitched(enabled: boolean): void;
}

export function HeadActions(props: Props) {
	const { name, detail, isUnsaved, isSaving } = props;
	const text = useTexts(WORKFLOW);
	const label = name === null ? text.save : text.publish;
	return (
		<>
			{name !== null && (
				<>
					{detail !== null && (
						<EnabledSwitch name={name} isEnabled={detail.workflow.enabled} onSwitched={props.onSwitched} />
					)}
					<Button
						kind="quiet"
						icon="edit"
						aria-label={text.rename}
						title={text.rename}
						onClick={props.onRename}
					/>
					<Button
						kind="quiet"
						icon="trash"
						aria-label={text.delete}
						title={text.delete}
						onClick={props.onDelete}
					/>
				</>
			)}
			<span role="status">{isUnsaved && <DraftState {...props} />}</span>
			{name !== null && isUnsaved && (
				<Button kind="quiet" onClick={props.onDiscard}>
					{text.discard}
				</Button>
			)}
			<Button
				kind={isUnsaved ? "primary" : "plain"}
				icon="check"
				isBusy={isSaving}
				// Not `disabled`, so that the button keeps the focus after it was pressed.
				aria-disabled={!isUnsaved}
				aria-keyshortcuts="Control+S Meta+S"
				onClick={props.onSave}
			>
				{label}
			</Button>
		</>
	);
}

/** Its text changes once a minute at most while the user types, so that it is not announced all the time. */
function DraftState({ name, detail, isDraftLost }: Props) {
	const text = useTexts(WORKFLOW);
	const { formatClockTime } = useTexts(TIMES);
	if (name === null) return <Badge tone="warn">{text.unsaved}</Badge>;
	if (isDraftLost) return <Badge tone="bad">{text.draftNotSaved}</Badge>;
	const savedAt = detail?.draft?.saved_at;
	return (
		<span className="soft draft-state numbers">
			{savedAt === undefined ? text.savingDraft : text.draftSaved(formatClockTime(savedAt))}
		</span>
	);
}
