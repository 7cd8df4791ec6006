import type { WorkflowDetail } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { WORKFLOW } from "./texts.ts";

interface Props {
	readonly of: WorkflowDetail;
	onTake(theirs: WorkflowDetail): void;
	onKeep(theirs: WorkflowDetail): void;
}

/** Shown if someone else saved the workflow: the user chooses which version to keep. */
export function Theirs({ of: theirs, onTake, onKeep }: Props) {
	const text = useTexts(WORKFLOW);
	return (
		<div className="theirs" role="alert">
			<Icon name="info" />
			<p>{text.conflict}</p>
			<Button isSmall onClick={() => onTake(theirs)}>
				{text.loadTheirs}
			</Button>
			<Button isSmall kind="quiet" onClick={() => onKeep(theirs)}>
				{text.keepMine}
			</Button>
		</div>
	);
}
