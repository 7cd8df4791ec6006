import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { WORKFLOW } from "./texts.ts";

/** Somebody else was faster: nothing is lost before it is said which of the two stays. */
export function Theirs({ onTake, onKeep }: { onTake(): void; onKeep(): void }) {
	const text = useTexts(WORKFLOW);
	return (
		<div className="theirs" role="alert">
			<Icon name="info" />
			<p>{text.theirs}</p>
			<Button isSmall onClick={onTake}>
				{text.takeTheirs}
			</Button>
			<Button isSmall kind="quiet" onClick={onKeep}>
				{text.keepMine}
			</Button>
		</div>
	);
}
