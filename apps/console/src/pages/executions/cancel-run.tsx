import { useState } from "react";
import { api } from "../../api/api.ts";
import { isConflict } from "../../api/conflict.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ACTING } from "./acting-texts.ts";

interface Props {
	readonly id: string;
	readonly workflow: string;
	/** In a list, where the button has only an icon. */
	readonly isInRow?: boolean;
	/** Also called if the run had ended before. */
	onCancelled(): void;
}

export function CancelRun({ id, workflow, isInRow = false, onCancelled }: Props) {
	const text = useTexts(ACTING);
	const [isAsking, setAsking] = useState(false);
	const cancel = useAction(async () => {
		try {
			await api.executions.cancel(id);
			toast(text.cancelled);
		} catch (error) {
			if (!isConflict(error)) throw error;
			toast(text.hasEnded);
		}
		setAsking(false);
		onCancelled();
	});
	return (
		<>
			{isInRow ? (
				<Button
					kind="quiet"
					isSmall
					icon="cross"
					aria-label={text.cancelRunOf(workflow)}
					title={text.cancelRun}
					onClick={ask}
				/>
			) : (
				<Button icon="cross" onClick={ask}>
					{text.cancelRun}
				</Button>
			)}
			{isAsking && (
				<Confirm
					title={text.cancelTitle(workflow)}
					verb={text.cancelRun}
					dismiss={text.keepRunning}
					isBusy={cancel.isBusy}
					onConfirm={() => void cancel.run()}
					onClose={() => setAsking(false)}
				>
					<p>{text.cancelText}</p>
					{cancel.problem !== null && <Problem error={cancel.problem} />}
				</Confirm>
			)}
		</>
	);

	function ask(): void {
		cancel.clear();
		setAsking(true);
	}
}
