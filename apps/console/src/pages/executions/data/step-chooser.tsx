import type { KeptNode } from "../../../api/types.ts";
import type { Action } from "../../../api/use-action.ts";
import { formatNumber } from "../../../numbers.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { useStatusWord } from "../../../ui/status.tsx";
import { getStepKey } from "./steps.ts";
import { RUN_DATA } from "./texts.ts";

interface Props {
	readonly steps: readonly KeptNode[];
	readonly chosen: KeptNode | undefined;
	onChoose(key: string): void;
	/** Null: all are loaded. */
	readonly more: Action<[]> | null;
}

/** Chooses one of the elements and attempts of a node. */
export function StepChooser({ steps, chosen, onChoose, more }: Props) {
	const text = useTexts(RUN_DATA);
	const getStatusWord = useStatusWord();
	const hasAttempts = steps.some(({ attempt }) => attempt > 1);
	return (
		<div className="step-chooser">
			<Field label={text.element} hint={text.elementCount(formatNumber(steps.length), more !== null)}>
				{(control) => (
					<select
						{...control}
						value={chosen === undefined ? "" : getStepKey(chosen)}
						onChange={(event) => onChoose(event.target.value)}
					>
						{steps.map((step) => (
							<option key={getStepKey(step)} value={getStepKey(step)}>
								{describe(step)}
							</option>
						))}
					</select>
				)}
			</Field>
			{more !== null && (
				<Button isSmall isBusy={more.isBusy} onClick={() => void more.run()}>
					{text.loadMore}
				</Button>
			)}
			{more !== null && more.problem !== null && <Problem error={more.problem} />}
		</div>
	);

	function describe({ place, attempt, status }: KeptNode): string {
		const parts = [
			getStatusWord(status),
			place !== "" && text.place(place),
			hasAttempts && text.attempt(attempt),
		];
		return parts.filter((part) => part !== false).join(" · ");
	}
}
