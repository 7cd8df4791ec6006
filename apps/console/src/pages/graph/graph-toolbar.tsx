import { useTexts } from "../../texts/texts.ts";
import { NodeSearch } from "./node-search.tsx";
import { GRAPH } from "./texts.ts";

interface Props {
	readonly depth: number;
	readonly withDeprecated: boolean;
	readonly isList: boolean;
	readonly canDraw: boolean;
	onPick(name: string): void;
	onChange(changes: Readonly<Record<string, string | null>>): void;
}

export function GraphToolbar({ depth, withDeprecated, isList, canDraw, onPick, onChange }: Props) {
	const text = useTexts(GRAPH);
	return (
		<div className="kg-toolbar">
			<NodeSearch onPick={onPick} />
			<select
				aria-label={text.steps}
				value={depth}
				onChange={(event) => onChange({ depth: event.currentTarget.value === "1" ? "1" : null })}
			>
				<option value={1}>{text.stepCount(1)}</option>
				<option value={2}>{text.stepCount(2)}</option>
			</select>
			<label className="line kg-switch">
				<input
					type="checkbox"
					role="switch"
					aria-checked={withDeprecated}
					checked={withDeprecated}
					onChange={(event) => onChange({ deprecated: event.currentTarget.checked ? "1" : null })}
				/>
				{text.includeOutdated}
			</label>
			{canDraw && (
				// biome-ignore lint/a11y/useSemanticElements: two buttons, not a form.
				<div className="segments kg-views" role="group" aria-label={text.view}>
					<button type="button" aria-pressed={!isList} onClick={() => onChange({ view: null })}>
						{text.asGraph}
					</button>
					<button type="button" aria-pressed={isList} onClick={() => onChange({ view: "list" })}>
						{text.asList}
					</button>
				</div>
			)}
		</div>
	);
}
