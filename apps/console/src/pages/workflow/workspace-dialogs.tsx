import type { WorkflowDetail } from "../../api/types.ts";
import { PinDialog } from "../../pins/pin-dialog.tsx";
import type { Pin } from "../../pins/pins.ts";
import { navigate } from "../../router.tsx";
import { DeleteDialog, RenameDialog, SaveDialog } from "./dialogs.tsx";
import type { DraftPins } from "./run/use-draft-pins.ts";
import type { Editing } from "./use-editing.ts";
import { ConflictDialog } from "./versions/conflict-dialog.tsx";

export type AskedDialog = "delete" | "rename" | null;

interface Props {
	/** Null for a new workflow. */
	readonly name: string | null;
	readonly detail: WorkflowDetail | null;
	readonly editing: Editing;
	readonly pins: DraftPins;
	/** What the user has asked for. */
	readonly asked: AskedDialog;
	onRenamed(to: string, version: number): void;
	onClose(): void;
}

export function WorkspaceDialogs({ name, detail, editing, pins, asked, onRenamed, onClose }: Props) {
	const { autosave, saving, take } = editing;
	if (name === null) return <SaveDialog name={name} saving={saving} />;
	return (
		<>
			<SaveDialog name={name} saving={saving} />
			{saving.comparison !== null && (
				<ConflictDialog
					name={name}
					count={saving.comparison}
					autosave={autosave}
					isBusy={saving.isBusy}
					problem={saving.problem}
					onKeep={saving.keepMine}
					onTake={take}
					onClose={saving.cancel}
				/>
			)}
			{pins.shown !== null && <ShownPin of={pins.shown} pins={pins} />}
			{asked === "delete" && (
				<DeleteDialog name={name} onDeleted={() => navigate("/workflows")} onClose={onClose} />
			)}
			{asked === "rename" && (
				<RenameDialog
					name={name}
					version={detail?.workflow.version_number ?? null}
					onRenamed={onRenamed}
					onClose={onClose}
				/>
			)}
		</>
	);
}

function ShownPin({ of: pin, pins }: { readonly of: Pin; readonly pins: DraftPins }) {
	const close = () => pins.show(null);
	return (
		<PinDialog
			pin={pin}
			onSave={(output) => {
				pins.pin(pin.node, output);
				close();
			}}
			onUnpin={() => {
				pins.unpin(pin);
				close();
			}}
			onClose={close}
		/>
	);
}
