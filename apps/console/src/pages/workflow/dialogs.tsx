import { api } from "../../api/api.ts";
import type { WorkflowDetail } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { WORKFLOW } from "./texts.ts";
import type { Saving } from "./use-saving.ts";

interface SaveProps {
	readonly name: string | null;
	readonly saving: Saving;
	onTake(theirs: WorkflowDetail): void;
}

/** Asks for confirmation before saving under another name or over someone else's version. */
export function SaveDialog({ name, saving, onTake }: SaveProps) {
	const text = useTexts(WORKFLOW);
	const common = useTexts(COMMON);
	if (saving.asked === null) return null;
	const { to, isTaken, theirs } = saving.asked;
	if (theirs !== null)
		return (
			<Dialog
				title={text.overwriteTitle}
				onClose={saving.cancel}
				actions={
					<>
						<Button onClick={saving.cancel}>{common.cancel}</Button>
						<Button onClick={() => onTake(theirs)}>{text.loadTheirs}</Button>
						<Button kind="danger" onClick={saving.confirm}>
							{text.overwrite}
						</Button>
					</>
				}
			>
				<p>{text.conflict}</p>
				<p>{text.overwriteText}</p>
			</Dialog>
		);
	return (
		<Dialog
			title={isTaken ? text.replaceTitle : text.renameTitle}
			onClose={saving.cancel}
			actions={
				<>
					<Button onClick={saving.cancel}>{common.cancel}</Button>
					<Button kind={isTaken ? "danger" : "primary"} onClick={saving.confirm}>
						{isTaken ? text.replace(to) : text.saveAs(to)}
					</Button>
				</>
			}
		>
			{name !== null && <p>{text.renameText(name, to)}</p>}
			{isTaken && <p>{text.replaceText(to)}</p>}
		</Dialog>
	);
}

interface DeleteProps {
	readonly name: string;
	onDeleted(): void;
	onClose(): void;
}

export function DeleteDialog({ name, onDeleted, onClose }: DeleteProps) {
	const text = useTexts(WORKFLOW);
	const remove = useAction(async () => {
		await api.workflows.delete(name);
		toast(text.deleted(name));
		onDeleted();
	});
	return (
		<Confirm
			title={text.deleteTitle(name)}
			verb={text.delete}
			isBusy={remove.isBusy}
			onConfirm={() => void remove.run()}
			onClose={onClose}
		>
			<p>{text.deleteText}</p>
			{remove.problem !== null && <Problem error={remove.problem} />}
		</Confirm>
	);
}
