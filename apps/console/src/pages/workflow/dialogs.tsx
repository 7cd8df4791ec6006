import { useState } from "react";
import { api } from "../../api/api.ts";
import { useAction } from "../../api/use-action.ts";
import { navigate } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { TRASH_DAYS } from "../trash/trash-days.ts";
import { WORKFLOW } from "./texts.ts";
import type { Saving } from "./use-saving.ts";

interface SaveProps {
	readonly name: string | null;
	readonly saving: Saving;
}

/** Asks for confirmation before saving under another name. */
export function SaveDialog({ name, saving }: SaveProps) {
	const text = useTexts(WORKFLOW);
	const common = useTexts(COMMON);
	if (saving.asked === null) return null;
	const { to, isTaken } = saving.asked;
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
			{name !== null && name !== to && <p>{text.renameText(name, to)}</p>}
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
		toast(text.deleted(name, TRASH_DAYS), { action: { label: text.undo, run: undo } });
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
			<p>{text.deleteRestorable(TRASH_DAYS)}</p>
			{remove.problem !== null && <Problem error={remove.problem} />}
		</Confirm>
	);

	async function undo(): Promise<void> {
		try {
			const { workflows } = await api.deletedWorkflows.list();
			// Last deleted first, and several may have had this name.
			const deleted = workflows.find((each) => each.name === name);
			if (deleted !== undefined) await api.deletedWorkflows.restore(deleted.id);
			navigate(buildWorkflowPath(name));
		} catch (error) {
			toast(error instanceof Error ? error.message : String(error), { isProblem: true });
		}
	}
}

interface RenameProps {
	readonly name: string;
	/** The version that is renamed; null in the legacy store. */
	readonly version: number | null;
	onRenamed(to: string, version: number): void;
	onClose(): void;
}

export function RenameDialog({ name, version, onRenamed, onClose }: RenameProps) {
	const text = useTexts(WORKFLOW);
	const common = useTexts(COMMON);
	const [to, setTo] = useState(name);
	const rename = useAction(async () => {
		const renamed = await api.workflows.rename(name, to.trim(), version ?? undefined);
		toast(text.renamed(name, renamed.name));
		onRenamed(renamed.name, renamed.version_number);
	});
	const isSame = to.trim() === "" || to.trim() === name;
	return (
		<Dialog title={text.renameDialog(name)} onClose={onClose}>
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (!isSame) void rename.run();
				}}
			>
				<Field label={text.newName}>
					{(control) => (
						<input
							{...control}
							value={to}
							maxLength={128}
							onChange={(event) => {
								setTo(event.target.value);
								rename.clear();
							}}
						/>
					)}
				</Field>
				<p className="soft">{text.renameHint}</p>
				{rename.problem !== null && <Problem error={rename.problem} />}
				<div className="form-actions">
					<Button onClick={onClose}>{common.cancel}</Button>
					<Button kind="primary" type="submit" isBusy={rename.isBusy} disabled={isSame}>
						{text.rename}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
