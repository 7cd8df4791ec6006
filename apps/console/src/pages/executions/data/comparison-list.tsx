import { formatNumber } from "../../../numbers.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useStatusWord } from "../../../ui/status.tsx";
import type { Json } from "../../../values/json-parts.ts";
import { buildPath } from "../../../values/template-path.ts";
import { renderScalar } from "../../../values/tree-rows.ts";
import type { Difference, StepComparison } from "./comparison.ts";
import { MAX_COMPARED_STEPS } from "./load-side.ts";
import { RUN_DATA } from "./texts.ts";

const MAX_TEXT_LENGTH = 300;
/** Steps that are listed; each may have a hundred differences. */
const MAX_LISTED = 200;

interface Props {
	readonly steps: readonly StepComparison[];
	/** Whether all steps of both runs were compared. */
	readonly isWhole: boolean;
}

/** The steps that differ, then the number of those that do not. */
export function ComparisonList({ steps, isWhole }: Props) {
	const text = useTexts(RUN_DATA);
	const differing = steps.filter(({ result }) => result !== "same");
	const listed = differing.slice(0, MAX_LISTED);
	const same = steps.length - differing.length;
	const left = differing.length - listed.length;
	return (
		<>
			{!isWhole && <p className="soft">{text.comparedPart(formatNumber(MAX_COMPARED_STEPS))}</p>}
			{differing.length === 0 && <p>{text.allSame}</p>}
			<ol className="comparison">
				{listed.map((step, index) => (
					<li key={JSON.stringify([step.node, step.place])}>
						<ComparedStep step={step} isFirst={index === 0} />
					</li>
				))}
			</ol>
			{left > 0 && <p className="soft">{text.moreDiffer(formatNumber(left))}</p>}
			<p className="soft">{text.sameCount(formatNumber(same))}</p>
			{steps.some(({ result, isCut }) => result === "same" && isCut) && (
				<p className="soft">{text.sameAsKept}</p>
			)}
		</>
	);
}

function ComparedStep({ step, isFirst }: { readonly step: StepComparison; readonly isFirst: boolean }) {
	const text = useTexts(RUN_DATA);
	const { node, place, result, differences } = step;
	const head = (
		<>
			<strong>{node ?? text.runInput}</strong>
			{place !== "" && <span className="soft numbers">{text.place(place)}</span>}
			<Badge tone="warn">{text.results[result]}</Badge>
		</>
	);
	if (differences.length === 0) return <div className="comparison-head">{head}</div>;
	return (
		<details open={isFirst}>
			<summary className="comparison-head">{head}</summary>
			<ul>
				{differences.map((difference) => (
					<li key={JSON.stringify([difference.part, difference.steps])}>
						<DifferenceLine of={difference} hasPart={node !== null} />
					</li>
				))}
			</ul>
		</details>
	);
}

function DifferenceLine({ of, hasPart }: { readonly of: Difference; readonly hasPart: boolean }) {
	const text = useTexts(RUN_DATA);
	const getStatusWord = useStatusWord();
	const { part, steps, one, other } = of;
	const path = buildPath("", steps);
	return (
		<>
			<p className="comparison-where">
				{hasPart && <span className="soft">{text.parts[part]}</span>} {path !== "" && <code>{path}</code>}
			</p>
			<dl>
				<dt>{text.thisRun}</dt>
				<dd>{render(one)}</dd>
				<dt>{text.theOtherRun}</dt>
				<dd>{render(other)}</dd>
			</dl>
		</>
	);

	function render(value: Json | undefined) {
		if (value === undefined) return <span className="soft">{text.nothingThere}</span>;
		if (part === "status") return getStatusWord(String(value));
		const shown = renderScalar(value);
		return <code>{shown.length > MAX_TEXT_LENGTH ? `${shown.slice(0, MAX_TEXT_LENGTH)}…` : shown}</code>;
	}
}
