import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { WORKFLOW } from "./texts.ts";

interface Props {
	readonly isNew: boolean;
	readonly isUnsaved: boolean;
	readonly isSaving: boolean;
	onSave(): void;
	onDiscard(): void;
	onDelete(): void;
}

export function HeadActions({ isNew, isUnsaved, isSaving, onSave, onDiscard, onDelete }: Props) {
	const text = useTexts(WORKFLOW);
	return (
		<>
			<span role="status">{isUnsaved && <Badge tone="warn">{text.unsaved}</Badge>}</span>
			{!isNew && (
				<>
					{isUnsaved && (
						<Button kind="quiet" onClick={onDiscard}>
							{text.discard}
						</Button>
					)}
					<Button kind="quiet" icon="trash" aria-label={text.delete} title={text.delete} onClick={onDelete} />
				</>
			)}
			<Button
				kind={isUnsaved ? "primary" : "plain"}
				icon="check"
				isBusy={isSaving}
				// Not `disabled`, so that the button keeps the focus after it was pressed.
				aria-disabled={!isUnsaved}
				aria-keyshortcuts="Control+S Meta+S"
				onClick={onSave}
			>
				{text.save}
			</Button>
		</>
	);
}
