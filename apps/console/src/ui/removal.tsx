import type { ReactNode } from "react";
import { resolveDeletion } from "../api/not-found.ts";
import { useAction } from "../api/use-action.ts";
import { useTexts } from "../texts/texts.ts";
import { COMMON } from "./common-texts.ts";
import { Confirm } from "./dialog.tsx";
import { Problem } from "./problem.tsx";
import { toast } from "./toasts.tsx";

interface Props {
	readonly title: string;
	/** Label of the confirm button; default "Delete". */
	readonly verb?: string;
	/** What is said when it is gone. */
	readonly done: string;
	/** What the deletion means. */
	readonly children: ReactNode;
	remove(): Promise<unknown>;
	/** It is gone, also if somebody else has deleted it before. */
	onRemoved(): void;
	onClose(): void;
}

/** Asks before something is deleted for good, and deletes it. */
export function Removal({ title, verb, done, children, remove, onRemoved, onClose }: Props) {
	const common = useTexts(COMMON);
	const removal = useAction(async () => {
		const isRemoved = await resolveDeletion(remove());
		toast(isRemoved ? done : common.alreadyDeleted);
		onRemoved();
	});
	return (
		<Confirm
			title={title}
			verb={verb ?? common.delete}
			isBusy={removal.isBusy}
			onConfirm={() => removal.run()}
			onClose={onClose}
		>
			<p>{children}</p>
			{removal.problem !== null && <Problem error={removal.problem} />}
		</Confirm>
	);
}
