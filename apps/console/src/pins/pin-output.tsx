import type { KeptNode } from "../api/types.ts";
import { buildWorkflowPath } from "../shell/places.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { PINS } from "./texts.ts";
import { usePins } from "./use-pins.ts";

/** The output of a node of this component follows from the nodes that it repeats. */
const REPEATING_COMPONENT = "repeat";

interface Props {
	readonly workflow: string;
	readonly step: KeptNode;
	/** Null if it is not known. */
	readonly component: string | null;
	/** Whether it is a step of an agent, such as a call of a tool. */
	readonly isStep: boolean;
}

/** Pins what a node gave in a run as test data of the workflow's draft, or says why that is not possible. */
export function PinOutput({ workflow, step: { id, place, output }, component, isStep }: Props) {
	const text = useTexts(PINS);
	const { all, pin, unpin } = usePins(workflow);
	if (output === undefined || all === null) return null;
	if (component === REPEATING_COMPONENT) return <p className="soft">{text.repeats}</p>;
	if ("bytes" in output) return <p className="soft">{text.isCut}</p>;
	const pinned = all.find(({ node }) => node === id);
	const isSame = pinned !== undefined && JSON.stringify(pinned.output) === JSON.stringify(output.json);
	return (
		<div className="pin-output">
			<div className="line">
				<Button isSmall icon="pin" onClick={() => (isSame ? unpin(id) : pin(id, output.json))}>
					{isSame ? text.unpin : pinned === undefined ? text.pin : text.replace}
				</Button>
				{isSame && (
					<ButtonLink to={buildWorkflowPath(workflow)} isSmall kind="quiet" icon="workflow">
						{text.openWorkflow}
					</ButtonLink>
				)}
			</div>
			<p className="soft" role="status">
				{isSame && text.isPinned(workflow)}
				{pinned !== undefined && !isSame && text.isOther(workflow)}
				{isSame && place !== "" && ` ${isStep ? text.everyCall : text.everyElement}`}
			</p>
		</div>
	);
}
